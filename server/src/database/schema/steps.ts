/**
 * What a migration file says: its steps, and which programs work with the schema it makes. A file without step lines is
 * one step in one transaction. A baseline also names the last migration before it, whose schema it makes. It runs
 * nothing.
 *
 *     -- works with programs since 0001
 *     -- step: add the column
 *     alter table record add column size int;
 *     -- step (batches): fill it
 *     update record set size = … where (jurisdiction_code, uid) in (select … where size is null limit 2000);
 *     -- step (alone): find records by it
 *     create index concurrently record_size on record (size);
 */

/**
 * `transaction`: runs whole or not at all. `batches`: one statement, repeated in separate transactions until it changes
 * no row. `alone`: builds or drops one index outside any transaction, so that nobody waits for it.
 */
export type StepKind = 'transaction' | 'batches' | 'alone';

export interface Step {
  readonly kind: StepKind;
  readonly words: string;
  readonly text: string;
  /** The index that an `alone` step builds; null for one that drops an index, and for other steps. */
  readonly builds: string | null;
}

export interface MigrationPlan {
  /** The oldest schema version whose programs work with the new schema; null = only programs that know it. */
  readonly worksSince: number | null;
  /** Of a baseline: the name of the migration after which a database has its schema already. */
  readonly takesOverFrom: string | null;
  readonly steps: readonly Step[];
}

const STEP_LINE = /^-- step(?: \((?<kind>alone|batches)\))?: (?<words>.+)$/gm;
const BUILD_FORM = /^create (?:unique )?index concurrently (?<builds>[a-z_][a-z0-9_]*) on [^;]+;?$/;
const DROP_FORM = /^drop index concurrently if exists [a-z_][a-z0-9_]*;?$/;

/** Throws an Error that names the migration and what is wrong with it. */
export function planMigration({ number, name, text }: { number: number; name: string; text: string }): MigrationPlan {
  const since = /^-- works with programs since (\d{4})$/m.exec(text)?.[1];
  const worksSince = since === undefined ? null : Number(since);
  const takesOverFrom = /^-- takes over from (\w+\.sql)$/m.exec(text)?.[1] ?? null;
  const lines = [...text.matchAll(STEP_LINE)];
  if (lines.length === 0) {
    return { worksSince, takesOverFrom, steps: [{ kind: 'transaction', words: name, text, builds: null }] };
  }
  const refuse = (reason: string): never => {
    throw new Error(`migration ${name}: ${reason}`);
  };
  if (withoutComments(text.slice(0, lines[0]!.index)) !== '') refuse('a statement stands before the first step');
  // Between steps, programs see a schema that is neither the old nor the new one.
  if (worksSince === null || worksSince >= number)
    refuse('a migration of several steps says "works with programs since"');
  const steps = lines.map((line, position): Step => {
    const body = text.slice(line.index + line[0].length, lines[position + 1]?.index);
    const { kind = 'transaction', words = '' } = line.groups ?? {};
    const statement = withoutComments(body);
    if (statement === '') refuse(`the step "${words}" has no statement`);
    const builds = kind === 'alone' ? (BUILD_FORM.exec(statement)?.groups?.builds ?? null) : null;
    if (kind === 'alone' && builds === null && !DROP_FORM.test(statement)) {
      refuse(`the step "${words}" is neither "create index concurrently …" nor "drop index concurrently if exists …"`);
    }
    return {
      kind: kind as StepKind,
      words,
      text: kind === 'alone' ? statement : body,
      builds,
    };
  });
  return { worksSince, takesOverFrom, steps };
}

function withoutComments(text: string): string {
  return text
    .replace(/^[^\S\n]*--.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}
