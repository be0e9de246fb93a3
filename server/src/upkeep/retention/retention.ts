/**
 * How long everything is kept: one table of rules, and the job that removes what is older. It deletes a few rows at a
 * time, each time in a separate transaction, so that nothing waits for it; if it is killed, the next run continues. It
 * reads no settings. Records, their past versions, payloads, keys and the history of loads are never removed.
 */
import type { Config } from '../../base/settings.ts';
import type { Database, Queryable } from '../../database/driver/db.ts';
import { identifier, joinSql, type Statement, sql } from '../../database/driver/sql.ts';
import { keepCallDays } from '../../store/accounts/call-log.ts';
import { DISMISSAL_DAYS } from '../../store/accounts/dismissals.ts';
import { MEMORY_DAYS } from '../../store/accounts/docket-memory.ts';
import { DOCKET_DAYS } from '../../store/accounts/dockets.ts';
import type { SessionBounds } from '../../store/accounts/portal.ts';
import { REVOKED_CALENDAR_DAYS } from '../../store/dates/calendars.ts';
import { ENDED_FILING_DAYS } from '../../store/dates/filings.ts';
import { holdDuty } from '../../store/duties/duties.ts';

/** In days; null = without limit. */
export type KeptDays = Pick<Config, Extract<keyof Config, `keep${string}Days`>>;

export interface RetentionOptions {
  readonly days: KeptDays;
  readonly sessions: SessionBounds;
  /** How long attempts to sign in count. */
  readonly attemptSeconds: number;
}

export interface RetentionOutcome {
  readonly rule: string;
  /** Null = without limit, or for as long as the rows themselves say. */
  readonly days: number | null;
  /** Rows that were removed; in a dry run, those that would be. For the call log: its days. */
  readonly removed: number;
  /** False if there is more, which the next run removes. */
  readonly isDone: boolean;
  /** Tables from which the role of this connection may remove nothing: their owner has to. */
  readonly withheld: readonly string[];
}

interface Expiry {
  readonly table: string;
  /** True for rows that may go. */
  readonly expired: Statement;
}

interface Rule {
  readonly name: string;
  readonly days: number | null;
  readonly expiries: readonly Expiry[];
}

function olderThan(column: Statement, days: number): Statement {
  return sql`${column} < now() - make_interval(days => ${days}::int)`;
}

function dayBefore(days: number): Statement {
  return sql`day < (now() at time zone 'UTC')::date - ${days}::int`;
}

/**
 * What goes before the watch itself: the watch then takes few rows with it, and waits for nobody who changes several
 * rows of these.
 */
const OF_WATCHES = [
  'watch_hit',
  'hit_likeness',
  'hit_handling',
  'hit_seen',
  'watch_record',
  'watch_owner',
  'webhook_delivery',
  'calendar',
];

/** The rules. A rule without a limit, or whose rows expire on their own, has no days. */
function listRules({ days, sessions, attemptSeconds }: RetentionOptions): Rule[] {
  const ago = (column: Statement, seconds: number): Statement =>
    sql`${column} < now() - make_interval(secs => ${seconds}::float8)`;
  const limited = (name: string, kept: number | null, expiries: (kept: number) => Expiry[]): Rule => ({
    name,
    days: kept,
    expiries: kept === null ? [] : expiries(kept),
  });
  const ofOldLoads = (kept: number): Statement =>
    sql`load_id in (select load_id from load where ${olderThan(sql`finished_at`, kept)})`;
  return [
    limited('calls', days.keepCallsDays, (kept) => [
      { table: 'call_hour', expired: olderThan(sql`hour`, kept) },
      { table: 'webhook_delivery', expired: olderThan(sql`delivered_at`, kept) },
      { table: 'webhook_test', expired: olderThan(sql`created_at`, kept) },
    ]),
    limited('refusals', days.keepRefusalsDays, (kept) => [{ table: 'refusal_day', expired: dayBefore(kept) }]),
    limited('usage', days.keepUsageDays, (kept) => [
      { table: 'usage_day', expired: dayBefore(kept) },
      { table: 'quota_notice', expired: olderThan(sql`noticed_at`, kept) },
    ]),
    limited('audit', days.keepAuditDays, (kept) => [{ table: 'access_audit', expired: olderThan(sql`at`, kept) }]),
    limited('findings', days.keepFindingsDays, (kept) => [
      { table: 'load_issue', expired: ofOldLoads(kept) },
      // An open reject is a record that is still missing.
      { table: 'load_reject', expired: sql`closed_at is not null and ${ofOldLoads(kept)}` },
    ]),
    limited('watches', days.keepWatchesDays, (kept) => {
      const ended = olderThan(sql`ended_at`, kept);
      const ofEnded = sql`watch_id in (select watch_id from watch where ${ended})`;
      const isOf = (table: string): Statement =>
        sql`exists (select from ${identifier(table)} as held where held.watch_id = watch.watch_id)`;
      const isLeft = joinSql([...OF_WATCHES, 'webhook'].map(isOf), ' or ');
      return [
        ...OF_WATCHES.map((table) => ({ table, expired: ofEnded })),
        { table: 'watch', expired: sql`${ended} and not (${isLeft})` },
      ];
    }),
    limited('dismissals', DISMISSAL_DAYS, (kept) => [
      { table: 'dismissal', expired: olderThan(sql`dismissed_at`, kept) },
    ]),
    limited('dockets', DOCKET_DAYS, (kept) => [{ table: 'docket', expired: olderThan(sql`created_at`, kept) }]),
    limited('calendars', REVOKED_CALENDAR_DAYS, (kept) => [
      {
        table: 'calendar',
        expired: sql`(${olderThan(sql`revoked_at`, kept)} or (docket_id is not null and ${olderThan(sql`created_at`, kept)}))`,
      },
    ]),
    limited('filings', ENDED_FILING_DAYS, (kept) => [
      { table: 'filing_alarm', expired: olderThan(sql`coalesce(dismissed_at, shown_in)`, kept) },
    ]),
    limited('docket memory', MEMORY_DAYS, (kept) => [
      { table: 'docket_memory_row', expired: olderThan(sql`seen_at`, kept) },
    ]),
    {
      name: 'sign-in',
      days: null,
      expiries: [
        {
          table: 'portal_session',
          expired: sql`(${ago(sql`seen_at`, sessions.idleSeconds)} or ${ago(sql`created_at`, sessions.absoluteSeconds)})`,
        },
        { table: 'portal_attempt', expired: ago(sql`started_at`, attemptSeconds) },
        { table: 'portal_form', expired: sql`expires_at < now()` },
        { table: 'portal_reveal', expired: sql`expires_at < now()` },
      ],
    },
  ];
}

/** A reject may have 64 KB. */
const BATCH_ROWS = 1000;
const LOCK_TIMEOUT_MS = 1000;

export interface PruneOptions extends RetentionOptions {
  /** Counts only. */
  readonly dryRun?: boolean;
  /** Batches of one run; default: no limit. */
  readonly batchesMax?: number;
  /** Ends the run after the current batch. */
  readonly signal?: AbortSignal;
}

/** Null if another process holds the duty. */
export async function prune(db: Database, options: PruneOptions): Promise<RetentionOutcome[] | null> {
  const { dryRun = false } = options;
  if (!dryRun) await keepCallDays(db);
  const outcome = await holdDuty(db, 'retention', async ({ session }) => {
    await session.query(sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, false)`);
    return await applyRules(session, options);
  });
  return outcome.held ? outcome.result : null;
}

async function applyRules(session: Queryable, options: PruneOptions): Promise<RetentionOutcome[]> {
  const { dryRun = false, signal } = options;
  const outcomes: RetentionOutcome[] = [];
  let batches = options.batchesMax ?? Number.POSITIVE_INFINITY;
  for (const { name, days, expiries } of listRules(options)) {
    const withheld: string[] = [];
    let removed = 0;
    if (name === 'calls') {
      const dropped = await dropCallDays(session, options.days.keepCallsDays, dryRun);
      removed = dropped.removed;
      if (dropped.isWithheld) withheld.push('call_log');
    }
    let isDone = true;
    for (const expiry of expiries) {
      if (!(await mayDelete(session, expiry))) withheld.push(expiry.table);
      else if (dryRun) removed += await countExpired(session, expiry);
      else {
        const cleared = await clear(session, expiry, () => batches-- > 0 && signal?.aborted !== true);
        removed += cleared.removed;
        isDone &&= cleared.isDone;
      }
    }
    outcomes.push({ rule: name, days, removed, isDone, withheld });
  }
  return outcomes;
}

/**
 * A row that somebody is changing stays, and is judged again with the next run: the job waits for nobody, and removes
 * nothing that has just become current.
 */
async function clear(
  session: Queryable,
  { table, expired }: Expiry,
  mayGoOn: () => boolean,
): Promise<{ removed: number; isDone: boolean }> {
  let removed = 0;
  while (mayGoOn()) {
    const [batch] = await session.query<{ rows: number }>(sql`
      with gone as (
        delete from ${identifier(table)}
        where ctid = any (array(
          select ctid from ${identifier(table)} where ${expired} limit ${BATCH_ROWS}::int for update skip locked))
        returning 1
      ) select count(*)::int4 as rows from gone`);
    removed += batch!.rows;
    if (batch!.rows < BATCH_ROWS) return { removed, isDone: true };
  }
  return { removed, isDone: false };
}

async function countExpired(session: Queryable, { table, expired }: Expiry): Promise<number> {
  const [row] = await session.query<{ rows: number }>(
    sql`select count(*)::float8 as rows from ${identifier(table)} where ${expired}`,
  );
  return row!.rows;
}

/** A server that only serves may neither rewrite the audit nor touch what loads wrote (docs/design/operations.md). */
async function mayDelete(session: Queryable, { table }: Expiry): Promise<boolean> {
  const [right] = await session.query<{ granted: boolean }>(
    sql`select has_table_privilege(${table}::text, 'delete') as granted`,
  );
  return right!.granted;
}

/**
 * A day of the call log is dropped whole, which requires the owner of the tables. Resolves to how many were dropped;
 * withheld if another role owns a day that should be dropped.
 */
async function dropCallDays(
  session: Queryable,
  days: number,
  dryRun: boolean,
): Promise<{ removed: number; isWithheld: boolean }> {
  const old = await session.query<{ name: string; owned: boolean }>(sql`
    select c.relname::text as name, pg_has_role(c.relowner, 'usage') as owned
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass('call_log')
      and c.relname < 'call_log_' || to_char((now() at time zone 'UTC')::date - ${days}::int, 'YYYYMMDD')`);
  const own = old.filter(({ owned }) => owned);
  if (!dryRun) for (const { name } of own) await session.query(sql`drop table ${identifier(name)}`, { prepare: false });
  return { removed: own.length, isWithheld: own.length < old.length };
}
