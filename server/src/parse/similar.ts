/**
 * What a caller probably meant by a name or value that does not exist. It decides which known names are close to it,
 * and to which parameters a field of a record leads. Names longer than `ASKED_MAX` are compared with nothing, so the
 * work is bounded.
 */
import type { FilterName } from '@tmds/contract/parameters';
import type { TrademarkDetail } from '@tmds/contract/record';

const SIMILAR_MAX = 4;
/** Shorter names occur in too many others. */
const CONTAINED_LENGTH_MIN = 4;
/** Names that differ in more letters are different names. */
const EDITS_MAX = 3;
/** Longer texts are not misspellings of a name. In UTF-16 units. */
const ASKED_MAX = 50;

/** The fields of a record whose name is not a filter, each with the parameters that select by it or deliver it. */
const FIELD_PARAMETERS: Readonly<
  Record<Exclude<keyof TrademarkDetail, FilterName>, readonly (FilterName | 'expand' | 'since')[]>
> = {
  jurisdiction_code: ['jurisdiction'],
  uid: [],
  tm5_status: ['status'],
  renewal_date: [],
  external_update_date: [],
  nice_classes: ['nice_class', 'nice_class_all'],
  vienna_codes: ['vienna_code'],
  owner_names: ['owner_name', 'owner_name_contains', 'owner_name_startswith'],
  owner_countries: ['owner_country'],
  representative_names: ['representative_name', 'representative_name_contains', 'representative_name_startswith'],
  international_registration_numbers: ['international_registration_number'],
  priority_numbers: ['priority_number'],
  designated_countries: ['designated_country'],
  record_update_date: [],
  first_seen_at: [],
  updated_at: ['updated_since', 'updated_before', 'since'],
  payload: ['expand'],
};

/**
 * The rest of a sentence about a parameter that an endpoint does not define: which parameters were probably meant, or
 * that none selects by this field of a record. Empty if nothing is close.
 *
 * @param known the parameters of the endpoint.
 */
export function hintAtParameter(known: readonly string[], asked: string): string {
  const name = asked
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll('-', '_');
  if (name.length <= ASKED_MAX && Object.hasOwn(FIELD_PARAMETERS, name)) return hintAtField(known, name);
  const fields = Object.entries<readonly string[]>(FIELD_PARAMETERS);
  const candidates = [...known, ...fields.filter(([, leads]) => leads.some(isIn(known))).map(([field]) => field)];
  const leads = listSimilar(candidates, name).flatMap((found) => leadsOf(known, found));
  return askWhether([...new Set(leads)]);
}

const isIn =
  (known: readonly string[]) =>
  (name: string): boolean =>
    known.includes(name);

function leadsOf(known: readonly string[], name: string): readonly string[] {
  if (known.includes(name)) return [name];
  return (FIELD_PARAMETERS as Readonly<Record<string, readonly string[]>>)[name]!.filter(isIn(known));
}

function hintAtField(known: readonly string[], field: string): string {
  const leads = leadsOf(known, field);
  return leads.length > 0 ? askWhether(leads) : `; no parameter here selects records by the field ${field}`;
}

/** The rest of a sentence about a value that is not one of the known ones; empty if none is close. */
export function hintAtValue(known: readonly string[], asked: string): string {
  return askWhether(listSimilar(known, asked.toLowerCase()));
}

function askWhether(meant: readonly string[]): string {
  return meant.length === 0 ? '' : `; did you mean ${meant.slice(0, SIMILAR_MAX).join(' or ')}?`;
}

/**
 * The known names that are a few letters away from `asked`, contain it or occur in it, as `since` does in
 * `updated_since`; the closest first.
 *
 * @param asked in lower case.
 */
function listSimilar(known: readonly string[], asked: string): string[] {
  if (asked.length > ASKED_MAX) return [];
  return known
    .map((name) => ({ name, distance: distanceOf(name.toLowerCase(), asked) }))
    .filter(({ distance }) => distance !== null)
    .sort((one, other) => one.distance! - other.distance! || one.name.length - other.name.length)
    .map(({ name }) => name)
    .slice(0, SIMILAR_MAX);
}

/** How far a name is from what was asked for; null if they have nothing to do with each other. */
function distanceOf(name: string, asked: string): number | null {
  const most = Math.min(EDITS_MAX, Math.floor(asked.length / 3));
  // Most names differ too much in length, and need no comparison.
  const edits = Math.abs(name.length - asked.length) > most ? Number.POSITIVE_INFINITY : countEdits(name, asked);
  if (edits <= most) return edits;
  const [short, long] = name.length < asked.length ? [name, asked] : [asked, name];
  return short.length >= CONTAINED_LENGTH_MIN && long.includes(short) ? long.length : null;
}

/** Letters added, dropped, changed, or exchanged with their neighbour. */
function countEdits(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const changed = last[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swapped = isSwapped && row > 1 && column > 1 ? before[column - 2]! + 1 : changed;
      current.push(Math.min(changed, swapped, last[column]! + 1, current[column - 1]! + 1));
    }
    before = last;
    last = current;
  }
  return last[other.length]!;
}
