/**
 * Finds the differences between two versions of a record: fields with their values, the payload by its paths. It
 * follows the rule of the content digest (rules I-22 and I-34): the order of keys and of sets, null versus missing or
 * an empty list, and Unicode normal form are not differences. Pure. The time is linear in the size of both versions.
 */
import {
  CHANGED_FIELDS,
  type ChangedContentField,
  type FieldChange,
  PAYLOAD_PATHS_MAX,
  type PayloadChange,
} from '@tmds/contract/history';
import type { RecordContent } from '@tmds/contract/record';
import { normalForm } from '@tmds/contract/text';
import { isExactNumber, isSetField, writeCanonicalNumber } from './digest.ts';
import { parsePayload } from './payload-form.ts';

type FieldValue = RecordContent[ChangedContentField];

/** The fields that differ, in the order of the record. */
export function listFieldChanges(before: RecordContent, after: RecordContent): FieldChange[] {
  return CHANGED_FIELDS.flatMap((field) => {
    if (field === 'payload' || isSame(field, before[field], after[field])) return [];
    return [{ field, old: before[field], new: after[field] } as FieldChange];
  });
}

function isSame(field: ChangedContentField, one: FieldValue, other: FieldValue): boolean {
  if (one === other) return true;
  if (one === null || other === null) return false;
  return comparedForm(field, one) === comparedForm(field, other);
}

function comparedForm(field: ChangedContentField, value: NonNullable<FieldValue>): string {
  const isSet = isSetField(field) && Array.isArray(value);
  const compared = isSet ? value.map((entry) => normalForm(String(entry))).sort() : value;
  return normalForm(JSON.stringify(compared));
}

/** Two payloads that are larger together are not compared part by part: that would delay everything else. */
const COMPARED_LENGTH_MAX = 4 * 1024 * 1024;
/** A path that would become longer is replaced by the path of the containing object or list. */
const PATH_LENGTH_MAX = 1_000;

/**
 * Where two payloads differ; null if they have the same content. None and an empty one are the same (rule I-42).
 *
 * @param before the JSON text of the payload; null for none.
 */
export function comparePayloads(before: string | null, after: string | null): PayloadChange | null {
  if (before === after) return null;
  const whole: PayloadChange = { field: 'payload', paths: [''], more_paths: 0 };
  if ((before ?? '').length + (after ?? '').length > COMPARED_LENGTH_MAX) return whole;
  const nodes = new NodeNumbers();
  const paths = new Set<string>();
  const [one, other] = [parsePayload(before).payload ?? {}, parsePayload(after).payload ?? {}];
  if ((before === null || after === null) && nodes.of(one) !== nodes.of(other)) return whole;
  collectPaths(one, other, { old: '', new: '' }, { nodes, paths });
  if (paths.size === 0) return null;
  const told = [...paths].slice(0, PAYLOAD_PATHS_MAX);
  return { field: 'payload', paths: told, more_paths: paths.size - told.length };
}

/** Gives equal values one number, so that values of any depth are compared at once. 0: null, missing, an empty list. */
class NodeNumbers {
  readonly #byText = new Map<string, number>();
  readonly #byNode = new Map<object, number>();

  of(value: unknown): number {
    if (value === null || value === undefined) return 0;
    if (typeof value === 'string') return this.#number(`"${normalForm(value)}`);
    if (typeof value !== 'object') return this.#number(JSON.stringify(value));
    const known = this.#byNode.get(value);
    if (known !== undefined) return known;
    const number = Array.isArray(value) && value.length === 0 ? 0 : this.#number(this.#write(value));
    this.#byNode.set(value, number);
    return number;
  }

  #number(text: string): number {
    const number = this.#byText.get(text) ?? this.#byText.size + 1;
    this.#byText.set(text, number);
    return number;
  }

  /** Members by their numbers, so the text is as short as the list of members. */
  #write(value: object): string {
    if (isExactNumber(value)) return writeCanonicalNumber(value);
    if (Array.isArray(value)) return `[${value.map((entry) => this.of(entry)).join(',')}`;
    const members: string[] = [];
    for (const [key, member] of Object.entries(value)) {
      const number = this.of(member);
      if (number !== 0) members.push(`${JSON.stringify(normalForm(key))}:${number}`);
    }
    return `{${members.sort().join(',')}`;
  }
}

/** The places of two compared values, each in its own version. They differ below entries of lists that moved. */
interface Places {
  readonly old: string;
  readonly new: string;
}

interface Comparison {
  readonly nodes: NodeNumbers;
  readonly paths: Set<string>;
}

function collectPaths(before: unknown, after: unknown, places: Places, comparison: Comparison): void {
  if (comparison.nodes.of(before) === comparison.nodes.of(after)) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    collectListPaths(before, after, places, comparison);
    return;
  }
  if (!isObject(before) || !isObject(after)) {
    comparison.paths.add(after === undefined ? places.old : places.new);
    return;
  }
  const [one, other] = [readMembers(before), readMembers(after)];
  for (const key of new Set([...other.keys(), ...one.keys()])) {
    collectPaths(one.get(key), other.get(key), joinPlaces(places, key, key), comparison);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

function readMembers(value: Readonly<Record<string, unknown>>): Map<string, unknown> {
  return new Map(Object.entries(value).map(([key, member]) => [normalForm(key), member]));
}

/**
 * Entries that both lists have are ignored, wherever they are. If equally many entries are left on either side, they
 * were changed in place and are compared one by one; otherwise entries were added or removed. If none is left, only the
 * order differs, which is a difference of the list.
 */
function collectListPaths(
  before: readonly unknown[],
  after: readonly unknown[],
  places: Places,
  comparison: Comparison,
): void {
  const { nodes, paths } = comparison;
  const gone = listUnmatched(before, after, nodes);
  const added = listUnmatched(after, before, nodes);
  if (gone.length === 0 && added.length === 0) {
    paths.add(places.new);
  } else if (gone.length === added.length) {
    for (const [position, index] of added.entries()) {
      const oldIndex = gone[position]!;
      collectPaths(before[oldIndex], after[index], joinPlaces(places, String(oldIndex), String(index)), comparison);
    }
  } else {
    for (const index of added) paths.add(joinPath(places.new, String(index)));
    for (const index of gone) paths.add(joinPath(places.old, String(index)));
  }
}

/** The places of the entries of a list that the other one lacks, or has less often. */
function listUnmatched(list: readonly unknown[], other: readonly unknown[], nodes: NodeNumbers): number[] {
  const counts = new Map<number, number>();
  for (const entry of other) counts.set(nodes.of(entry), (counts.get(nodes.of(entry)) ?? 0) + 1);
  const unmatched: number[] = [];
  for (const [index, entry] of list.entries()) {
    const count = counts.get(nodes.of(entry)) ?? 0;
    if (count === 0) unmatched.push(index);
    else counts.set(nodes.of(entry), count - 1);
  }
  return unmatched;
}

function joinPlaces(places: Places, oldKey: string, newKey: string): Places {
  return { old: joinPath(places.old, oldKey), new: joinPath(places.new, newKey) };
}

/** RFC 6901. */
function joinPath(path: string, key: string): string {
  const joined = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return joined.length > PATH_LENGTH_MAX ? path : joined;
}
