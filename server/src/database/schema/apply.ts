/**
 * Runs the steps of one migration, each exactly once however often it is killed, and by one process at a time. It waits
 * for a lock for less than a second, because everybody behind it waits too, then steps back and tries again.
 * Invariant: a step is noted in the transaction that it ran in; a step without a transaction can be repeated.
 */
import type { Clock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import { causeOf, NoAnswer } from '../../base/no-answer.ts';
import type { Database, Queryable, Transaction } from '../driver/db.ts';
import { errorCode, isLockRefused, isOutdatedPlan } from '../driver/failures.ts';
import { sql } from '../driver/sql.ts';
import { LOCK_SPACE, MIGRATION_LOCK, PROGRAM_LOCK_SPACE } from './locks.ts';
import { type MigrationPlan, planMigration, type Step } from './steps.ts';

const LOCK_TIMEOUT_MS = 800;
const RETRY_MS = 200;
/** Attempts to get a lock, for a step or a batch. */
const ATTEMPTS_MAX = 120;

/**
 * The tables in which migrations are noted. Running this again does no harm: `to_regclass` may answer from before the
 * lock was taken, because a running transaction sees new tables only when it locks one.
 */
const BOOKS = `
create table if not exists migration (
  number int primary key,
  name text not null,
  applied_at timestamptz not null default clock_timestamp(),
  works_since int
);
comment on column migration.works_since is
  'Programs of this schema version and newer work with the schema; null: only programs that know the migration';
create table if not exists migration_step (
  number int not null,
  step int not null,
  primary key (number, step)
);
comment on table migration_step is 'Steps, from 0, of the migration that has begun and is not recorded yet';
`;

export interface Application {
  readonly database: Database;
  readonly number: number;
  readonly name: string;
  readonly plan: MigrationPlan;
  readonly clock: Clock;
  /** Called with each step that is about to run. */
  readonly note: (line: string) => void;
}

/** The result of an attempt: `busy` = another process migrates; `more` = a batch ran, and there may be others. */
type Outcome = 'done' | 'more' | 'busy';

/** False if another process had applied it. Throws OperatorError if it fails. */
export async function applySteps(application: Application): Promise<boolean> {
  const { plan, name, note } = application;
  let ran = false;
  for (const [position, step] of plan.steps.entries()) {
    if (plan.steps.length > 1) note(`${name}: step ${position + 1} of ${plan.steps.length}, ${step.words}`);
    ran = (await runPatiently(application, position, step)) || ran;
  }
  return ran;
}

/** False if the step had been done. */
async function runPatiently(application: Application, position: number, step: Step): Promise<boolean> {
  const { name, clock } = application;
  let ran = false;
  const mark = (): void => {
    ran = true;
  };
  for (let attempt = 1; ; ) {
    try {
      const outcome = await runStep(application, position, step, mark);
      if (outcome === 'done') return ran;
      attempt = 1;
      if (outcome === 'busy') await clock.sleep(RETRY_MS);
    } catch (error) {
      if (!isLockRefused(error)) throw error;
      if (attempt === ATTEMPTS_MAX) {
        const reason = 'a server, a load or another session holds a lock on what it changes';
        const remedy = 'stop them, then migrate again';
        throw new OperatorError(`migration ${name} cannot proceed: ${reason}; ${remedy}`, { cause: error });
      }
      attempt += 1;
      await clock.sleep(RETRY_MS);
    }
  }
}

function runStep(application: Application, position: number, step: Step, mark: () => void): Promise<Outcome> {
  return step.kind === 'alone'
    ? runOutside(application, position, step, mark)
    : runWithin(application, position, step, mark);
}

/** Makes the tables in which migrations are noted. */
export async function keepBooks(database: Database, clock: Clock): Promise<void> {
  const areWhole = async (db: Queryable): Promise<boolean> => {
    const [books] = await db.query<{ whole: boolean }>(sql`select to_regclass('migration_step') is not null as whole`);
    return books!.whole;
  };
  if (await areWhole(database)) return;
  await runAlone(database, clock, async (tx) => {
    if (!(await areWhole(tx))) await tx.runScript(BOOKS);
  });
}

/**
 * Notes a baseline instead of the migrations that made the schema so far, since the schema is the same, and changes
 * nothing else: when the database was made stays known. False if another process did it.
 */
export async function takeOver({ database, number, name, plan, clock }: Application): Promise<boolean> {
  return await runAlone(database, clock, async (tx) => {
    if (await isDone(tx, number, 0)) return false;
    await tx.query(sql`
      with former as (delete from migration returning applied_at)
      insert into migration (number, name, applied_at, works_since)
      select ${number}::int, ${name}, min(applied_at), ${plan.worksSince}::int from former`);
    return true;
  });
}

/** Runs in one transaction, as soon as no other process migrates. */
async function runAlone<Result>(
  database: Database,
  clock: Clock,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const ran = await database.transaction(async (tx) => ((await tryAlone(tx)) ? { result: await work(tx) } : null));
    if (ran !== null) return ran.result;
    await clock.sleep(RETRY_MS);
  }
}

/** Held until the transaction ends. Waiting for the lock is bounded for everything that follows. */
async function tryAlone(tx: Transaction): Promise<boolean> {
  // It tries and does not wait: a waiting session holds a snapshot, and a process that builds an index waits for that
  // to end.
  const [lock] = await tx.query<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK_SPACE}::int, ${MIGRATION_LOCK}::int) as taken`,
  );
  if (lock!.taken) await tx.query(sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`);
  return lock!.taken;
}

async function runWithin(application: Application, position: number, step: Step, mark: () => void): Promise<Outcome> {
  const { database, name, number, plan } = application;
  return await database.transaction(async (tx) => {
    if (!(await tryAlone(tx))) return 'busy';
    if (await isDone(tx, number, position)) return 'done';
    await lockOutPrograms(tx, plan.worksSince ?? number);
    const rows = await tx.runScript(step.text).catch((error: unknown) => {
      throw explain(error, name);
    });
    mark();
    if (step.kind === 'batches' && rows > 0) return 'more';
    await noteDone(tx, application, position);
    return 'done';
  });
}

/** An index that a killed build left is not valid, and is built again. */
async function runOutside(application: Application, position: number, step: Step, mark: () => void): Promise<Outcome> {
  const { database, name, number } = application;
  return await database.session(async (session) => {
    const [lock] = await session.query<{ taken: boolean }>(
      sql`select pg_try_advisory_lock(${LOCK_SPACE}::int, ${MIGRATION_LOCK}::int) as taken`,
    );
    if (!lock!.taken) return 'busy';
    // It waits until every older transaction has ended; nobody waits for it in the meantime.
    await session.query(
      sql`select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)`,
    );
    if (await isDone(session, number, position)) return 'done';
    mark();
    const found = step.builds === null ? null : await findIndex(session, step.builds);
    if (found !== null && !found.valid) await session.runScript(`drop index concurrently ${step.builds}`);
    if (found === null || !found.valid) {
      await session.runScript(step.text).catch((error: unknown) => {
        throw explain(error, name);
      });
    }
    await noteDone(session, application, position);
    return 'done';
  });
}

async function findIndex(db: Queryable, index: string): Promise<{ valid: boolean } | null> {
  const [found] = await db.query<{ valid: boolean }>(
    sql`select indisvalid as valid from pg_index where indexrelid = to_regclass(${index}::text)`,
  );
  return found ?? null;
}

async function isDone(db: Queryable, number: number, position: number): Promise<boolean> {
  const found = await db.query(sql`
    select from migration where number >= ${number}::int
    union all select from migration_step where number = ${number}::int and step = ${position}::int limit 1`);
  return found.length > 0;
}

/** The last step records the migration. */
async function noteDone(db: Queryable, { number, name, plan }: Application, position: number): Promise<void> {
  if (position < plan.steps.length - 1) {
    await db.query(sql`insert into migration_step (number, step) values (${number}, ${position})`);
    return;
  }
  await db.query(sql`
    with finished as (delete from migration_step where number = ${number})
    insert into migration (number, name, works_since) values (${number}, ${name}, ${plan.worksSince})`);
}

/**
 * Waits until no program of a schema version below `since` answers or loads; such programs see the wait and release.
 */
async function lockOutPrograms(tx: Transaction, since: number): Promise<void> {
  await tx.query(sql`
    select pg_advisory_xact_lock(${PROGRAM_LOCK_SPACE}::int, version)
    from generate_series(0, ${since}::int - 1) version`);
}

/**
 * Creates the schema of these migrations in a schema without any of their tables, in the caller's transaction, and
 * keeps programs and other migrations away until that ends. `clear` runs in between, when they are away.
 */
export async function makeSchema(
  tx: Transaction,
  migrations: readonly { readonly number: number; readonly name: string; readonly text: string }[],
  clear: () => Promise<void>,
): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${MIGRATION_LOCK}::int)`);
  await lockOutPrograms(tx, migrations.at(-1)!.number + 1);
  await clear();
  await tx.runScript(BOOKS);
  for (const migration of migrations) {
    const { number, name } = migration;
    const { steps, worksSince } = planMigration(migration);
    for (const { text } of steps) {
      // Nobody reads or writes the new tables, so nothing has to be built concurrently.
      await tx.runScript(text.replace(/ concurrently /g, ' ')).catch((error: unknown) => {
        throw explain(error, name);
      });
    }
    await tx.query(sql`insert into migration (number, name, works_since) values (${number}, ${name}, ${worksSince})`);
  }
}

function explain(error: unknown, name: string): unknown {
  // A missing table or column means no answer to a call, but a fault of the script in a migration.
  const isFaultOfScript = (cause: unknown): boolean =>
    /^(42|55000)/.test(errorCode(cause) ?? '') || isOutdatedPlan(cause);
  if (error instanceof NoAnswer && !isFaultOfScript(error.cause)) return error;
  const cause = causeOf(error);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(`migration ${name} failed: ${reason}`, { cause: error });
}
