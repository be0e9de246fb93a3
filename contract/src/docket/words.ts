/** Compares words that people wrote, ignoring marks, letter case and punctuation. */
import { dropHidden, normalForm } from '../text.ts';

const MARKS = /\p{M}+/gu;
const NOT_WORDS = /[^\p{L}\p{N}]+/gu;

/** `Enregistrée (FR)` is `enregistree fr`; full stops and apostrophes join, so that `S.A.` is `sa`. */
export function foldWords(text: string): string {
  return normalForm(dropHidden(text), 'NFKD')
    .replace(MARKS, '')
    .replace(/[.'’]/g, '')
    .toLowerCase()
    .replace(NOT_WORDS, ' ')
    .trim();
}
