/** How the Korean services write several names or codes in one text, or one name in two scripts. */

/** Company forms that some rows put between bars: `|주|` is `(주)`, part of a name and not a separator. */
const FORM_BETWEEN_BARS = /\|([주유사재합])\|/g;

/** The entries of a list. */
export function splitNames(text: string): string[] {
  return text
    .replace(FORM_BETWEEN_BARS, '\u0001$1\u0001')
    .split(/[|;]/)
    .map((name) => name.replaceAll('\u0001', '|').trim())
    .filter((name) => name !== '');
}

/** A firm of agents; its own name follows after a space. */
const FIRM = /^(?:특허|법무)법인(?:\(유한?\))?$/;

/** Splits the agents of a service that separates them by spaces. */
export function splitAgents(text: string): string[] {
  if (/[|;]/.test(text)) return splitNames(text);
  const agents: string[] = [];
  let firm = '';
  for (const word of text.split(/\s+/)) {
    if (FIRM.test(word)) firm = firm === '' ? word : `${firm} ${word}`;
    else {
      agents.push(firm === '' ? word : `${firm} ${word}`);
      firm = '';
    }
  }
  return firm === '' ? agents : [...agents, firm];
}

/** Korean words followed by text without any Korean. */
const TWO_SCRIPTS = /^(.*\p{Script=Hangul}[^\p{Script=Hangul}\s]*)\s+(?=\S)(\P{Script=Hangul}+)$/u;
/** A company form alone is not a name. */
const FORM_ALONE = /^(?:(?:주식|유한|합자|합명)회사|\([주유사재합]\))$/;

/** The name as stated, and if it is written in Korean and then in Latin letters, each of the two. */
export function listSpellings(name: string): string[] {
  const [, korean = '', latin = ''] = TWO_SCRIPTS.exec(name) ?? [];
  if (!/\p{Script=Latin}/u.test(latin) || FORM_ALONE.test(korean)) return [name];
  return [name, korean, latin];
}

/** Older answers separate codes by spaces. */
export function splitCodes(text: string | null): string[] {
  return text === null ? [] : text.split(/[|;,\s]+/).filter((code) => code !== '');
}
