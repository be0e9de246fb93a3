/**
 * The typed values of a watch's form, and the watch that they define. Refusals are in the words of the form; a search
 * that is too broad comes with a remedy with one click: the same search in the registers with most records, or for the
 * whole name instead of a part that is too short.
 */

import { CONTAINS_SCOPE_MAX, JURISDICTIONS_MAX, NAME_FRAGMENT_MIN } from '@tmds/contract/limits';
import { FILTERS } from '@tmds/contract/parameters';
import {
  type SimilarInput,
  WATCH_ID_FORM,
  WATCH_KINDS,
  type WatchInput,
  type WatchKind,
  type WatchStrategy,
} from '@tmds/contract/watches';
import { ApiError } from '../../base/errors.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { findWatch, type StoredWatch, type WatchDefinition, type WatchSubject } from '../../store/watches/watches.ts';
import { encodePairs, findValue, readSearch } from '../explorer/search-pairs.ts';
import { describeFilters, labelOf, listFilters, messageOf } from '../explorer/search-words.ts';
import { type MemberCall, pageNotFound, typedIn } from '../frame/call.ts';
import type { Fault } from '../frame/once.ts';
import { formatCount } from '../frame/pieces.ts';
import type { CallLimit, WatchDesk } from '../services.ts';
import { readSimilar } from '../similar/similar-target.ts';
import { describeSimilar } from './definition-view.ts';

export interface TypedWatch {
  readonly kind: WatchKind;
  readonly name: string;
  readonly reference: string;
  /** A query string, of a search or of a search for likeness; empty for lists. */
  readonly search: string;
  /** For a list, one entry a line. */
  readonly lines: string;
}

/** As typed; missing values come from `known`. */
export function readTyped(call: MemberCall, known: TypedWatch | null): TypedWatch {
  const kind = known?.kind ?? WATCH_KINDS.find((name) => name === typedIn(call, 'kind')) ?? 'search';
  const search = readTypedSearch(call, kind) ?? (isListed(kind) ? '' : (known?.search ?? ''));
  const name = typedIn(call, 'name') ?? known?.name ?? (search === '' ? '' : nameSearch(kind, search));
  const reference = typedIn(call, 'reference') ?? known?.reference ?? '';
  return { kind, name, reference, search, lines: !isListed(kind) ? '' : (typedIn(call, kind) ?? known?.lines ?? '') };
}

function isListed(kind: WatchKind): kind is 'records' | 'owners' {
  return kind === 'records' || kind === 'owners';
}

function readTypedSearch(call: MemberCall, kind: WatchKind): string | null {
  if (kind === 'search') return typedIn(call, 'search');
  const fields = call.form.has('mark') ? call.form : call.query;
  if (kind !== 'similar' || !fields.has('mark')) return null;
  const { pairs, filters } = readSimilar(fields);
  const own = pairs.filter(([name]) => ['mark', 'strategies', 'classes'].includes(name));
  const kept = listFilters(filters).filter(([name]) => Object.hasOwn(FILTERS, name));
  return encodePairs([...own, ...kept]).slice(1);
}

/** A first name for the watch, in code points; a watch may have more. */
const NAME_PROPOSED_MAX = 100;

function nameSearch(kind: WatchKind, search: string): string {
  if (kind === 'similar') return [...describeSimilar(search)].slice(0, NAME_PROPOSED_MAX).join('');
  const { pairs } = readSearch(new URLSearchParams(search));
  return [...describeFilters(pairs)].slice(0, NAME_PROPOSED_MAX).join('');
}

export function typeWatch({ name, reference }: StoredWatch, subject: WatchSubject): TypedWatch {
  const none = { kind: subject.kind, name, reference: reference ?? '', search: '', lines: '' };
  switch (subject.kind) {
    case 'search':
    case 'similar':
      return { ...none, search: subject.search };
    case 'records':
      return { ...none, lines: subject.records.map((each) => `${each.jurisdiction_code} ${each.uid}`).join('\n') };
    case 'owners':
      return { ...none, lines: subject.owners.join('\n') };
  }
}

interface DefinedWatch {
  readonly definition: WatchDefinition;
  /** Lines that name what another line names already. */
  readonly repeats: number;
}

export function defineTyped(typed: TypedWatch, { define }: Pick<WatchDesk, 'define'>): DefinedWatch | Fault {
  const lines = listLines(typed.lines);
  const entries = typed.kind === 'records' ? readRecords(lines) : { records: [] };
  if ('fault' in entries) return entries;
  if (typed.kind === 'search' && typed.search === '') return { fault: 'Choose what to watch: fill in a search first.' };
  if (typed.kind === 'similar' && typed.search === '') return { fault: 'Write the mark that names are compared with.' };
  if (isListed(typed.kind) && lines.length === 0) return { fault: `Write at least one line: ${EXPECTED[typed.kind]}.` };
  try {
    const definition = define(writeInput(typed, lines, entries.records));
    return { definition, repeats: lines.length - countEntries(definition.subject, lines.length) };
  } catch (error) {
    if (error instanceof ApiError) return { fault: explain(error, lines) };
    throw error;
  }
}

const EXPECTED = {
  records: 'a register and an id, such as EM EM500000018229854',
  owners: 'the name of an owner',
} as const;

interface Line {
  /** In the field, from 1. */
  readonly number: number;
  readonly text: string;
}

function listLines(text: string): Line[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, position) => ({ number: position + 1, text: line.trim() }))
    .filter((line) => line.text !== '');
}

/** A register's code, then the id of a record; between them blanks, a comma, a semicolon or a slash. */
const RECORD = /^(?<register>[A-Za-z]{2})(?:\s*[,;/]\s*|\s+)(?<uid>\S.*)$/;
const QUOTED_MAX = 5;
const QUOTED_CHARACTERS_MAX = 60;

type ListedRecord = NonNullable<WatchInput['records']>[number];

function readRecords(lines: readonly Line[]): { readonly records: ListedRecord[] } | Fault {
  const wrong: Line[] = [];
  const records = lines.flatMap((line) => {
    const { register, uid } = RECORD.exec(line.text)?.groups ?? {};
    if (register === undefined || uid === undefined) wrong.push(line);
    return [{ jurisdiction_code: register ?? '', uid: uid ?? '' }];
  });
  if (wrong.length === 0) return { records };
  const quoted = wrong
    .slice(0, QUOTED_MAX)
    .map(({ number, text }) => `line ${formatCount(number)} (“${text.slice(0, QUOTED_CHARACTERS_MAX)}”)`);
  const more = wrong.length - quoted.length;
  const others = more > 0 ? ` and ${formatCount(more)} more` : '';
  return { fault: `Each line takes ${EXPECTED.records}. Change ${quoted.join(', ')}${others}.` };
}

function writeInput(typed: TypedWatch, lines: readonly Line[], records: ListedRecord[]): WatchInput {
  const { kind, name, search } = typed;
  const reference = typed.reference.trim();
  const named = { name, reference: reference === '' ? null : reference };
  switch (kind) {
    case 'search':
      return { ...named, search };
    case 'similar':
      return { ...named, similar: writeSimilarInput(search) };
    case 'records':
      return { ...named, records };
    case 'owners':
      return { ...named, owners: lines.map(({ text }) => text) };
  }
}

/** Values as they were typed; the API refuses what is wrong. */
function writeSimilarInput(text: string): SimilarInput {
  const { mark, pairs, filters } = readSimilar(new URLSearchParams(text));
  const listOf = (name: string): string[] | undefined => pairs.find(([known]) => known === name)?.[1].split(',');
  const [strategies, classes] = [listOf('strategies'), listOf('classes')];
  const search = encodePairs(filters).slice(1);
  return {
    mark,
    ...(strategies === undefined ? {} : { strategies: strategies as WatchStrategy[] }),
    ...(classes === undefined ? {} : { classes: classes.map(Number) }),
    ...(search === '' ? {} : { search }),
  };
}

function countEntries(subject: WatchSubject, otherwise: number): number {
  if ('search' in subject) return otherwise;
  return subject.kind === 'records' ? subject.records.length : subject.owners.length;
}

/** The API names members of a body; a person sees fields and lines. */
function explain({ message, param }: ApiError, lines: readonly Line[]): string {
  const [place, index] = /^(?:records|owners)\[(\d+)\](?:\.\w+)?/.exec(message) ?? [];
  if (place !== undefined) return `Line ${lines[Number(index)]?.number ?? index}${message.slice(place.length)}`;
  if (message.startsWith('The body')) return 'The list is too long for one watch. Divide it between watches.';
  return messageOf({
    message: message
      .replace(/^(?:records|owners) /, 'The list ')
      .replace(/^name /, 'The name ')
      .replace(/^reference /, 'Your reference '),
    param,
  });
}

export async function findOwn(call: MemberCall, { database }: { database: Queryable }): Promise<StoredWatch> {
  const id = call.params.id ?? '';
  const watch = WATCH_ID_FORM.test(id) ? await findWatch(database, call.user.customer_id, id) : null;
  if (watch === null) throw pageNotFound();
  return watch;
}

export interface Narrowing {
  readonly message: string;
  /** Null if no click helps. */
  readonly way: { readonly title: string; readonly search: string } | null;
}

const PART_OF_NAME = /^(?<name>mark_name|owner_name|representative_name)_(?<how>contains|startswith)$/;

export function narrowSearch({ code, param = '' }: CallLimit, search: string, registers: readonly string[]): Narrowing {
  const { pairs } = readSearch(new URLSearchParams(search));
  const change = (title: string, changes: Readonly<Record<string, string | null>>): Narrowing['way'] => {
    const kept = pairs.filter(([name]) => !(name in changes));
    const set = Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
    return { title, search: encodePairs([...kept, ...set]).slice(1) };
  };
  const { name, how } = PART_OF_NAME.exec(param)?.groups ?? {};
  if (name !== undefined && code !== 'query_too_broad') {
    const value = findValue(pairs, param);
    const message = `A watch for part of a name needs at least ${NAME_FRAGMENT_MIN} characters of it.`;
    const isBlank = value.trim() === '';
    const title = `Watch for the whole name: ${labelOf(name)}: “${value}”`;
    return { message, way: isBlank ? null : change(title, { [param]: null, [name]: value }) };
  }
  const max = how === 'contains' ? CONTAINS_SCOPE_MAX : JURISDICTIONS_MAX;
  const largest = registers.slice(0, max);
  const title = largest.length === 1 ? 'Watch the only register' : `Watch the ${largest.length} largest registers`;
  const way = largest.length === 0 ? null : change(title, { jurisdiction: largest.join(',') });
  if (name !== undefined) return { message: `A watch for part of a name covers 1 to ${max} registers.`, way };
  if (param !== 'vienna_code') return { message: `A watch covers up to ${max} registers.`, way };
  return { message: 'A watch for a main category of Vienna codes also needs registers or a class.', way };
}
