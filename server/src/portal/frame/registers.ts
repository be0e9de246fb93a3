/**
 * The names of registers and countries as people read them, by their two-letter codes: WIPO's standard ST.3 for offices
 * of several countries, ISO 3166-1 for all others.
 */

/** Codes of ST.3 that name no country. */
const OFFICES: Readonly<Record<string, string>> = {
  AP: 'ARIPO, Africa',
  BX: 'Benelux',
  EA: 'Eurasia',
  EM: 'European Union',
  GC: 'Gulf states',
  IB: 'WIPO',
  OA: 'OAPI, Africa',
  WO: 'WIPO, Madrid',
};

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Codes that ISO 3166-1 leaves to its users. A table of regions calls two of them "pseudo". */
const OWN_USE = /^(?:AA|Q[M-Z]|X[A-JL-Z]|ZZ)$/;

/** `European Union` for `EM`; the code itself if no name is known. */
export function registerName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return OFFICES[code] ?? (OWN_USE.test(code) ? code : (COUNTRIES.of(code) ?? code));
}

/** Names that need an article within a sentence. */
const WITH_ARTICLE = /^(?:United|European|Netherlands$|Philippines$|Gulf|Dominican)|(?:Islands|Republic)$/;

/** `the European Union` for `EM`, within a sentence. */
export function placeName(code: string): string {
  const name = registerName(code);
  return WITH_ARTICLE.test(name) ? `the ${name}` : name;
}

/** `European Union (EM)`, for places where people type or send the code. */
export function nameAndCode(code: string): string {
  const name = registerName(code);
  return name === code ? code : `${name} (${code})`;
}

/** Names in one sentence; further ones are counted. */
const JOINED_MAX = 3;

/** `France, Germany and 2 more`. */
export function joinNames(codes: readonly string[], nameOf: (code: string) => string = registerName): string {
  const names = codes.slice(0, JOINED_MAX).map(nameOf);
  const left = codes.length - names.length;
  if (left > 0) return `${names.join(', ')} and ${left} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
