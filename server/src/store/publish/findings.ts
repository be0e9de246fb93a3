/**
 * Irregularities that loads found: their issues with examples, and the records that they rejected. They are written
 * while a load runs, and read by operators afterwards.
 */

import { containsAnyCase } from '../../database/driver/any-case.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText } from '../../database/driver/instants.ts';
import { sql } from '../../database/driver/sql.ts';
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
