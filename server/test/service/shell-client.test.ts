/** `tmds-client` against the real service: what a person types first, and what a pipe gets. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLines, runInShell } from '../../../client/test/support/shell.ts';
import { makeFolder } from '../support/folder.ts';
import { startService } from '../support/service.ts';
import { buildRecords, publishRecords, type SourceFields } from '../torture/publish.ts';

const US = { jurisdiction_code: 'US', status: 'Pending', nice_classes: [9] } as const;
const RECORDS: SourceFields[] = [
  ...buildRecords(40, US),
  { ...US, jurisdiction_code: 'EM', uid: 'EM-1', application_number: '018229854', owner_names: ['acme inc.'] },
];

test('the shell client searches, looks up, reads feeds, keeps watches and exports [4.3, 4.5, 4.6]', async (t) => {
  const service = await startService(t);
  await publishRecords(service.db, RECORDS);
  await publishRecords(service.db, [{ ...US, uid: 'R1', status: 'Registered' }]);
  const { key } = await service.issue();
  const folder = makeFolder(t);
  const environment = { TMDS_API_KEY: key, TMDS_BASE_URL: `${service.url}/records` };
  const run = async (...args: string[]): Promise<Record<string, unknown>[]> => {
    const { status, out, err } = await runInShell(args, environment);
    assert.equal(status, 0, `${args.join(' ')}: ${err}`);
    return readLines(out);
  };
  assert.equal((await run('search', '--jurisdiction', 'us,EM', '--nice-class', '9')).length, 41);
  assert.deepEqual(
    (await run('search', '--status', 'registered')).map(({ uid }) => uid),
    ['R1'],
  );
  assert.equal((await run('get', 'EM', '--number', '18229854'))[0]!.uid, 'EM-1');
  assert.equal((await run('get', 'US', 'R1', '--expand', 'payload'))[0]!.status, 'Registered');

  const events = await run('history', 'US', 'R1');
  assert.deepEqual([events.length, events[1]!.cause], [2, 'first']);
  const [before] = await run('get', 'US', 'R1', '--version', String(events[1]!.version));
  assert.equal(before!.status, 'Pending');
  const changed = await run('history', '--since', '1970-01-01', '--field', 'status', '--jurisdiction', 'US');
  assert.equal(changed.length, 1);

  const place = join(folder, 'position.json');
  const feed = ['changes', '--keep', place, '--max', '30'];
  assert.equal((await run(...feed, '--since', '1970-01-01')).length, 30);
  assert.equal((await run(...feed)).length, 11);
  assert.equal((await run(...feed)).length, 0);
  assert.equal((await run('changes', '--since', '1970-01-01', '--register', 'EM')).length, 1);

  assert.equal((await run('watch', 'put', 'mine', '--owner-name', 'acme inc.'))[0]!.search, 'owner_name=acme+inc.');
  assert.equal((await run('watch', 'show', 'mine'))[0]!.matches_now, 1);
  assert.equal((await run('hits', 'mine', '--since', '1970-01-01')).length, 0);
  assert.equal((await run('watch', 'why', 'mine', '--record', 'XX/none'))[0]!.verdict, 'no_record');
  assert.match(String((await run('webhooks', 'put', 'w', '--url', 'https://example.com/'))[0]!.secret), /^whsec_/);
  assert.deepEqual(
    (await run('webhooks', 'deliveries', 'w')).map(({ state }) => state),
    [],
  );
  assert.equal((await run('webhooks', 'delete', 'w'))[0]!.id, 'w');
  assert.notEqual((await run('watch', 'end', 'mine'))[0]!.ended_at, null);
  assert.deepEqual(
    (await run('watch', 'list')).map(({ id }) => id),
    [],
  );

  const file = join(folder, 'marks.csv');
  assert.equal((await run('export', file, '--jurisdiction', 'US'))[0]!.records, 40);
  assert.equal(readFileSync(file, 'utf8').split('\r\n').length, 42);
});
