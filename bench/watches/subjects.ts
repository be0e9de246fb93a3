/** Watches as customers would make them of generated records: about names, owners, numbers, classes, and lists. */
import type { SampleRecord } from '../../server/src/generator/record.ts';
import { checkDeclared, splitQuery } from '../../server/src/parse/query.ts';
import { parseSearch } from '../../server/src/parse/search.ts';
import { parseWatchBody } from '../../server/src/parse/watches.ts';
import { planSearch } from '../../server/src/plan/search.ts';
import { planWatch } from '../../server/src/plan/watches.ts';
import { foldName } from '../../server/src/record/names.ts';
import type { WatchSubject } from '../../server/src/store/watches/watches.ts';

const RECORDS_LISTED = 100;
const OWNERS_LISTED = 5;

type Filters = Readonly<Record<string, string>>;

/** What a search could ask that finds the record; the n-th kind. */
function askFor(record: SampleRecord, kind: number): Filters {
  const { jurisdiction_code: jurisdiction, mark_name, owner_names, nice_classes, owner_countries } = record;
  const word = [...(mark_name ?? 'none')].slice(0, 6).join('').padEnd(3, 'x');
  const owner = owner_names?.[0] ?? 'nobody';
  const kinds: Filters[] = [
    { jurisdiction, mark_name_contains: word },
    { mark_name: mark_name ?? 'none' },
    { owner_name: owner },
    { jurisdiction, owner_name_startswith: owner.slice(0, 8).padEnd(3, 'x') },
    { application_number: record.application_number ?? '1' },
    { jurisdiction, nice_class_all: (nice_classes ?? [9]).join(','), mark_name_startswith: word },
    { nice_class: String(nice_classes?.[0] ?? 9), owner_country: owner_countries?.[0] ?? 'US', owner_name: owner },
    { jurisdiction, vienna_code: record.vienna_codes?.[0] ?? '1.1.1', nice_class: String(nice_classes?.[0] ?? 9) },
    { jurisdiction, opposition_period_end_from: '2026-01-01', mark_name_contains: word },
  ];
  return kinds[kind % kinds.length]!;
}

/** Six of ten are searches, two list records, two list owners. */
export function buildSubject(records: readonly SampleRecord[], number: number): WatchSubject {
  const at = (step: number): SampleRecord => records[(number * 31 + step * 7_919) % records.length]!;
  if (number % 10 < 6) {
    const search = new URLSearchParams(askFor(at(0), Math.floor(number / 10) * 6 + (number % 10))).toString();
    planSearch(parseSearch(checkDeclared('search', splitQuery(search)), null));
    return { kind: 'search', search };
  }
  if (number % 10 < 8) {
    const listed = Array.from({ length: RECORDS_LISTED }, (_, step) => at(step));
    const records = new Map(
      listed.map(({ jurisdiction_code, uid }) => [`${jurisdiction_code} ${uid}`, { jurisdiction_code, uid }]),
    );
    return { kind: 'records', records: [...records.values()] };
  }
  const owners = Array.from({ length: OWNERS_LISTED }, (_, step) => at(step).owner_names?.[0] ?? 'nobody');
  return { kind: 'owners', owners: [...new Set(owners.map(foldName))] };
}

/** A mark of the records with its last letter changed; every other one in a register and for some classes. */
export function buildSimilar(records: readonly SampleRecord[], number: number): WatchSubject {
  const record = records[(number * 97 + 13) % records.length]!;
  const mark = `${[...(record.mark_name ?? 'lumira')].slice(0, 60).slice(0, -1).join('')}a`;
  const search = `jurisdiction=${record.jurisdiction_code}`;
  const similar = number % 2 === 0 ? { mark } : { mark, classes: record.nice_classes ?? [9], search };
  const body = Buffer.from(JSON.stringify({ name: 'similar', similar }));
  return planWatch(parseWatchBody(body, 'application/json')).subject;
}
