/** How statements that touch records are planned. `npm run plans` prints the plans. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CITUS_VARIABLE } from '../support/cluster.ts';
import { planTasks, type TaskPlans } from '../support/plans.ts';

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
    const single = await planTasks(undefined, { isSingle: true }, (text) => texts.push(inOneLine(text)));
    return { single, texts };
  })();
  return planned;
}

/** Tasks that read a table of records from end to end, on one database and on several nodes. */
const READ_ALL = ['the check of what is stored'];
/** The shards of the test are small enough for their node to read them whole. */
const READ_SHARDS = [...READ_ALL, 'a page of the change feed with payloads', 'publishes for the index'];

function listScans(tasks: readonly TaskPlans[]): string[] {
  const scans = /Seq Scan on (record|payload|record_version)(_shard)?\b/;
  return tasks.filter(({ plans }) => plans.some((plan) => scans.test(plan))).map(({ task }) => task);
}

test('records are found by an index, but for the check of all of them', { timeout: 300_000 }, async () => {
  const { single } = await planSingle();
  assert.deepEqual(listScans(single), READ_ALL);
});

const citus = process.env[CITUS_VARIABLE];

test('nodes find records by an index too', {
  timeout: 300_000,
  skip: citus === undefined && `${CITUS_VARIABLE} names no cluster`,
}, async (t) => {
  const several = await planTasks(t, { isSingle: false });
  for (const task of listScans(several)) assert.ok(READ_SHARDS.includes(task), task);
  const one = several.find(({ task }) => task === 'one record')!;
  assert.match(one.plans.join('\n'), /Task Count: 1\n/);
});

test('every statement that touches records belongs to a task that is planned', { timeout: 300_000 }, async () => {
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
  'store/publish/absent.ts': [
    'then null else false end as before from record left join payload on payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid where record.jurisdiction_code =',
    'select count(*)::float8 as held from record where jurisdiction_code =',
    'as bytes from listed join payload on payload.jurisdiction_code =',
    'as held from looked join payload on payload.jurisdiction_code =',
  ],
  'store/publish/joins.ts': [
    'from payload where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid) as document, record.content_digest, record.source_digest',
  ],
  'store/publish/partials.ts': [
    "as payload, encode(record.content_digest, 'hex') as content_digest from record left join payload using (jurisdiction_code, uid) where jurisdiction_code =",
  ],
  'store/publish/supplements.ts': [
    ") select record.jurisdiction_code, record.uid, named.number from named join record on record.jurisdiction_code = named.code and record.detail::json ->> 'registration_number' = named.number",
  ],
};

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));
const READS_OR_WRITES = /\b(from|join|into|update|copy)\s+(record|payload|record_version)\b/;

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What stands between two values of a statement in the sources, where it names a table of records. */
async function listPieces(): Promise<{ file: string; piece: string }[]> {
  const files = (await readdir(SOURCES, { recursive: true }))
    .filter((name) => /^(database|store|upkeep)\/.*\.ts$/.test(name))
    .sort();
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
