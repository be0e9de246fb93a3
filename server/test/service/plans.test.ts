/**
 * The plans of the statements that touch records, as committed in docs/plans.md. `npm run plans -- --citus URL` writes
 * the file again, with the plans of a Citus cluster next to the plans of one database.
 */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findReadingOptions } from '../../src/store/distributed/distribution.ts';
import { CITUS_VARIABLE } from '../support/cluster.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { describePlans, fillForPlans, type TaskPlans } from '../support/plans.ts';

const FILE = fileURLToPath(new URL('../../../docs/plans.md', import.meta.url));

async function planOn(
  t: { after(work: () => Promise<void>): void } | undefined,
  isSingle: boolean,
  noteText?: (text: string) => void,
): Promise<TaskPlans[]> {
  const { db, url } = await createTestDatabase(t, { isSingle });
  await fillForPlans(db);
  const reading = await connectTestDatabase(url, { poolMax: 4, ...(await findReadingOptions(db)) });
  return await describePlans(reading, noteText).finally(() => reading.close());
}

const fence = (plan: string): string => `\`\`\`text\n${plan}\n\`\`\`\n`;

function render(single: readonly TaskPlans[], several: readonly TaskPlans[]): string {
  const parts = single.map(({ task, plans }, index) =>
    [
      `## ${task}\n`,
      'On one database:\n',
      ...plans.map(fence),
      'On a coordinator with two workers:\n',
      ...several[index]!.plans.map(fence),
    ].join('\n'),
  );
  const head = `# Plans

Written by \`npm run plans -- --citus URL\`. Each statement that touches records, as the server plans it for the
sessions that answer calls, with 10,000 records; on several nodes, 4 shards. Rows flow from the inside out. On several
nodes a *task* runs on one shard: *Task Count* says how many shards are asked, and a *Distributed Subplan* is a named
part that runs before what uses it. *Could not get remote plan* stands where the part reads the result of an earlier
one, which is not there until the statement runs.
`;
  return `${head}\n${parts.join('\n')}`;
}

interface Planned {
  readonly single: readonly TaskPlans[];
  /** The statements behind the plans, each in one line. */
  readonly texts: readonly string[];
}

let planned: Promise<Planned> | undefined;

/** On one database, once for all tests. */
function planSingle(): Promise<Planned> {
  planned ??= (async () => {
    const texts: string[] = [];
    const single = await planOn(undefined, true, (text) => texts.push(inOneLine(text)));
    return { single, texts };
  })();
  return planned;
}

test('the plans of one database are those in docs/plans.md', { timeout: 120_000 }, async (t) => {
  const { single } = await planSingle();
  const writes = process.env.TMDS_WRITE_PLANS === '1';
  if (writes && process.env[CITUS_VARIABLE] !== undefined) {
    await writeFile(FILE, render(single, await planOn(t, false)));
    return;
  }
  let committed = await readFile(FILE, 'utf8');
  for (const { task, plans } of single) {
    const start = committed.indexOf(`## ${task}\n`);
    const section = committed.slice(start, committed.indexOf('On a coordinator', start));
    const planned = [`## ${task}\n`, 'On one database:\n', ...plans.map(fence), ''].join('\n');
    // What several nodes do stays as it was written last.
    if (writes) committed = committed.replace(section, () => planned);
    else assert.deepEqual(section, planned, task);
  }
  if (writes) await writeFile(FILE, committed);
});

test('every statement that touches records has a plan in docs/plans.md', { timeout: 120_000 }, async () => {
  const { texts } = await planSingle();
  const unplanned = (await listPieces()).filter(({ piece }) => !texts.some((text) => text.includes(piece)));
  assert.deepEqual(
    unplanned.map(({ file, piece }) => `${file}: ${piece}`),
    Object.entries(UNPLANNED).flatMap(([file, pieces]) => pieces.map((piece) => `${file}: ${piece}`)),
    'without a task in test/support/plans.ts',
  );
});

/**
 * Pieces of statements that no task runs, in the order of their files: COPY has no plan, and those of partial and
 * joined records look up by key what a publish has staged, as the others do.
 */
const UNPLANNED: Readonly<Record<string, readonly string[]>> = {
  // It reads all of a register, by an index that changes with the sizes of two.
  'publish/absent.ts': [
    'then null else false end as before from record left join payload on payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid where record.jurisdiction_code =',
    'select count(*)::float8 as held from record where jurisdiction_code =',
    'as bytes from listed join payload on payload.jurisdiction_code =',
    'as held from looked join payload on payload.jurisdiction_code =',
  ],
  'publish/joins.ts': [
    'from payload where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid) as document, record.content_digest, record.source_digest',
  ],
  'publish/partials.ts': [
    "as payload, encode(record.content_digest, 'hex') as content_digest from record left join payload using (jurisdiction_code, uid) where jurisdiction_code =",
  ],
  'publish/supplements.ts': [
    ") select record.jurisdiction_code, record.uid, named.number from named join record on record.jurisdiction_code = named.code and record.detail::json ->> 'registration_number' = named.number",
  ],
};

const SOURCES = fileURLToPath(new URL('../../src/store', import.meta.url));
const READS_OR_WRITES = /\b(from|join|into|update|copy)\s+(record|payload|record_version)\b/;

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What stands between two values of a statement in the sources, where it names a table of records. */
async function listPieces(): Promise<{ file: string; piece: string }[]> {
  const files = (await readdir(SOURCES, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  const found: { file: string; piece: string }[] = [];
  for (const file of files) {
    const source = await readFile(join(SOURCES, file), 'utf8');
    const pieces = source
      .split(/\bsql`/)
      .slice(1)
      .flatMap((rest) => piecesOf(rest))
      .filter((piece) => READS_OR_WRITES.test(piece));
    for (const piece of new Set(pieces)) found.push({ file, piece });
  }
  return found;
}

/** The text of a template after its beginning, without the values it is given. */
function piecesOf(rest: string): string[] {
  const pieces = [''];
  let depth = 0;
  for (let at = 0; at < rest.length; at += 1) {
    if (depth === 0 && rest[at] === '`') break;
    if (depth === 0 && rest.startsWith('${', at)) {
      depth = 1;
      at += 1;
      pieces.push('');
    } else if (depth > 0) depth += { '{': 1, '}': -1 }[rest[at]!] ?? 0;
    else pieces.push(`${pieces.pop()}${rest[at]}`);
  }
  return pieces.map(inOneLine);
}
