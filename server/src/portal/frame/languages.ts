/** In which of several languages a reader sees an office's texts. It knows nothing about the texts. */

/** The language of the pages, for readers whose languages the office does not write. */
export const PAGE_LANGUAGE = 'en';

/** The first wanted language that is available, or else the first one stated; null if none is. */
export function chooseLanguage(stated: readonly string[], wanted: readonly string[]): string | null {
  const base = (tag: string): string => tag.split('-')[0] ?? tag;
  for (const tag of wanted) {
    const found = stated.find((each) => each === tag) ?? stated.find((each) => base(each) === base(tag));
    if (found !== undefined) return found;
  }
  return stated[0] ?? null;
}
