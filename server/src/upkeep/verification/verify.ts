/**
 * Checks that the stored data agrees with itself: rows with the digests and counts that publishes kept, units of a
 * month with those of its days, the disk with its checksums. It reads in ranges of publishes, a few seconds each, so
 * that neither memory nor snapshots grow with the registers, and a publish between two of them is no difference. It
 * repairs nothing: any difference was caused by something other than this service.
 */
import { askEachNode } from '../../database/distributed/nodes.ts';
import { setOnNodes } from '../../database/distributed/settings.ts';
import type { Database, Queryable } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import { BEFORE_ALL } from '../../database/readers/publish-state.ts';
import { checkDocuments } from '../../store/documents/check.ts';
import { readSettled } from '../../store/publish/announce.ts';
import { listRanges, type PublishedRange } from '../../store/publish/publishes.ts';
import { digestOf } from '../../store/publish/verification.ts';
import { checkIndexes } from '../health/checks.ts';
import { checkFeed } from '../health/feed-health.ts';
import { checkHistory, lacksPredecessor } from './verify-history.ts';

export interface VerifyFinding {
  readonly subject: 'feed' | 'indexes' | 'registers' | 'records' | 'payloads' | 'history' | 'units' | 'storage';
  readonly seen: string;
  /** Null if nothing is wrong. */
  readonly remedy: string | null;
}

export interface VerifyOptions {
  /** Without a statement timeout. */
  readonly db: Database;
  readonly horizonSeconds: number;
  /** Leaves out every check that reads all records. */
  readonly quick: boolean;
  readonly onProgress?: (at: { readonly done: number; readonly total: number }) => void;
}

/** Records that one statement reads: a second or two of work. */
const RANGE_RECORDS = 50_000;
/** Most examples in one finding. */
const SHOWN_MAX = 5;

const RESTORE = 'restore a backup that verifies, then load the files that came since';

/** At least one finding for each subject; all are checked, regardless of earlier findings. */
export async function verifyDatabase(options: VerifyOptions): Promise<VerifyFinding[]> {
  const { db, horizonSeconds } = options;
  const feed = await checkFeed(db, { horizonSeconds });
  const findings: VerifyFinding[] = feed.map(({ seen, remedy }) => ({ subject: 'feed', seen, remedy }));
  if (feed.length === 0) findings.push(right('feed', 'no record is stamped later than a publish'));
  findings.push({ subject: 'indexes', ...(await checkIndexes(db)) });
  findings.push(await checkRegisters(db), await checkUnits(db), await checkStorage(db));
  if (options.quick) return findings;
  return [
    ...findings,
    ...(await checkRecords(options)),
    await checkPayloads(db),
    ...(await checkPacked(db)),
    ...(await checkVersions(options)),
  ];
}

function right(subject: VerifyFinding['subject'], seen: string): VerifyFinding {
  return { subject, seen, remedy: null };
}

/** The first few of the findings, and their number. */
function listed(all: readonly string[]): string {
  const more = all.length > SHOWN_MAX ? ` and ${(all.length - SHOWN_MAX).toLocaleString('en-US')} more` : '';
  return `${all.slice(0, SHOWN_MAX).join('; ')}${more}`;
}

/** The counts that are served, against what publishes kept. */
async function checkRegisters(db: Queryable): Promise<VerifyFinding> {
  const rows = await db.query<{ code: string; served: number | null; kept: number | null }>(sql`
    select coalesce(register.jurisdiction_code, summed.jurisdiction_code) as code,
      register.record_count::float8 as served, summed.record_count::float8 as kept
    from register full join (
      select jurisdiction_code, sum(record_count) as record_count from publish_digest group by jurisdiction_code
    ) as summed using (jurisdiction_code) order by 1`);
  const wrong = rows.filter(({ served, kept }) => (served ?? -1) !== (kept ?? 0));
  if (wrong.length === 0) return right('registers', `${rows.length} registers have the counts that publishes kept`);
  const seen = wrong.map(
    ({ code, served, kept }) => `${code} is served as ${served ?? 'none'}, publishes kept ${kept ?? 'none'}`,
  );
  return { subject: 'registers', seen: `counts differ: ${listed(seen)}`, remedy: RESTORE };
}

/** For a month that has ended, days may have been removed. */
async function checkUnits(db: Queryable): Promise<VerifyFinding> {
  const wrong = await db.query<{ key_id: string; product: string; used: number; summed: number }>(sql`
    select p.key_id, p.product, p.units_used::float8 as used, coalesce(days.units, 0)::float8 as summed
    from key_product p left join lateral (
      select sum(u.units) as units from usage_by_day u
      where u.key_id = p.key_id and u.product = p.product
        and u.day >= p.month and u.day < p.month + interval '1 month'
    ) as days on true
    where p.month >= date_trunc('month', now() at time zone 'UTC')::date
      and p.units_used <> coalesce(days.units, 0)
    order by p.key_id, p.product`);
  if (wrong.length === 0) return right('units', 'the units of every key are the sum of its days');
  const seen = wrong.map(
    ({ key_id, product, used, summed }) => `${key_id} (${product}) has used ${used}, its days make ${summed}`,
  );
  const remedy = 'something other than tmds wrote key_product or usage_day; bill by tmds usage, which shows the days';
  return { subject: 'units', seen: `units differ: ${listed(seen)}`, remedy };
}

const CHECKSUMS = sql`
  select json_build_object('enabled', current_setting('data_checksums')::bool, 'failures',
    coalesce((select sum(checksum_failures) from pg_stat_database where datname = current_database()), 0))`;

/** PostgreSQL counts the pages that it read and found damaged, on every node. */
async function checkStorage(db: Queryable): Promise<VerifyFinding> {
  const nodes = await askEachNode<{ enabled: boolean; failures: number }>(db, CHECKSUMS);
  const failures = nodes.reduce((sum, node) => sum + node.failures, 0);
  if (failures > 0) {
    const seen = `${failures} pages had wrong checksums: the disk or the memory of the machine is failing`;
    return { subject: 'storage', seen, remedy: `move to another machine, and ${RESTORE}` };
  }
  if (nodes.every(({ enabled }) => enabled)) return right('storage', 'no page that was read had a wrong checksum');
  return right('storage', 'pages have no checksums, so damage of the disk is not noticed');
}

interface RangeRow {
  records: number;
  /** JSON: the first few differences, and how many there are. */
  differences: string;
  misstated: number;
  example: string | null;
  /** Records whose previous version is not kept. */
  unpreceded: number;
  unpreceded_example: string | null;
}

/**
 * Every record is read twice: along the index of the change feed, where its digest is computed and compared with the
 * one that its publish kept, and along the table, where it is only counted.
 */
async function checkRecords({ db, onProgress }: VerifyOptions): Promise<VerifyFinding[]> {
  const before = await countStored(db);
  const ranges = await listRanges(db, RANGE_RECORDS);
  const total = ranges.reduce((sum, range) => sum + range.records, 0);
  const last: PublishedRange = { after: ranges.at(-1)?.through ?? BEFORE_ALL, through: 'infinity', records: 0 };
  const differing: string[] = [];
  const misstated: string[] = [];
  const unpreceded: string[] = [];
  let done = 0;
  for (const range of [...ranges, last]) {
    const row = await readSettled(db, (tx) => checkRange(tx, range));
    done += row.records;
    onProgress?.({ done, total });
    differing.push(...(JSON.parse(row.differences) as string[]));
    if (row.misstated > 0) misstated.push(`${row.misstated} such as ${row.example}`);
    if (row.unpreceded > 0) unpreceded.push(`${row.unpreceded} such as ${row.unpreceded_example}`);
  }
  const findings: VerifyFinding[] = [];
  if (differing.length > 0) {
    const seen = `records are not what was published: ${listed(differing)}`;
    findings.push({ subject: 'records', seen, remedy: RESTORE });
  }
  if (misstated.length > 0) {
    const seen = `records do not state their own register, uid and stamp: ${listed(misstated)}`;
    findings.push({ subject: 'records', seen, remedy: RESTORE });
  }
  if (unpreceded.length > 0) {
    findings.push({
      subject: 'history',
      seen: `the previous version is not kept of ${listed(unpreceded)}`,
      remedy: RESTORE,
    });
  }
  const { records, lastStamp } = await countStored(db);
  // A record that was published in the meantime may have been read twice.
  if (lastStamp === before.lastStamp && done !== records) {
    const seen = `an index of the table record finds ${done} records, the table holds ${records}`;
    findings.push({ subject: 'records', seen, remedy: 'run in psql: reindex table record; then verify again' });
  }
  if (findings.length > 0) return findings;
  return [right('records', `${done.toLocaleString('en-US')} records are what was published, by count and digest`)];
}

async function checkRange(tx: Queryable, { after, through }: PublishedRange): Promise<RangeRow> {
  const within = sql`updated_at > ${after}::timestamptz and updated_at <= ${through}::timestamptz`;
  const stated = sql`
    starts_with(detail, '{"jurisdiction_code":' || to_json(jurisdiction_code)::text || ',"uid":' || to_json(uid)::text)
      and right(detail, 43) = '"updated_at":"' || ${instantText(sql`updated_at`)} || '"}'`;
  const unpreceded = lacksPredecessor(sql`record`, sql`record.first_seen_at`);
  const [row] = await tx.query<RangeRow>(sql`
    with found as materialized (
      select jurisdiction_code, updated_at, count(*)::int4 as record_count, bit_xor(${digestOf(sql`detail`)}) as digest,
        count(*) filter (where not (${stated})) as misstated, min(uid) filter (where not (${stated})) as example,
        count(*) filter (where ${unpreceded}) as unpreceded, min(uid) filter (where ${unpreceded}) as unpreceded_example
      from record where ${within} group by jurisdiction_code, updated_at
    ), kept as (
      select jurisdiction_code, updated_at, record_count, digest from publish_digest where ${within}
    ), differing as (
      select format('%s published at %s: %s records, %s kept%s', jurisdiction_code, ${instantText(sql`updated_at`)},
        coalesce(found.record_count, 0), coalesce(kept.record_count, 0),
        case when found.record_count = kept.record_count then ', another digest' else '' end) as difference
      from found full join kept using (jurisdiction_code, updated_at)
      where found.record_count is distinct from kept.record_count or found.digest is distinct from kept.digest
    )
    select (select coalesce(sum(record_count), 0) from found)::float8 as records,
      (select coalesce(json_agg(difference), '[]') from differing)::text as differences,
      (select coalesce(sum(misstated), 0) from found)::float8 as misstated,
      (select min(jurisdiction_code || ' ' || example) from found where example is not null) as example,
      (select coalesce(sum(unpreceded), 0) from found)::float8 as unpreceded,
      (select min(jurisdiction_code || ' ' || unpreceded_example) from found) as unpreceded_example`);
  return row!;
}

/** The records of the table, without its indexes, and the last stamp of any record. */
async function countStored(db: Database): Promise<{ records: number; lastStamp: string | null }> {
  return await db.transaction(async (tx) => {
    await setOnNodes(tx, { enable_indexscan: 'off', enable_indexonlyscan: 'off', enable_bitmapscan: 'off' });
    const [row] = await tx.query<{ records: number; lastStamp: string | null }>(sql`
      select (select count(*) from record)::float8 as records,
        (select max(updated_at) from publish_digest)::text as "lastStamp"`);
    return row!;
  });
}

async function checkVersions({ db }: VerifyOptions): Promise<VerifyFinding[]> {
  const { versions, broken, unnamed } = await checkHistory(db);
  const findings: VerifyFinding[] = [];
  if (broken !== null) {
    const seen = `versions that were kept do not follow one another, such as ${broken}`;
    findings.push({ subject: 'history', seen, remedy: RESTORE });
  }
  if (unnamed > 0) {
    const seen = `${unnamed} versions or publishes do not lead to a load`;
    findings.push({
      subject: 'history',
      seen,
      remedy: `something other than tmds deleted publishes or loads: ${RESTORE}`,
    });
  }
  if (findings.length > 0) return findings;
  return [right('history', `${versions.toLocaleString('en-US')} past versions each lead to the next one`)];
}

async function checkPayloads(db: Queryable): Promise<VerifyFinding> {
  const [found] = await db.query<{ orphans: number; example: string | null }>(sql`
    select count(*)::float8 as orphans, min(jurisdiction_code || ' ' || uid) as example from payload p
    where not exists (select 1 from record r where r.jurisdiction_code = p.jurisdiction_code and r.uid = p.uid)`);
  if (found!.orphans === 0) return right('payloads', 'every payload belongs to a record');
  const seen = `${found!.orphans} payloads have no record, such as ${found!.example}`;
  return { subject: 'payloads', seen, remedy: `something other than tmds deleted records: ${RESTORE}` };
}

/** No finding if every payload is text. */
async function checkPacked(db: Queryable): Promise<VerifyFinding[]> {
  const { documents, lost } = await checkDocuments(db);
  if (lost.length > 0) {
    const remedy =
      'bring the store of objects back to what it held, or restore a backup; load the records again otherwise';
    return [{ subject: 'payloads', seen: `payloads cannot be read as they were written, such as ${lost[0]}`, remedy }];
  }
  if (documents === 0) return [];
  return [right('payloads', `${documents.toLocaleString('en-US')} packed payloads are what was written, by digest`)];
}
