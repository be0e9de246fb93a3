/**
 * The header `Coverage` of an answer about records: which registers it covered, through which day each is complete, and
 * what is missing. A structured field, a list of RFC 9651:
 *
 *     Coverage: EM;through="2026-11-25", US;through="2026-11-20";late;rejects=3, UK;unserved
 *     Coverage: FR;through="2026-11-10";late, *;registers=31;through="2026-11-21"
 *
 * An item is a register, a code that no register has (`unserved`), or `*`: the registers that are not listed one by one.
 */
import type { DateText } from './record.ts';
import type { Count, RegisterCode } from './values.ts';

export const COVERAGE_HEADER = 'Coverage';

/** At most this many registers are listed one by one. */
const COVERAGE_REGISTERS_MAX = 8;

/** What is known of the completeness of a register, or of several together: the oldest day, the sums of the rest. */
export interface Completeness {
  /** The last day through which nothing is known to be missing; null if unknown. */
  complete_through: DateText | null;
  /** Whether newer files are overdue. */
  late: boolean;
  /** Files that are missing, or that came after later ones and may have replaced something newer. */
  gaps: Count;
  /** Records and files that loads rejected and that no later load has stored. */
  rejects: Count;
}

export interface RegisterCompleteness extends Completeness {
  jurisdiction_code: RegisterCode;
}

export interface SearchCoverage {
  /** All registers that the answer covers if they are few; otherwise those of which something is missing or late. */
  registers: readonly RegisterCompleteness[];
  /** The other registers that the answer covers; null if all are listed. */
  others: (Completeness & { count: number }) | null;
  /** Codes that no register has: nothing was searched for them. */
  unserved: readonly string[];
}

/** Lists all registers if they are few, otherwise those with something missing; the rest becomes one item. */
export function summarizeCoverage(
  covered: readonly RegisterCompleteness[],
  unserved: readonly string[],
): SearchCoverage {
  if (covered.length <= COVERAGE_REGISTERS_MAX) return { registers: covered, others: null, unserved };
  const registers = covered.filter(isIncomplete).slice(0, COVERAGE_REGISTERS_MAX);
  const rest = covered.filter((each) => !registers.includes(each));
  const days = rest.map(({ complete_through: day }) => day);
  const others = {
    count: rest.length,
    complete_through: days.reduce((oldest, day) =>
      oldest === null || day === null ? null : day < oldest ? day : oldest,
    ),
    late: rest.some(({ late }) => late),
    gaps: rest.reduce((sum, { gaps }) => sum + gaps, 0),
    rejects: rest.reduce((sum, { rejects }) => sum + rejects, 0),
  };
  return { registers, others, unserved };
}

/** The coverage of several calls together, each of one register. Null if the service says it of none. */
export function mergeCoverage(all: readonly (SearchCoverage | null)[]): SearchCoverage | null {
  const known = all.filter((each) => each !== null);
  if (known.length === 0) return null;
  const registers = new Map<string, RegisterCompleteness>();
  for (const each of known.flatMap((one) => one.registers)) registers.set(each.jurisdiction_code, each);
  return summarizeCoverage([...registers.values()], [...new Set(known.flatMap(({ unserved }) => unserved))]);
}

function isIncomplete({ late, gaps, rejects }: Completeness): boolean {
  return late || gaps > 0 || rejects > 0;
}

/** The value of the header; an empty text if no register is covered. */
export function encodeCoverage({ registers, others, unserved }: SearchCoverage): string {
  const items = [
    ...registers.map((each) => writeKey(each.jurisdiction_code) + writeCompleteness(each)),
    ...(others === null ? [] : [`*;registers=${others.count}${writeCompleteness(others)}`]),
    ...unserved.map((code) => `${writeKey(code)};unserved`),
  ];
  return items.join(', ');
}

/** A token begins with a letter; other codes are strings. */
function writeKey(code: string): string {
  return /^[A-Z][A-Z0-9]*$/i.test(code) ? code : `"${code}"`;
}

function writeCompleteness({ complete_through, late, gaps, rejects }: Completeness): string {
  return [
    complete_through === null ? '' : `;through="${complete_through}"`,
    late ? ';late' : '',
    gaps === 0 ? '' : `;gaps=${gaps}`,
    rejects === 0 ? '' : `;rejects=${rejects}`,
  ].join('');
}

const ITEM = /^(?:"?([A-Za-z0-9]{1,5})"?|(\*))((?:;[a-z]+(?:="[0-9-]{10}"|=\d{1,15})?)*)$/;
const PARAMETER = /;([a-z]+)(?:=("?)([0-9-]+)\2)?/g;

/** What a header says; null without one, and for one that is not of this form. Unknown parameters are passed over. */
export function decodeCoverage(header: string | null | undefined): SearchCoverage | null {
  if (header === null || header === undefined || header.trim() === '') return null;
  const registers: RegisterCompleteness[] = [];
  const unserved: string[] = [];
  let others: SearchCoverage['others'] = null;
  for (const text of header.split(',')) {
    const [, code, rest, parameters = ''] = ITEM.exec(text.trim()) ?? [];
    if (code === undefined && rest === undefined) return null;
    const given = new Map([...parameters.matchAll(PARAMETER)].map(([, name = '', , value = '']) => [name, value]));
    const completeness = {
      complete_through: given.get('through') ?? null,
      late: given.has('late'),
      gaps: Number(given.get('gaps') ?? 0),
      rejects: Number(given.get('rejects') ?? 0),
    };
    if (code === undefined) others = { count: Number(given.get('registers') ?? 0), ...completeness };
    else if (given.has('unserved')) unserved.push(code);
    else registers.push({ jurisdiction_code: code, ...completeness });
  }
  return { registers, others, unserved };
}

/**
 * What a person should know before concluding from a result, a sentence each.
 *
 * @param nameOf how the sentences name a register, by its code
 */
export function describeSearchCoverage(
  { registers, others, unserved }: SearchCoverage,
  nameOf: (code: RegisterCode) => string = (code) => code,
): string[] {
  return [
    ...unserved.map((code) => `No register here has the code ${code}; nothing was searched for it.`),
    ...registers.map((each) => describeCompleteness(nameOf(each.jurisdiction_code), 'is', each)),
    ...(others === null ? [] : [describeOthers(others, registers.length)]),
  ];
}

function describeOthers({ count, ...completeness }: Completeness & { count: number }, listed: number): string {
  if (count === 1) return describeCompleteness('1 other register', 'is', completeness);
  return describeCompleteness(
    listed === 0 ? `all ${count} registers` : `${count} other registers`,
    'are',
    completeness,
  );
}

function describeCompleteness(name: string, verb: 'is' | 'are', { complete_through, ...rest }: Completeness): string {
  const { late, gaps, rejects } = rest;
  const missing = [
    ...(late ? ['newer files are overdue'] : []),
    ...(gaps === 0 ? [] : [`${count(gaps, 'file is', 'files are')} missing or came late`]),
    ...(rejects === 0 ? [] : [`${count(rejects, 'record or file was', 'records or files were')} rejected`]),
  ];
  const known =
    complete_through === null
      ? `It is not known through which day ${name} ${verb} complete`
      : `${name.charAt(0).toUpperCase()}${name.slice(1)} ${verb} complete through ${complete_through}`;
  return `${[known, ...missing].join('; ')}.`;
}

function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`;
}
