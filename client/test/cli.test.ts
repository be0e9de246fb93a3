import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeFolder } from '../../server/test/support/folder.ts';
import type { Clock } from '../src/clock.ts';
import { runReplicaCommand } from '../src/replica/cli.ts';
import { openDestination } from '../src/replica/destination.ts';
import { renderProgress } from '../src/replica/progress.ts';
import { openSqlite } from '../src/replica/sqlite-driver.ts';
import { buildRecord } from './support/answers.ts';
import { startHost, startReplica } from './support/host.ts';
import { buildService, type FakeService, HORIZON_MS, nameOf } from './support/service.ts';

interface Ran {
  status: number;
  out: string;
  err: string;
}

async function runCommand(args: string[], environment: Record<string, string> = {}, live = false): Promise<Ran> {
  const ran: Ran = { status: -1, out: '', err: '' };
  const terminal = {
    out: (text: string) => {
      ran.out += text;
    },
    err: (text: string) => {
      ran.err += text;
    },
    live,
  };
  const clock: Clock = { nowMs: () => 0, monotonicMs: () => 0, sleep: async () => undefined };
  const { signal } = new AbortController();
  ran.status = await runReplicaCommand(args, environment, terminal, signal, clock);
  return ran;
}

interface Scene {
  service: FakeService;
  environment: Record<string, string>;
  to: string;
}

async function setScene(t: TestContext, count: number): Promise<Scene> {
  const folder = makeFolder(t);
  const service = buildService({ build: buildRecord });
  service.publish(Array.from({ length: count }, (_, index) => ({ uid: `US-${index}` })));
  service.advance(HORIZON_MS);
  const environment = { TMDS_API_KEY: 'k', TMDS_BASE_URL: await startHost(t, service) };
  return { service, environment, to: `sqlite:${join(folder, 'marks.db')}` };
}

test('refuses wrong usage with status 2 and says what is wrong', async () => {
  const to = ['--to', 'sqlite:/nowhere/at/all.db'];
  const wrong: [string[], RegExp][] = [
    [[], /--to is missing/],
    [['dance', ...to], /"dance" is not a command/],
    [['sync', 'now', ...to], /unexpected argument "now"/],
    [['--colour'], /--colour/],
    [['--to', 'mysql:x'], /"mysql:" is not a place for a replica/],
    [['--to', 'marks.db'], /"marks.db" is not a place/],
  ];
  for (const [args, message] of wrong) {
    const { status, out, err } = await runCommand(args, { TMDS_API_KEY: 'k', TMDS_BASE_URL: 'http://127.0.0.1:1' });
    assert.deepEqual([status, out], [2, ''], args.join(' '));
    assert.match(err, message);
    assert.match(err, /Try: tmds-replica --help/);
  }
});

test('refuses wrong values of options, and a missing key or address, before any call', async (t) => {
  const { to, environment, service } = await setScene(t, 1);
  const wrong: [string[], Record<string, string>, RegExp][] = [
    [['--limit', 'many'], environment, /--limit takes a whole number/],
    [['--limit', '5001'], environment, /limit must be an integer from 1 to 5000/],
    [['--expand', 'all'], environment, /--expand takes payload/],
    [['--once', '--follow'], environment, /use either --once or --follow/],
    [['--follow', '--poll-seconds', '0'], environment, /pollMs must be/],
    [[], {}, /no API key/],
    [[], { TMDS_API_KEY: 'k' }, /no base address/],
  ];
  for (const [args, variables, message] of wrong) {
    const { status, err } = await runCommand(['--to', to, ...args], variables);
    assert.equal(status, 2, args.join(' '));
    assert.match(err, message);
  }
  assert.equal(service.calls(), 0);
});

test('syncs once, reports the end in a line, and status says what is held', async (t) => {
  const { to, environment, service } = await setScene(t, 12);
  const empty = await runCommand(['status', '--to', to]);
  assert.equal(empty.status, 5);
  assert.match(empty.err, /holds no replica/);
  const synced = await runCommand(['sync', '--to', to, '--limit', '5'], environment);
  assert.deepEqual(synced, {
    status: 0,
    out: '',
    err: '1970-01-01T00:00:00.000Z caught up to 2026-01-01T00:00:00.000000Z: 12 changes\n',
  });
  service.publish([{ uid: 'US-3', mark_name: 'OTHER' }]);
  service.advance(HORIZON_MS);
  const again = await runCommand(['--to', to, '--quiet'], environment);
  assert.deepEqual(again, { status: 0, out: '', err: '' });
  const status = await runCommand(['status', '--to', to, '--json']);
  const { position, ...held } = JSON.parse(status.out);
  assert.deepEqual(held, {
    scope: { since: '1970-01-01', jurisdiction_code: null, expand: null, search: null },
    records: 12,
    verification: null,
  });
  assert.deepEqual([position.delivered, position.complete_to], [13, '2026-01-01T00:05:00.000000Z']);
});

test('draws a bar towards the known total while catching up on a terminal', async (t) => {
  const { to, environment } = await setScene(t, 4);
  const { status, err } = await runCommand(['--to', to, '--limit', '2'], environment, true);
  assert.equal(status, 0);
  assert.deepEqual(err.split('\r\x1b[2K').slice(1), [
    '[############            ] 50 %  2 of 4 records  2,000/s',
    '[########################] 100 %  4 of 4 records  4,000/s',
    '1970-01-01T00:00:00.000Z caught up to 2026-01-01T00:00:00.000000Z: 4 changes\n',
  ]);
  assert.equal(renderProgress(5, null, 0.4), '5 records  0/s');
  assert.equal(renderProgress(5, 4, 10), '5 records  10/s');
});

test('verifies, with status 0 when equal and 3 with the names when not', async (t) => {
  const { to, environment, service } = await setScene(t, 30);
  assert.match((await runCommand(['verify', '--to', to], environment)).err, /run tmds-replica sync first/);
  await runCommand(['--to', to], environment);
  const equal = await runCommand(['verify', '--to', to], environment);
  assert.deepEqual(equal, {
    status: 0,
    out:
      'equal: 30 records as of 2026-01-01T00:00:00.000000Z, 1 call; payloads not compared: the replica holds none; ' +
      'trademark_owners, trademark_classes and trademark_numbers compared, 150 rows\n',
    err: '',
  });
  const planted = service.records.get('US US-7')!;
  service.records.set(nameOf(planted), { ...planted, mark_name: 'EXAMPLF' });
  const differs = await runCommand(['verify', '--to', to], environment);
  assert.deepEqual(differs, {
    status: 3,
    out:
      'content\tUS\tUS-7\ndifferent: 30 records as of 2026-01-01T00:00:00.000000Z, 3 calls; ' +
      'payloads not compared: the replica holds none; trademark_owners, trademark_classes and trademark_numbers compared, 150 rows\n',
    err: '',
  });
});

test('compares the tables that a replica derives, and makes them again', async (t) => {
  const { to, environment, service } = await setScene(t, 30);
  await runCommand(['--to', to], environment);
  const db = await openSqlite(to.slice('sqlite:'.length));
  t.after(() => db.close());
  const derived = ['trademark_owners', 'trademark_classes', 'trademark_numbers'] as const;
  const dump = () => derived.map((table) => db.prepare(`select * from ${table} order by 1, 2, 3`).all());
  const whole = dump();
  db.exec(`delete from trademark_owners where uid < 'US-2';
    delete from trademark_classes where nice_class = 9;
    insert into trademark_classes values (45, 'US', 'US-1');
    update trademark_numbers set number = '1' where uid = 'US-4'`);
  const broken = await runCommand(['verify', '--to', to], environment);
  assert.equal(broken.status, 3, broken.err);
  assert.match(broken.out, /^trademark_owners: 24 rows missing, 0 rows that no record has\n/);
  assert.match(broken.out, /\ntrademark_classes: 30 rows missing, 1 rows that no record has\n/);
  assert.match(broken.out, /\ntrademark_numbers: 1 rows missing, 1 rows that no record has\ndifferent: 30 records/);
  const repaired = await runCommand(['verify', '--repair', '--to', to], environment);
  assert.deepEqual([repaired.status, repaired.err], [0, '']);
  assert.match(
    repaired.out,
    /^repaired: 0 records, trademark_owners, trademark_classes, trademark_numbers\nequal: 30 records .* 150 rows\n$/,
  );
  assert.deepEqual(dump(), whole);
  // What keeps a table current is part of it.
  db.exec('drop trigger trademark_owners_update; drop table trademark_classes');
  service.publish([{ uid: 'US-3', owner_names: ['another'] }]);
  service.advance(HORIZON_MS);
  assert.equal((await runCommand(['--to', to], environment)).status, 0);
  assert.deepEqual(db.prepare("select uid from trademark_owners where owner_name = 'another'").all().length, 1);
  assert.equal((await runCommand(['verify', '--to', to], environment)).status, 0);
});

test('fails with status 1 and the code and request of a refusal', async (t) => {
  const { to, environment } = await setScene(t, 1);
  await runCommand(['--to', to], environment);
  const sink = await openDestination(to);
  const stored = await sink.find();
  await sink.open(stored!.scope);
  await sink.save([], stored!.position, { ...stored!.position, cursor: 'bm9uc2Vuc2U' });
  await sink.close();
  const { status, err } = await runCommand(['--to', to], environment);
  assert.equal(status, 1);
  assert.match(err, /cursor_invalid: refused: cursor_invalid \(request req-cursor_invalid\)/);
});

test('has a separate status for what somebody has to repair, in every command', async (t) => {
  const { to, environment } = await setScene(t, 3);
  await runCommand(['--to', to], environment);
  const other = await runCommand(['--to', to, '--jurisdiction', 'EM'], environment);
  assert.deepEqual([other.status, /holds a replica with jurisdiction_code=\(none\)/.test(other.err)], [5, true]);
  for (const [code, status] of [
    ['key_revoked', 401],
    ['unauthorized', 401],
    ['product_not_enabled', 403],
  ] as const) {
    const server = createServer((_, response) => {
      response.writeHead(status).end(JSON.stringify({ error: { code, message: 'no' } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const command of ['sync', 'verify']) {
      const refused = await runCommand([command, '--to', to], { ...environment, TMDS_BASE_URL: url });
      assert.deepEqual([refused.status, refused.err.includes(code)], [5, true], `${command} ${code}`);
    }
  }
  const nowhere = await runCommand(['--to', 'sqlite:/nowhere/at/all.db'], environment);
  assert.deepEqual([nowhere.status, /no file can be written in \/nowhere\/at/.test(nowhere.err)], [5, true]);
});

test('says in words that a SQLite file is damaged, whatever the command, and does not claim to be caught up', async (t) => {
  const { to, environment } = await setScene(t, 3_000);
  await runCommand(['--to', to], environment);
  const path = to.slice('sqlite:'.length);
  const db = await openSqlite(path);
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
  const whole = await readFile(path);
  const damages: ((bytes: Buffer) => void)[] = [
    (bytes) => void bytes.fill(0xab, bytes.length >> 1, (bytes.length >> 1) + 65_536),
    (bytes) => void bytes.fill(0xab, 0, 100),
    (bytes) => void bytes.fill(0xab, 110, 4_000),
  ];
  for (const [place, damage] of damages.entries()) {
    const bytes = Buffer.from(whole);
    damage(bytes);
    const copy = path.replace('marks.db', `damaged${place}.db`);
    await writeFile(copy, bytes);
    for (const command of ['sync', 'verify', 'status']) {
      const { status, out, err } = await runCommand([command, '--to', `sqlite:${copy}`], environment);
      assert.deepEqual([status, out], [5, ''], `${place} ${command} ${err}`);
      assert.match(err, /damaged\d\.db is damaged, or no replica \(.*\): check the disk, move the file away and run/);
      assert.doesNotMatch(err, /caught up|SQLITE/);
    }
  }
  // A list that is no JSON any more is a difference, which can be repaired.
  const bytes = Buffer.from(whole);
  bytes.write('{', bytes.lastIndexOf('["'));
  await writeFile(`${path}.list`, bytes);
  const differs = await runCommand(['verify', '--to', `sqlite:${path}.list`], environment);
  assert.deepEqual([differs.status, /^content\t/.test(differs.out)], [3, true], differs.err);
  assert.equal((await runCommand(['verify', '--repair', '--to', `sqlite:${path}.list`], environment)).status, 0);
});

test('follows until SIGTERM, ends with status 0, and keeps what it has', async (t) => {
  const { to, environment, service } = await setScene(t, 6);
  const run = startReplica(['--to', to, '--follow', '--poll-seconds', '600'], environment);
  await new Promise<void>((resolve) => {
    run.child.stderr?.on('data', (text: string) => {
      if (text.includes('caught up')) resolve();
    });
  });
  run.child.kill('SIGTERM');
  const { status, err } = await run.ended;
  assert.equal(status, 0, err);
  const sink = await openDestination(to);
  assert.equal(await sink.countRecords(), service.records.size);
  await sink.close();
});

test('verify ends with status 4 when it could not check, sync with 1 when it failed', async (t) => {
  const { to, environment, service } = await setScene(t, 3);
  await runCommand(['--to', to], environment);
  service.plan(() => 'internal');
  const { status, out } = await runCommand(['verify', '--to', to, '--faults-max', '2'], environment);
  assert.deepEqual([status, out], [4, '']);
  assert.equal((await runCommand(['--to', to, '--patience', '0'], environment)).status, 1);
  service.plan(() => 'none');
  const missing = to.replace('marks.db', 'typo.db');
  assert.equal((await runCommand(['verify', '--to', missing], environment)).status, 5);
  assert.equal((await runCommand(['status', '--to', missing])).status, 5);
  assert.equal(existsSync(missing.slice('sqlite:'.length)), false);
});

test('verify --repair fetches what differs and proves the replica equal', async (t) => {
  const { to, environment, service } = await setScene(t, 30);
  await runCommand(['--to', to], environment);
  const planted = service.records.get('US US-7')!;
  service.records.set(nameOf(planted), { ...planted, mark_name: 'EXAMPLF' });
  const repaired = await runCommand(['verify', '--repair', '--to', to], environment);
  assert.equal(repaired.status, 0, repaired.err);
  assert.match(repaired.out, /^repaired: 1 records\nequal: 30 records/);
});

test('writes each line of the log as JSON with its time on request', async (t) => {
  const { to, environment, service } = await setScene(t, 3);
  service.plan((call) => (call === 0 ? 'unavailable' : 'none'));
  const { err } = await runCommand(['--to', to, '--log', 'json'], environment);
  const [waiting, caughtUp] = err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const time = '1970-01-01T00:00:00.000Z';
  assert.deepEqual(
    [waiting.time, waiting.level, waiting.event, waiting.code],
    [time, 'warn', 'waiting', 'unavailable'],
  );
  assert.deepEqual([caughtUp.event, caughtUp.changes, caughtUp.delivered], ['caught_up', 3, 3]);
  service.plan(() => 'quota');
  const failed = await runCommand(['--to', to, '--log', 'json'], environment);
  assert.equal(JSON.parse(failed.err).event, 'failed');
});

test('keeps the records of a search, names those that left, and says that digests do not prove it [4.3]', async (t) => {
  const { to, environment, service } = await setScene(t, 3);
  const search = ['--search', 'status=Pending'];
  const first = await runCommand(['--to', to, ...search], environment);
  const head = '1970-01-01T00:00:00.000Z refreshed at 1970-01-01T00:00:00.000000Z: ';
  assert.deepEqual(first, { status: 0, out: '', err: `${head}3 new or changed, 0 left\n` });
  service.publish([
    { uid: 'US-1', status: 'Cancelled' },
    { uid: 'US-2', mark_name: 'OTHER' },
  ]);
  const second = await runCommand(['--to', to, ...search], environment);
  assert.equal(second.err, `${head}1 new or changed, 1 left: US/US-1\n`);
  const status = await runCommand(['status', '--to', to]);
  assert.match(status.out, /: 2 records of the search status=Pending, refreshed at 1970-/);
  const calls = service.calls();
  const verified = await runCommand(['verify', '--to', to], environment);
  assert.deepEqual([verified.status, service.calls()], [4, calls]);
  assert.match(verified.err, /holds the records of a search, which digests cannot prove/);
  service.publish([{ uid: 'US-0', status: 'Cancelled' }]);
  const third = await runCommand(['--to', to, '--log', 'json', ...search], environment);
  const { event, changes, left, left_records } = JSON.parse(third.err);
  assert.deepEqual([event, changes, left, left_records], ['caught_up', 0, 1, ['US/US-0']]);
  const wrong = await runCommand(['--to', to, '--search', 'limit=3'], environment);
  assert.deepEqual([wrong.status, /limit is not a filter/.test(wrong.err)], [2, true]);
});

test('takes key and place from files, and hides a password that was given as an argument', async (t) => {
  const { to, environment, service } = await setScene(t, 2);
  const file = to.slice('sqlite:'.length);
  await writeFile(`${file}.key`, 'k\n');
  await writeFile(`${file}.to`, `${to}\n`);
  const { TMDS_API_KEY: _key, ...rest } = environment;
  const fromFiles = { ...rest, TMDS_API_KEY_FILE: `${file}.key`, TMDS_REPLICA_TO_FILE: `${file}.to` };
  assert.equal((await runCommand([], fromFiles)).status, 0);
  // Whether there are snapshots, a page, and the end of the feed.
  assert.equal(service.calls(), 3);
  const wrong = await runCommand([], { ...rest, TMDS_API_KEY_FILE: `${file}.none`, TMDS_REPLICA_TO: to });
  assert.deepEqual([wrong.status, /TMDS_API_KEY_FILE cannot be read/.test(wrong.err)], [5, true]);

  const { hidePasswords } = await import(new URL('../bin/hide-passwords.js', import.meta.url).href);
  const seen = { argv: ['node', 'x', '--to', 'postgres://u:s3cret@h/d'], title: '' };
  hidePasswords(seen);
  assert.equal(seen.title, 'tmds-replica --to postgres://u:***@h/d');
  const told = await runCommand(['--to', 'postgres://u:s3cret@127.0.0.1:1/d', '--patience', '0'], environment);
  assert.match(told.err, /other users of this machine can read a password in --to/);
  assert.doesNotMatch(told.err, /s3cret/);
});
