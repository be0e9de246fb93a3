/**
 * Which register a docket means: its code, the name of its office, or the name of its country in one of the languages
 * in which dockets are kept.
 */
import { foldWords } from './words.ts';

/** Names that no list of countries has. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  AU: ['ip australia'],
  BR: ['inpi br', 'inpi brazil'],
  BX: ['benelux', 'boip', 'bbie', 'bmb'],
  CA: ['cipo', 'opic'],
  CH: ['ige', 'ipi', 'ige ipi', 'swiss'],
  CN: ['cnipa', 'ctmo', 'prc'],
  DE: ['dpma'],
  EM: ['eu', 'euipo', 'eutm', 'ctm', 'ohim', 'eum', 'european union', 'eu trade mark', 'community trade mark'],
  ES: ['oepm'],
  FR: ['inpi', 'inpi fr'],
  GB: ['uk', 'ukipo', 'great britain', 'großbritannien', 'grande bretagne', 'gran bretagna'],
  IT: ['uibm'],
  JP: ['jpo'],
  KR: ['kipo', 'kipris', 'korea', 'south korea'],
  RO: ['osim'],
  RU: ['rospatent', 'russia', 'russian federation'],
  SE: ['prv'],
  TR: ['turkpatent', 'turkey'],
  TW: ['tipo', 'taiwan'],
  US: ['uspto', 'usa', 'us federal', 'united states of america'],
  VN: ['viet nam'],
  WO: ['wipo', 'ompi', 'ir', 'madrid', 'international', 'international registration', 'int', 'wo madrid'],
};

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ja', 'ko', 'zh'];
const CODES = /^[A-Z]{2}$/;

let known: ReadonlyMap<string, string> | null = null;

function listNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  // Without former codes, such as DD, which have become others, and without EU and UK, which belong to no register.
  const codes = letters
    .flatMap((one) => letters.map((other) => one + other))
    .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}` && code !== 'EU');
  for (const language of LANGUAGES) {
    const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of codes) {
      const name = regions.of(code);
      if (name !== undefined) names.set(foldWords(name), names.get(foldWords(name)) ?? code);
    }
    const union = regions.of('EU');
    if (union !== undefined) names.set(foldWords(union), 'EM');
  }
  for (const [code, own] of Object.entries(NAMES)) for (const name of own) names.set(name, code);
  return names;
}

/** The code of the register in upper case; null if the text names none. A code is not checked to be served. */
export function readRegister(text: string): string | null {
  known ??= listNames();
  const words = foldWords(text);
  const named = known.get(words);
  if (named !== undefined) return named;
  const code = words.toUpperCase();
  return CODES.test(code) ? code : null;
}

/** Letters before a number that say "number" or "mark", and are codes of countries as well. */
const NO_REGISTER: readonly string[] = ['NO', 'NR', 'TM', 'RN', 'SN'];

/** The register that a number names itself, as in `EM 018229854`, `US-97123456` or `EUTM 018229854`; else null. */
export function readRegisterOfNumber(text: string): string | null {
  const [, letters = ''] = /^\s*(\p{L}{2,12})(?=[^\p{L}])/u.exec(text) ?? [];
  return letters === '' || NO_REGISTER.includes(letters.toUpperCase()) ? null : readRegister(letters);
}

/** Countries and offices without a register, and the register that holds their marks. */
const HELD_BY: Readonly<Record<string, readonly string[]>> = {
  BX: ['BE', 'LU', 'NL'],
  EM: ['EU'],
  GB: ['UK'],
  OA: ['BF', 'BJ', 'CF', 'CG', 'CI', 'CM', 'GA', 'GN', 'GQ', 'GW', 'KM', 'ML', 'MR', 'NE', 'SN', 'TD', 'TG'],
  WO: ['IB', 'IR'],
};

/**
 * Says that a register is not served, and which register to ask instead. `named`: as the row writes it, empty if it
 * does not.
 */
export function describeUnserved(register: string, named: string, served: ReadonlySet<string>): string {
  const written = named === '' || named.toUpperCase() === register ? null : named.slice(0, 40);
  const [instead] = Object.entries(HELD_BY).find(([, codes]) => codes.includes(register)) ?? [];
  const what = written === null ? `The register ${register}` : `The register ${register}, which “${written}” means,`;
  if (instead === undefined) return `${what} is not served.`;
  const where = served.has(instead) ? `: write ${instead}` : ', which is not served either';
  return `${what} is not served. Its marks are in the register ${instead}${where}.`;
}
