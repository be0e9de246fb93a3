/**
 * Irregularities that loads found: their issues with examples, and the records that they rejected. They are written
 * while a load runs, and read by operators afterwards.
 */

import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { containsAnyCase, instantText, type Statement, sql } from '../../database/driver/sql.ts';
import type { Issue } from '../../record/document.ts';

/** Where an issue occurred: in which record, or only where in the source. */
export interface IssueExample {
  jurisdiction_code: string | null;
  uid: string | null;
  /** `odd.ndjson, line 3`; null if the issue has no place in a source. */
  position: string | null;
}

export interface CountedIssue extends Issue {
  count: number;
  /** The first few. */
  examples: IssueExample[];
}

export interface StoredReject {
  /** From 1, along the load. */
  ordinal: number;
  position: string;
  reason: string;
  raw: Buffer;
  /** The record that it states; null if it does not say which. */
  jurisdiction_code: string | null;
  uid: string | null;
}

/** Its current state (`open-rejects.ts`). */
export interface KeptReject extends StoredReject {
  /** Null while it is open. */
  closed_at: string | null;
  closed_by: string | null;
}

export async function insertRejects(db: Queryable, loadId: string, rejects: readonly StoredReject[]): Promise<void> {
  await db.query(sql`
    insert into load_reject (load_id, ordinal, position, reason, raw, jurisdiction_code, uid)
    select ${loadId}::uuid, ordinal, position, reason, decode(raw, 'base64'), jurisdiction_code, uid
    from unnest(${rejects.map((reject) => reject.ordinal)}::int4[], ${rejects.map((reject) => reject.position)}::text[],
      ${rejects.map((reject) => reject.reason)}::text[], ${rejects.map((reject) => reject.raw.toString('base64'))}::text[],
      ${rejects.map((reject) => reject.jurisdiction_code)}::text[], ${rejects.map((reject) => reject.uid)}::text[])
      as rejected (ordinal, position, reason, raw, jurisdiction_code, uid)`);
}

export async function insertIssues(db: Queryable, loadId: string, issues: readonly CountedIssue[]): Promise<void> {
  await db.query(sql`
    insert into load_issue (load_id, code, path, value, occurrence_count, examples)
    select ${loadId}::uuid, code, path, value, count, examples::jsonb
    from unnest(${issues.map((issue) => issue.code)}::text[], ${issues.map((issue) => issue.path)}::text[],
      ${issues.map((issue) => issue.value)}::text[], ${issues.map((issue) => issue.count)}::int8[],
      ${issues.map((issue) => JSON.stringify(issue.examples))}::text[])
      as counted (code, path, value, count, examples)`);
}

/** Adds issues that appear only while the load publishes. */
export async function addIssues(db: Queryable, loadId: string, issues: readonly CountedIssue[]): Promise<void> {
  await insertIssues(db, loadId, issues);
  const count = issues.reduce((sum, issue) => sum + issue.count, 0);
  await db.query(sql`update load set issue_count = issue_count + ${count} where load_id = ${loadId}`);
}

export interface IssueFilter {
  code: string | null;
  /** A part of the path, ignoring case. */
  pathPart: string | null;
}

/** A place in the list of issues. */
export type IssuePosition = Pick<CountedIssue, 'count' | 'code' | 'path' | 'value'>;

/** The issues of a load, most frequent first, after one of them. */
export async function listIssues(
  db: Queryable,
  {
    loadId,
    limitMax,
    code,
    pathPart,
    after = null,
  }: IssueFilter & { loadId: string; limitMax: number; after?: IssuePosition | null },
): Promise<CountedIssue[]> {
  const later =
    after === null
      ? sql``
      : sql`and (-occurrence_count, code, path, value)
          > (-(${after.count}::bigint), ${after.code}, ${after.path}, ${after.value})`;
  const named = pathPart === null ? sql`` : sql`and ${containsAnyCase(sql`path`, pathPart)}`;
  const rows = await db.query<Omit<CountedIssue, 'examples'> & { examples: string }>(sql`
    select code, path, value, occurrence_count::float8 as count, examples from load_issue
    where load_id = ${loadId} and (${code}::text is null or code = ${code}) ${named} ${later}
    order by occurrence_count desc, code, path, value limit ${limitMax}`);
  return rows.map(({ examples, ...issue }) => ({ ...issue, examples: JSON.parse(examples) as IssueExample[] }));
}

/** The rejects of a load after one of them, in source order. */
export async function listRejects(
  db: Queryable,
  { loadId, limitMax, after = 0 }: { loadId: string; limitMax: number; after?: number },
): Promise<KeptReject[]> {
  const rows = await db.query<Omit<KeptReject, 'raw'> & { raw: string }>(sql`
    select ordinal, position, reason, encode(raw, 'base64') as raw, jurisdiction_code, uid,
      ${instantText(sql`closed_at`)} as closed_at, closed_by from load_reject
    where load_id = ${loadId} and ordinal > ${after}
    order by ordinal limit ${limitMax}`);
  return rows.map(({ raw, ...reject }) => ({ ...reject, raw: Buffer.from(raw, 'base64') }));
}

/** Rejects of one load that the database keeps; the file has them all. */
export const STORED_REJECTS_MAX = 10_000;

interface RejectedIdentity {
  jurisdiction_code: string;
  uid: string;
}

/** The open rejects of finished loads that say which record they state. */
export async function listOpenIdentities(db: Queryable): Promise<RejectedIdentity[]> {
  return await db.query<RejectedIdentity>(sql`
    select distinct jurisdiction_code, uid from load_reject
    where closed_at is null and jurisdiction_code is not null and uid is not null`);
}

/** Closes what a load has answered: `stated` are the open identities that it read as records. */
export async function closeAnsweredRejects(
  tx: Transaction,
  loadId: string,
  stated: readonly RejectedIdentity[],
): Promise<void> {
  const close = (answered: Statement): Promise<unknown> =>
    tx.query(sql`update load_reject earlier set closed_at = clock_timestamp(), closed_by = ${loadId}
      where earlier.closed_at is null and earlier.load_id <> ${loadId}::uuid and ${answered}`);
  if (stated.length > 0) {
    const codes = stated.map(({ jurisdiction_code }) => jurisdiction_code);
    const uids = stated.map(({ uid }) => uid);
    await close(sql`(earlier.jurisdiction_code, earlier.uid) in (
      select code, uid from unnest(${codes}::text[], ${uids}::text[]) as stated (code, uid))`);
  }
  // Rejected again: the reject of this load stands for both.
  const own = sql`from load_reject latest where latest.load_id = ${loadId}::uuid`;
  await close(sql`(earlier.jurisdiction_code, earlier.uid) in (
    select latest.jurisdiction_code, latest.uid ${own} and latest.uid is not null)`);
  await close(sql`sha256(earlier.raw) in (select sha256(latest.raw) ${own})`);
  // Exactly the same file again, which was read without this reject.
  await close(sql`exists (
    select from load_file read join load_file before on before.digest = read.digest and before.load_id = earlier.load_id
    where read.load_id = ${loadId}::uuid and (earlier.position = before.name
      or starts_with(earlier.position, before.name || ',') or starts_with(earlier.position, before.name || '/')))`);
}

/** A load with open rejects. */
export interface OpenRejects {
  load_id: string;
  format: string;
  source: string;
  finished_at: string;
  /** Includes those beyond what the database keeps, until the last one that it keeps is closed. */
  open: number;
}

/** The counts as a load makes them. */
const COUNT = sql`(count(*) + greatest(0, max(load.rejected_count) - ${STORED_REJECTS_MAX}::int))`;

/**
 * Condition for the register that the reject names. If it names none, or its load did not touch that one: the registers
 * that its load touched, or that other rejects of that load name.
 */
function isOf(register: Statement): Statement {
  const touched = (code: Statement): Statement => sql`exists (select from register_load touched
    where touched.load_id = reject.load_id and touched.jurisdiction_code = ${code})`;
  const named = sql`exists (select from load_reject other
    where other.load_id = reject.load_id and other.jurisdiction_code = ${register})`;
  return sql`(reject.jurisdiction_code = ${register} or case when reject.jurisdiction_code is null
    then ${touched(register)} or ${named}
    else ${touched(register)} and not ${touched(sql`reject.jurisdiction_code`)} end)`;
}

/** How many rejects of a register are open, as a subquery. */
export function countOpenRejects(register: Statement): Statement {
  return sql`(select coalesce(sum(each.open), 0)::float8 from (
    select ${COUNT} as open from load_reject reject join load on load.load_id = reject.load_id
    where reject.closed_at is null and load.state = 'finished' and ${isOf(register)} group by reject.load_id) as each)`;
}

/** Newest first. Null in `register` means all. */
export async function listOpenRejects(
  db: Queryable,
  { register, limitMax }: { register: string | null; limitMax: number },
): Promise<OpenRejects[]> {
  return await db.query<OpenRejects>(sql`
    select load.load_id, load.format, load.source, ${instantText(sql`load.finished_at`)} as finished_at,
      ${COUNT}::float8 as open
    from load_reject reject join load on load.load_id = reject.load_id
    where reject.closed_at is null and load.state = 'finished'
      and (${register}::text is null or ${isOf(sql`${register}::text`)})
    group by load.load_id order by load.finished_at desc, load.load_id limit ${limitMax}`);
}

/**
 * `ordinals`: of the load; null for all of them. Resolves to how many were open. Those that a load is answering at this
 * moment are left to it.
 */
export async function closeRejects(
  db: Queryable,
  { loadId, ordinals, actor }: { loadId: string; ordinals: readonly number[] | null; actor: string },
): Promise<number> {
  const closed = await db.query(sql`
    update load_reject reject set closed_at = clock_timestamp(), closed_by = ${actor}
    from (
      select ordinal from load_reject
      where load_id = ${loadId}::uuid and closed_at is null
        and (${ordinals}::int4[] is null or ordinal = any(${ordinals}::int4[]))
      for update skip locked
    ) as open where reject.load_id = ${loadId}::uuid and reject.ordinal = open.ordinal
    returning 1`);
  return closed.length;
}

export async function countOpenOfLoad(db: Queryable, loadId: string): Promise<number> {
  const [found] = await db.query<{ open: number }>(sql`
    select ${COUNT}::float8 as open from load_reject reject join load on load.load_id = reject.load_id
    where reject.load_id = ${loadId}::uuid and reject.closed_at is null and load.state = 'finished'
    having count(*) > 0`);
  return found?.open ?? 0;
}
