/** How the office writes marks, and the forms in which they are looked for. */

/** Separates the lines of a mark. */
const LINE_SIGN = /\s*＼\s*/g;

/** Old rows write the long vowel as a full-width hyphen, after kana. */
const OLD_LONG_VOWEL = /(?<=[\u3041-\u30ff])\uff0d/g;

/** The mark on one line, its letters as stated. */
export function joinLines(text: string): string {
  return text.replace(LINE_SIGN, ' ').trim();
}

/** Full-width letters become plain ones and half-width kana full, so that a search by either finds the mark. */
export function foldWidth(text: string): string {
  return joinLines(text).replace(OLD_LONG_VOWEL, 'ー').normalize('NFKC');
}

/** Every text by which a mark is found beside its name. */
export function listVariants(name: string | null, texts: readonly string[]): string[] | null {
  const stated = texts.map(joinLines);
  const all = [...(name === null ? [] : [foldWidth(name)]), ...stated, ...stated.map(foldWidth)];
  const variants = [...new Set(all)].filter((text) => text !== '' && text !== name);
  return variants.length === 0 ? null : variants;
}

/** `（省略）` stands where the office leaves an address out. */
export function statedAddress(text: string | null): string | null {
  return text === '（省略）' ? null : text;
}
