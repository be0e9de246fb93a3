/** How the office writes marks, and the forms under which a search finds them. */
import { normalForm } from '@tmds/contract/text';

/** Separates the lines of a mark. */
const LINE_SIGN = '＼';

/** Old rows write the long vowel after kana as a full-width hyphen. */
const OLD_LONG_VOWEL = /(?<=[\u3041-\u30ff])\uff0d/g;

/** The mark on one line, its letters as stated. */
export function joinLines(text: string): string {
  return text
    .split(LINE_SIGN)
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

/** Turns full-width letters into plain ones and half-width kana into full-width, so that either form finds the mark. */
export function foldWidth(text: string): string {
  return normalForm(joinLines(text).replace(OLD_LONG_VOWEL, 'ー'), 'NFKC');
}

/** Every text under which the mark can be found, except the name. */
export function listVariants(name: string | null, texts: readonly string[]): string[] | null {
  const stated = texts.map(joinLines);
  const all = [...(name === null ? [] : [foldWidth(name)]), ...stated, ...stated.map(foldWidth)];
  const variants = [...new Set(all)].filter((text) => text !== '' && text !== name);
  return variants.length === 0 ? null : variants;
}

/** The office writes `（省略）` where it leaves an address out. */
export function statedAddress(text: string | null): string | null {
  return text === '（省略）' ? null : text;
}
