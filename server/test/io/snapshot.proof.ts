/** `tmds snapshot` as an operator runs it, and the replica's command that starts from what it made. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Snapshot } from '@tmds/contract/snapshots';
import { startReplica } from '../../../client/test/support/host.ts';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { createDataFolder, runTmds, startServing } from '../support/process.ts';

test('the command makes, prunes and refuses; a served snapshot starts a replica that is proven equal', {
  timeout: 300_000,
}, async (t) => {
  const data = await createDataFolder(t);
  const { url } = await createTestDatabase(t);
  const environment = {
    DATABASE_URL: url,
    TMDS_DATA_DIR: data,
    TMDS_CHANGE_HORIZON_SECONDS: '0',
    TMDS_KEEP_SNAPSHOTS: '1',
  };
  const help = await runHere(['snapshot', '--help'], environment);
  assert.equal(help.status, 0);
  assert.match(help.stdout, /--registers <codes>.*--payloads.*--format <formats>/s);
  for (const words of [['--format', 'csv'], ['--registers', 'E'], ['--nothing'], ['more']]) {
    assert.equal((await runHere(['snapshot', ...words], environment)).status, 2, words.join(' '));
  }
  const early = await runHere(['snapshot'], environment);
  assert.equal(early.status, 1);

  const file = join(data, 'sample.ndjson');
  const sample = ['sample', '--records', '400', '--seed', 'snapshot', '--payload', 'none', '--out', file, '--quiet'];
  assert.equal((await runHere(sample, environment)).status, 0);
  assert.equal((await runHere(['load', 'ndjson', file], environment)).status, 0);
  const unknown = await runHere(['snapshot', '--registers', 'ZZ'], environment);
  assert.deepEqual([unknown.status, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /^tmds: there are no records of ZZ up to 2/m);

  const first = await runTmds(t, ['snapshot', '--format', 'jsonl', '--json'], environment);
  assert.equal(first.status, 0, first.stderr);
  const { id, folder, registers } = JSON.parse(first.stdout) as Snapshot & { folder: string };
  assert.equal(folder, join(data, 'snapshots', id));
  assert.equal(
    registers.reduce((sum, { record_count }) => sum + record_count, 0),
    400,
  );
  const second = await runHere(['snapshot'], environment);
  assert.equal(second.status, 0, second.stderr);
  assert.match(
    second.stdout,
    new RegExp(`^snapshot of 2.*\\n400 records of \\d+ registers, .*\\ntaken away: ${id}\\n$`),
  );
  assert.equal(readdirSync(join(data, 'snapshots')).length, 1);
  const elsewhere = join(data, 'elsewhere');
  assert.equal((await runHere(['snapshot', '--to', elsewhere], environment)).status, 0);
  assert.equal(readdirSync(elsewhere).length, 1);

  const { stdout } = await runHere(['key', 'issue', '--customer', 'Example', '--json'], environment);
  const { key } = JSON.parse(stdout) as { key: string };
  const server = await startServing(t, environment);
  const to = `ndjson:${join(data, 'marks')}`;
  const client = { TMDS_API_KEY: key, TMDS_BASE_URL: `${server.address}/records` };
  const made = await startReplica(['--to', to], client).ended;
  assert.equal(made.status, 0, made.err);
  assert.match(made.err, /starting from the snapshot of 2\S+: 400 records, \d+ files, 1 MB\n.*caught up to 2/s);
  const verified = await startReplica(['verify', '--to', to], client).ended;
  assert.equal(verified.status, 0, verified.out);
  const other = `ndjson:${join(data, 'other')}`;
  const fed = await startReplica(['--to', other, '--no-snapshot'], client).ended;
  assert.equal(fed.status, 0, fed.err);
  assert.doesNotMatch(fed.err, /snapshot/);
  server.kill('SIGTERM');
  await server.ended;
});
