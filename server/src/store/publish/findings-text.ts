/**
 * Irregularities that a load found, as JSON, in one document or with one line each. Commands and operators' pages give
 * the same bytes. It is written part by part: at most a few rejects are in memory, each of which may have 64 KB.
 */
import type { Queryable } from '../../database/driver/db.ts';
import { type CountedIssue, type IssueFilter, type KeptReject, listIssues, listRejects } from './findings.ts';
import type { LoadSummary } from './loads.ts';

const REJECTS_AT_ONCE = 100;
const ISSUES_AT_ONCE = 500;

interface FindingsAsked extends IssueFilter {
  readonly load: LoadSummary;
  /** At most this many issues, and this many rejects. */
  readonly limitMax: number;
}

/** With a filter, a load has no rejects: they have neither kind nor path. */
export function isFiltered({ code, pathPart }: IssueFilter): boolean {
  return code !== null || pathPart !== null;
}

/** In source order. */
export async function* readRejects(db: Queryable, asked: FindingsAsked): AsyncGenerator<KeptReject> {
  let after = 0;
  for (let left = isFiltered(asked) ? 0 : asked.limitMax; left > 0; left -= REJECTS_AT_ONCE) {
    const limitMax = Math.min(left, REJECTS_AT_ONCE);
    const rejects = await listRejects(db, { loadId: asked.load.load_id, after, limitMax });
    yield* rejects;
    if (rejects.length < limitMax) return;
    after = rejects.at(-1)?.ordinal ?? after;
  }
}

/** Most frequent first. */
async function* readIssues(db: Queryable, asked: FindingsAsked): AsyncGenerator<CountedIssue> {
  const { load, code, pathPart } = asked;
  let after: CountedIssue | null = null;
  for (let left = asked.limitMax; left > 0; left -= ISSUES_AT_ONCE) {
    const limitMax = Math.min(left, ISSUES_AT_ONCE);
    const issues: CountedIssue[] = await listIssues(db, { loadId: load.load_id, code, pathPart, limitMax, after });
    yield* issues;
    if (issues.length < limitMax) return;
    after = issues.at(-1) ?? null;
  }
}

/** `{"load":…,"issues":[…],"rejects":[…]}` */
export async function* writeFindings(db: Queryable, asked: FindingsAsked): AsyncGenerator<string> {
  yield `{"load":${JSON.stringify(asked.load)},"issues":[`;
  yield* joinJson(readIssues(db, asked));
  yield '],"rejects":[';
  yield* joinJson(showSources(readRejects(db, asked)));
  yield ']}\n';
}

/** The load, each issue and each reject on a line, with its type as `finding`. */
export async function* writeFindingLines(db: Queryable, asked: FindingsAsked): AsyncGenerator<string> {
  yield `${JSON.stringify({ finding: 'load', ...asked.load })}\n`;
  for await (const issue of readIssues(db, asked)) yield `${JSON.stringify({ finding: 'issue', ...issue })}\n`;
  for await (const reject of showSources(readRejects(db, asked))) {
    yield `${JSON.stringify({ finding: 'reject', ...reject })}\n`;
  }
}

async function* joinJson(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',';
  }
}

async function* showSources(rejects: AsyncIterable<KeptReject>): AsyncGenerator<object> {
  for await (const { raw, ...reject } of rejects) yield { ...reject, source: raw.toString('utf8') };
}
