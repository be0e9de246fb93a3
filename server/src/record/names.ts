/**
 * The compared form of names, the same for loads and queries (rule I-12); the delivered one, and the forms of numbers,
 * are in the contract. The database never folds letter case, so its locale cannot change an answer.
 */
import { dropHidden, normalizeName } from '@tmds/contract/text';

/** Separates the names of one record. It cannot occur in a normal form. */
export const NAME_SEPARATOR = '\u001f';

/**
 * The compared form: the delivered form without hidden characters, and with final sigma (ς) replaced by σ. Lower-casing
 * chooses between them by the following letter, so the same letters could otherwise differ between a name and a part of
 * it. The joiners of Persian and Indic scripts and of emoji are hidden too: people write the same name with and without
 * them, and the delivered form keeps them.
 */
export function foldName(name: string): string {
  return foldNormalName(normalizeName(name));
}

/** `foldName` for a name that `normalizeName` has already been applied to. */
export function foldNormalName(name: string): string {
  const shown = dropHidden(name);
  // Blanks and marks around a hidden character have met.
  return foldSigma(shown === name ? name : normalizeName(shown));
}

function foldSigma(text: string): string {
  return text.includes('ς') ? text.replaceAll('ς', 'σ') : text;
}
