/** How the Korean services write several names or codes in one text, or one name in two scripts. */

/** The names that a text holds. In doubt it is one name, and `isDoubtful` says that it may hold several. */
export interface NameList {
  names: string[];
  isDoubtful: boolean;
}

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

const SEPARATED = /[|;]/;
const HANGUL = /\p{Script=Hangul}/u;

/** A firm of agents; its own name follows after a space, or comes before it at the end of the text. */
const FIRM = /^(?:(?:특허|법무|특허법무|법률)법인(?:\(유한?\))?|\(유한?\))$/;
/** An office of agents, as a word apart from its name: `법률사무소`, `국제특허법률사무소`, `합동특허사무소`. */
const OFFICE =
  /^(?:(?:국제|합동|종합|공동|연합|특허|법률|법무|상표|변리사|변호사)+(?:사무소)?|사무소|유한회사|주식회사)$/;

type AgentWord = 'firm' | 'office' | 'name';

function classifyWord(word: string): AgentWord {
  if (FIRM.test(word)) return 'firm';
  return OFFICE.test(word) ? 'office' : 'name';
}

/** Splits the agents of a service that separates them by spaces. */
export function splitAgents(text: string): NameList {
  if (SEPARATED.test(text)) return { names: splitNames(text), isDoubtful: false };
  const tokens = joinWords(text.split(/\s+/).filter((word) => word !== ''));
  const names: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const [kind, words] = tokens[at]!;
    const next = tokens[at + 1];
    const last = names.pop();
    const opens = kind === 'firm' || (kind === 'office' && last === undefined);
    if (opens && next?.[0] === 'name') {
      names.push(...(last === undefined ? [] : [last]), `${words} ${next[1]}`);
      at += 1;
    } else if (kind === 'name' || last === undefined) {
      names.push(...(last === undefined ? [] : [last]), words);
    } else if (kind === 'firm' || next?.[0] !== 'name' || tokens[at + 2]?.[0] === 'office') {
      names.push(`${last} ${words}`);
    } else {
      // The office may belong to the name before it or to the name after it.
      return { names: [text], isDoubtful: true };
    }
  }
  return { names, isDoubtful: false };
}

/** Words of one form, and the words of a name in Latin letters, are one token. */
function joinWords(words: readonly string[]): [kind: AgentWord, words: string][] {
  const tokens: [kind: AgentWord, words: string][] = [];
  for (const word of words) {
    const kind = classifyWord(word);
    const last = tokens.at(-1);
    const joins = last?.[0] === kind && (kind !== 'name' || !(HANGUL.test(word) || HANGUL.test(last[1])));
    if (joins) last[1] += ` ${word}`;
    else tokens.push([kind, word]);
  }
  return tokens;
}

/** Korean words followed by text without any Korean. */
const TWO_SCRIPTS = /^(.*\p{Script=Hangul}[^\p{Script=Hangul}\s]*)\s+(?=\S)(\P{Script=Hangul}+)$/u;
/** A company form alone is not a name. */
const FORM_ALONE = /^(?:(?:주식|유한|합자|합명)회사|\([주유사재합]\))$/;

/** Forms of companies and institutions that many owners write as a separate word; none of them is a name. */
const OWNER_FORM = new RegExp(
  `^(?:${[
    String.raw`\([주유사재합]\)`,
    '(?:주식|유한|유한책임|합자|합명|농업|어업|영농조합|농업회사|영어조합)회사',
    '(?:사단|재단|학교|의료|종교|사회복지|농업회사|영농조합|어업회사)법인',
    '산학협력단',
    '인코포레이티드|인코포레이션|코포레이션|컴퍼니|리미티드|엘엘씨|인크[.]?',
  ].join('|')})$`,
);

/** Longer texts are not searched for a second owner: the time grows with the square of their words. */
const WORDS_MAX = 60;

/**
 * Splits the owners of a service that separates them by spaces. Spaces are parts of names too, so a text holds two
 * owners only where another text of the same answer (`other`) has the same words with the owners in the other order.
 */
export function splitOwners(text: string, other: string): NameList {
  if (SEPARATED.test(text)) return { names: splitNames(text), isDoubtful: false };
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return { names: [], isDoubtful: false };
  const swapped = words.length > WORDS_MAX ? null : findSwapped(words, other.trim().split(/\s+/).join(' '));
  const names = swapped ?? [words];
  return {
    names: swapped === null ? [text] : names.map((each) => each.join(' ')),
    isDoubtful: names.some((each) => each.filter(isNameWord).length > 1),
  };
}

/** The two parts of a list that `other` states in the other order; each has to be a name. */
function findSwapped(words: readonly string[], other: string): string[][] | null {
  for (let at = 1; at < words.length; at++) {
    const parts = [words.slice(0, at), words.slice(at)] as const;
    if ([...parts[1], ...parts[0]].join(' ') !== other || !parts.every((part) => part.some(isNameWord))) continue;
    return parts[0].join(' ') === parts[1].join(' ') ? null : [...parts];
  }
  return null;
}

function isNameWord(word: string): boolean {
  return HANGUL.test(word) && !OWNER_FORM.test(word);
}

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
