/**
 * Splits names at "doing business as" and similar words (rule I-49). A name that holds an alias becomes two in the
 * lists of a record; the document keeps it whole. The whole finds the record too, whatever words stand between its
 * parts: a query is split likewise, and asks for a record that has all of the parts.
 *
 * An abbreviation that is also a word of names (`AKA`) parts a name only where it stands between two names; `Aka Foods`
 * and `DBA Inc.` stay unchanged. In doubt a name stays too long rather than being cut in two.
 */

/** Written out, or with slashes or dots: these are unambiguous. */
const PHRASES = [
  '(?:also |formerly |now )?doing business as',
  'carrying on business as',
  // Not "Day trading as a service".
  '(?:also |formerly )?trading as(?! an? )',
  '(?:also|now|formerly|previously) known as',
  String.raw`(?:f\/)?[dafn]\/[bk]\/a\/?`,
  String.raw`[dafn]\.\s?[bk]\.\s?a\.?`,
  't/a',
] as const;

/**
 * These are words of names too. All but the first split a name only after at least two words, as in names of persons.
 */
const DBA = 'dba';
const WORDS = ['aka', 'fka', 'nka'] as const;

const BEFORE = String.raw`(?<=^|[\s,;:(\-])`;
const AFTER = String.raw`(?:\s*:\s*|\s+)`;

const ANY = [...PHRASES, DBA, ...WORDS].join('|');
const HINT = new RegExp(ANY, 'iu');
/**
 * A longer text is a statement rather than a name, and is left whole: the time to split a text grows with the square of
 * its length.
 */
const NAME_LENGTH_MAX = 1_000;
const SPELLED = new RegExp(`${BEFORE}(?:${PHRASES.join('|')})${AFTER}`, 'giu');
const IN_BRACKETS = new RegExp(String.raw`\(\s*(?:${ANY})(?:\s*:|\s)([^()]+)\)`, 'iu');
const BETWEEN = [
  new RegExp(String.raw`^(?<name>\S.*?)[\s,;]+${DBA}${AFTER}(?<alias>.+)$`, 'iu'),
  new RegExp(String.raw`^(?<name>\S+\s.*?\S)[\s,;]+(?:${WORDS.join('|')})${AFTER}(?<alias>.+)$`, 'iu'),
] as const;
const LEADING = new RegExp(`^(?:${ANY}|ta)${AFTER}`, 'iu');

/** A name that consists of its legal form alone is no name. */
const FORM_ALONE =
  /^(?:inc|incorporated|llc|l\.l\.c|ltd|limited|corp|corporation|co|company|plc|gmbh|ag|sa|lp|llp)\.?$/i;

/** Decides most names, which have no alias. */
export function mayHoldAlias(name: unknown): boolean {
  return typeof name === 'string' && name.length <= NAME_LENGTH_MAX && HINT.test(name);
}

/** The name and its aliases, in their order; the name alone when it has none. */
export function splitAliases(name: string): string[] {
  if (!mayHoldAlias(name)) return [name];
  const parts = splitOnce(name).map(trimName);
  if (parts.length === 1 || !parts.every(isName)) return [name];
  return parts.flatMap(splitAliases);
}

const JOINT = ' doing business as ';

/** One spelling for a name and its aliases, whichever words the caller wrote between them. */
export function joinAliases(parts: readonly string[]): string {
  return parts.join(JOINT);
}

/** The parts of what `joinAliases` has written; cheaper than `splitAliases`. */
export function splitJoined(text: string): string[] {
  return text.split(JOINT);
}

/** An alias that the office states separately, without the words that introduce it: `DBA Zenith` is `Zenith`. */
export function readAlias(text: string): string {
  if (text.length > NAME_LENGTH_MAX) return text;
  const alias = trimName(text.trim().replace(LEADING, ''));
  return isName(alias) ? alias : text;
}

function splitOnce(name: string): string[] {
  const bracketed = IN_BRACKETS.exec(name);
  if (bracketed !== null) {
    const rest = name.slice(0, bracketed.index).trimEnd() + name.slice(bracketed.index + bracketed[0].length);
    return [rest, bracketed[1] ?? ''];
  }
  const spelled = name.split(SPELLED);
  if (spelled.length > 1) return spelled;
  for (const form of BETWEEN) {
    const { name: owner, alias } = form.exec(name)?.groups ?? {};
    if (owner !== undefined && alias !== undefined) return [owner, alias];
  }
  return [name];
}

function trimName(text: string): string {
  return text.replace(/^[\s,;:-]+|(?<![\s,;:-])[\s,;:-]+$/gu, '');
}

function isName(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) && !FORM_ALONE.test(text);
}
