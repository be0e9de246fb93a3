/** The queries of the cookbook run on a replica and find their records by an index; the lists' tables keep in step. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../server/test/support/folder.ts';
import { TrademarkClient } from '../src/client.ts';
import { BLOCKED } from '../src/replica/faults.ts';
import { replicate } from '../src/replica/replicate.ts';
import { openSqliteSink } from '../src/replica/sqlite.ts';
import { openSqlite } from '../src/replica/sqlite-driver.ts';
import { buildRecord } from './support/answers.ts';
import { buildSimulatedClock } from './support/clock.ts';
import { buildService, HORIZON_MS } from './support/service.ts';

const read = (name: string): Promise<string> => readFile(new URL(`../${name}`, import.meta.url), 'utf8');

test('every query of the cookbook finds its marks by an index', async (t) => {
  const folder = makeFolder(t);
  const service = buildService({ build: buildRecord });
  const fitting = {
    ...{ uid: 'fits', owner_names: ['acme inc.'], nice_classes: [9, 42], status: 'Registered' as const },
    ...{ opposition_period_end: '2026-04-07', expiry_date: '2026-08-01' },
  };
  service.publish([fitting, { uid: 'other', owner_names: ['acme inc.'], nice_classes: [1] }, { uid: 'none' }]);
  service.advance(HORIZON_MS);
  const clock = buildSimulatedClock();
  const client = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://x', fetch: service.fetch, clock });
  const sink = await openSqliteSink(join(folder, 'marks.db'));
  await replicate({ client, sink, clock });
  service.publish([{ uid: 'other', owner_names: ['someone else'], nice_classes: null }]);
  service.advance(HORIZON_MS);
  await replicate({ client, sink, clock });
  await sink.close();

  const queries = [...(await read('cookbook.md')).matchAll(/```sql\n([\s\S]*?)```/g)].map((match) => match[1]!);
  assert.ok(queries.length >= 5);
  const db = await openSqlite(join(folder, 'marks.db'));
  for (const query of queries) {
    const rows = db.prepare(query).all() as { uid?: string; owner_name?: string }[];
    assert.ok(rows.length > 0, query);
    if (/acme|opposition|expiry/.test(query)) assert.deepEqual([rows.length, rows[0]!.uid], [1, 'fits'], query);
    const plan = (db.prepare(`explain query plan ${query}`).all() as { detail: string }[]).map(({ detail }) => detail);
    assert.deepEqual(
      plan.filter((step) => /^SCAN (?!CONSTANT)/.test(step) && !/USING/.test(step)),
      [],
      query,
    );
  }
  db.close();
});

test('the unit file and the exit statuses in running.md match the command', async () => {
  const [text, cli] = await Promise.all([read('running.md'), read('src/replica/cli.ts')]);
  const command = /^ExecStart=(.*)$/m.exec(text)![1]!;
  for (const [, flag] of command.matchAll(/ --([a-z-]+)/g)) {
    assert.ok(flag === 'no-install' || cli.includes(`  --${flag}`), flag);
  }
  const statuses = [.../EXIT = \{ (.*) \}/.exec(cli)![1]!.matchAll(/\d/g), BLOCKED].map(String);
  const listed = [...text.matchAll(/^\| (\d) \|/gm)].map((match) => match[1]);
  assert.deepEqual(listed, statuses);
  for (const variable of text.match(/TMDS_\w+/g) ?? [])
    assert.ok(cli.includes(variable.replace(/_FILE$/, '')), variable);
});
