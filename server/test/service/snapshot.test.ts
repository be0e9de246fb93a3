/** Snapshots: what is in their files, how they are served, and what a crash leaves. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CONTENT_FIELDS } from '@tmds/contract/record';
import type { Snapshot, SnapshotsPage } from '@tmds/contract/snapshots';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { sql } from '../../src/database/driver/sql.ts';
import { openShelf } from '../../src/store/snapshots/folder.ts';
import { MANIFEST } from '../../src/store/snapshots/manifest.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseCases } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { UNLIMITED } from '../support/loads.ts';
import { operatorRefusal } from '../support/operator-refusal.ts';
import { refusalOf, startService, type TestService } from '../support/service.ts';
import { makeSnapshot, namesOf, readLines } from '../support/snapshots.ts';
import { readUnits } from '../support/units.ts';
import { buildRecords, publishRecords, type SourceFields } from '../torture/publish.ts';

const ODD: SourceFields = {
  jurisdiction_code: 'US',
  uid: 'ü/"quoted" \\ 商标 ',
  mark_name: 'A\tB\u0001 😀 </script>',
  owner_names: ["o'neill", '株式会社'],
  nice_classes: [9, 42],
  vienna_codes: ['26.03.23'],
  application_date: '1899-12-31',
  expiry_date: '9999-12-31',
  payload: { parties: [{ name: 'Ä "x"' }], number: 1 },
};

interface Seeded {
  readonly service: TestService;
  readonly folder: string;
  readonly key: string;
}

async function startSeeded(t: TestContext): Promise<Seeded> {
  const database = await createTestDatabase(t, UNLIMITED);
  const folder = makeFolder(t);
  const service = await startService(t, { database, config: { snapshotsDir: folder } });
  await publishRecords(service.db, [...buildRecords(30, { jurisdiction_code: 'US' }), ODD]);
  await publishRecords(service.db, buildRecords(5, { jurisdiction_code: 'EM', mark_name: null }));
  await publishRecords(service.db, buildRecords(3, { jurisdiction_code: 'US', mark_name: 'CHANGED' }));
  const { key } = await service.issue();
  return { service, folder, key };
}

/** The items of the feed as the service wrote them. */
async function readFeed({ service, key }: Seeded, path: string): Promise<string[]> {
  const { text } = await service.call(path, { key });
  const items = text.slice(text.indexOf('[') + 1, text.lastIndexOf(']'));
  return items === '' ? [] : items.split(/(?<=\}),(?=\{"jurisdiction_code":)/);
}

async function listServed({ service, key }: Seeded): Promise<readonly Snapshot[]> {
  const answer = await service.call('/v1/snapshots', { key });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body as SnapshotsPage).items;
}

for (const payloads of [false, true]) {
  const expand = payloads ? '&expand=payload' : '';
  test(`the files hold the feed byte for byte, its digests and its cursors${payloads ? ', with payloads' : ''}`, async (t) => {
    const seeded = await startSeeded(t);
    const { service, folder, key } = seeded;
    assert.deepEqual(await listServed(seeded), []);
    const { snapshot, folder: place } = await makeSnapshot(service.db, folder, { payloads });
    assert.deepEqual(await listServed(seeded), [snapshot]);
    assert.deepEqual([snapshot.payloads, snapshot.form, snapshot.digest_form], [payloads, 1, 1]);

    const digests = (await service.call(`/v1/digests?as_of=${snapshot.as_of}`, { key })).body as { items: object[] };
    assert.deepEqual(
      snapshot.registers.map(({ jurisdiction_code, record_count, digest }) => ({
        jurisdiction_code,
        record_count,
        digest,
      })),
      digests.items,
    );
    for (const register of snapshot.registers) {
      const { jurisdiction_code: code, cursor, files } = register;
      const feed = await readFeed(seeded, `/v1/${code}/changes?since=1970-01-01&limit=200${expand}`);
      assert.deepEqual(await readLines(place, register), feed);
      assert.ok(code === 'EM' || files.length > 3, 'several files');
      for (const { name, bytes, sha256 } of files) {
        const stored = await readFile(join(place, name));
        assert.deepEqual([stored.length, createHash('sha256').update(stored).digest('hex')], [bytes, sha256]);
      }
      assert.deepEqual(await readFeed(seeded, `/v1/${code}/changes?since=1970-01-01&cursor=${cursor}`), []);
    }
    await publishRecords(service.db, buildRecords(2, { jurisdiction_code: 'EM', mark_name: 'LATER' }));
    const later = await readFeed(seeded, `/v1/changes?since=1970-01-01&cursor=${snapshot.cursor}`);
    assert.deepEqual(
      later.map((text) => (JSON.parse(text) as { uid: string }).uid),
      ['R1', 'R2'],
    );
    assert.deepEqual(
      await readFeed(seeded, `/v1/US/changes?since=1970-01-01&cursor=${snapshot.registers[1]!.cursor}`),
      [],
    );
    const refused = await service.call(`/v1/changes?since=1970-01-02&cursor=${snapshot.cursor}`, { key });
    assert.equal(refusalOf(refused).code, 'cursor_query_mismatch');
  });
}

/** Microseconds, which a Date would lose, and days, as the API writes them. */
const PARSERS = {
  timestampFromMicroseconds: (micros: bigint) =>
    `${new Date(Number(micros / 1000n)).toISOString().slice(0, -1)}${String(micros % 1000n).padStart(3, '0')}Z`,
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
};

/** The reader leaves out lists that are null. */
function readRow(row: Record<string, unknown>): Record<string, unknown> {
  const { payload, ...fields } = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null]));
  return { ...fields, payload: payload === null ? null : JSON.parse(payload as string) };
}

test('Parquet, read by another program, says what the lines say', async (t) => {
  const seeded = await startSeeded(t);
  const { service, folder } = seeded;
  const formats = ['jsonl', 'parquet'] as const;
  const { snapshot, folder: place } = await makeSnapshot(service.db, folder, { formats, payloads: true });
  for (const register of snapshot.registers) {
    const rows: Record<string, unknown>[] = [];
    for (const name of namesOf(register, 'parquet')) {
      const file = await asyncBufferFromFile(join(place, name));
      const { schema, num_rows } = await parquetMetadataAsync(file);
      const columns = schema.filter(({ name }) => Object.hasOwn(CONTENT_FIELDS, name) || name === 'payload');
      assert.equal(columns.length, Object.keys(CONTENT_FIELDS).length + 1);
      // biome-ignore lint/suspicious/noExplicitAny: the type asks for every parser, the reader takes some
      const found = await parquetReadObjects({ file, parsers: PARSERS as any });
      assert.equal(BigInt(found.length), num_rows);
      assert.equal(found.length, register.files.find((each) => each.name === name)!.record_count);
      rows.push(...found);
    }
    const lines = await readLines(place, register);
    assert.deepEqual(
      rows.map(readRow),
      lines.map((line) => JSON.parse(line)),
    );
  }
});

test('a file is sent whole or in part, exactly as on the disk, for one unit a call', async (t) => {
  const seeded = await startSeeded(t);
  const { service, folder, key } = seeded;
  const { snapshot, folder: place } = await makeSnapshot(service.db, folder);
  const [file] = snapshot.registers[1]!.files;
  const { name, bytes, sha256 } = file!;
  const stored = await readFile(join(place, name));
  const url = `${service.url}/records/v1/snapshots/${snapshot.id}/${name}`;
  const get = async (headers: Record<string, string>) => {
    const answer = await fetch(url, { headers: { 'x-api-key': key, 'accept-encoding': 'gzip, br', ...headers } });
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, body };
  };
  const whole = await get({});
  assert.equal(whole.status, 200);
  assert.deepEqual(whole.body, stored);
  assert.deepEqual(
    ['content-type', 'content-length', 'accept-ranges', 'etag', 'content-encoding'].map((header) =>
      whole.headers.get(header),
    ),
    ['application/gzip', String(bytes), 'bytes', `"${sha256}"`, null],
  );
  const ranges = { 'bytes=100-': [100, bytes], 'bytes=0-9': [0, 10], 'bytes=-7': [bytes - 7, bytes] } as const;
  for (const [range, [start, end]] of Object.entries(ranges)) {
    const part = await get({ range });
    assert.deepEqual([part.status, part.body], [206, stored.subarray(start, end)], range);
    assert.equal(part.headers.get('content-range'), `bytes ${start}-${end - 1}/${bytes}`);
    assert.equal(part.headers.get('content-length'), String(end - start));
  }
  for (const range of ['bytes=5-1', `bytes=${bytes}-`, 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-']) {
    assert.deepEqual([(await get({ range })).status, range], [200, range]);
  }
  assert.equal((await get({ range: 'bytes=100-', 'if-range': `"${sha256}"` })).status, 206);
  assert.equal((await get({ range: 'bytes=100-', 'if-range': '"other"' })).status, 200);
  const unchanged = await get({ range: 'bytes=100-', 'if-none-match': `"${sha256}"` });
  assert.deepEqual([unchanged.status, unchanged.body.length], [304, 0]);

  const unitsBefore = await readUnits(seeded.service, seeded.key);
  await get({});
  await get({ range: 'bytes=100-' });
  // The call that counts is counted too.
  assert.equal((await readUnits(seeded.service, seeded.key)) - unitsBefore, 3);
});

test('no file is served but those that a manifest names', async (t) => {
  const { service, folder, key } = await startSeeded(t);
  const { snapshot } = await makeSnapshot(service.db, folder);
  const { name } = snapshot.registers[1]!.files[0]!;
  const foreign = join(folder, 'secret.jsonl.gz');
  await writeFile(foreign, 'secret');
  for (const path of [
    `${snapshot.id}/${MANIFEST}`,
    `${snapshot.id}/..%2Fsecret.jsonl.gz`,
    `${snapshot.id}%2F..%2F/secret.jsonl.gz`,
    `..%2F${snapshot.id}/${name}`,
    `${snapshot.id}/${name.toLowerCase()}`,
    `20200101T000000000Z/${name}`,
    `${snapshot.id}/%00`,
  ]) {
    const answer = await service.call(`/v1/snapshots/${path}`, { key });
    assert.deepEqual([refusalOf(answer).code, path], ['not_found', path]);
  }
  assert.equal(refusalOf(await service.call(`/v1/snapshots/${snapshot.id}/${name}`)).code, 'unauthorized');
  assert.equal(refusalOf(await service.call('/v1/snapshots?x=1', { key })).code, 'unknown_parameter');
  assert.equal(refusalOf(await service.call('/v1/snapshots', { key, method: 'POST' })).code, 'method_not_allowed');
});

test('some registers alone have no cursor for all; one at a time; unknown registers and broken digests are refused', async (t) => {
  const { service, folder } = await startSeeded(t);
  const { db } = service;
  const { snapshot } = await makeSnapshot(db, folder, { registers: ['EM'] });
  assert.deepEqual([snapshot.cursor, snapshot.registers.length], [null, 1]);
  assert.match(
    await operatorRefusal(makeSnapshot(db, folder, { registers: ['EM', 'XX'] })),
    /no records of XX up to 2/,
  );
  await makeSnapshot(db, folder, {
    onStep: async (step) => {
      if (step !== 'begun') return;
      assert.match(await operatorRefusal(makeSnapshot(db, folder)), /^another process is making a snapshot/);
    },
  });
  const before = await readdir(folder);
  await db.query(sql`update record set detail = replace(detail, 'CHANGED', 'changed') where uid = 'R1'`);
  assert.match(
    await operatorRefusal(makeSnapshot(db, folder)),
    /^the records of US are not those .* run: tmds verify$/,
  );
  assert.deepEqual(await readdir(folder), before, 'nothing is left of it');
});

test('old snapshots are removed, snapshots of another database and unfinished ones are not served', async (t) => {
  const seeded = await startSeeded(t);
  const { service, folder } = seeded;
  const made: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    const { snapshot, pruned } = await makeSnapshot(service.db, folder, { keep: 2 });
    made.push(snapshot.id);
    assert.deepEqual(pruned, made.slice(0, -2).slice(-1));
  }
  assert.deepEqual(
    (await listServed(seeded)).map(({ id }) => id),
    made.slice(2).reverse(),
  );
  const newest = made.at(-1)!;
  await cp(join(folder, newest), join(folder, '.unfinished-20990101T000000000Z'), { recursive: true });
  await mkdir(join(folder, '20990101T000000001Z'));
  await cp(join(folder, newest), join(folder, '20990101T000000002Z'), { recursive: true });
  assert.equal((await listServed(seeded)).length, 2);
  const [before] = await service.db.query<{ lineage: string }>(sql`select lineage from publish_clock`);
  await service.db.query(sql`update publish_clock set lineage = gen_random_uuid()`);
  assert.deepEqual(await listServed(seeded), [], 'files may hold what has been lost');
  await service.db.query(sql`update publish_clock set lineage = ${before!.lineage}::uuid`);
  assert.equal((await listServed(seeded)).length, 2);
  await service.db.query(sql`update publish_clock set database_id = gen_random_uuid()`);
  assert.deepEqual(await listServed(seeded), []);
  const any = { databaseId: 'any', lineage: 'any' };
  assert.deepEqual(await openShelf(null).list(any), []);
  assert.deepEqual(await openShelf(join(folder, 'none')).list(any), []);
});

const PROCESS = fileURLToPath(new URL('../support/snapshot-process.ts', import.meta.url));

test('killed at any step it leaves nothing that looks like a snapshot, or a whole one; the next one cleans up', {
  timeout: 300_000,
}, async (t) => {
  const seeded = await startSeeded(t);
  const { service, folder } = seeded;
  const first = await makeSnapshot(service.db, folder);
  for (const step of chooseCases(['begun', 'register', 'written', 'finished', 'pruned'])) {
    const words = ['--conditions=tmds-source', '--import', 'tsx', PROCESS, service.databaseUrl, folder, step];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
    const [, signal] = await once(child, 'exit');
    assert.equal(signal, 'SIGKILL', `died at ${step}`);
    const served = await listServed(seeded);
    const expected = { begun: 1, register: 1, written: 1, finished: 2, pruned: 1 }[step]!;
    assert.equal(served.length, expected, `after ${step}`);
    for (const snapshot of served) {
      for (const register of snapshot.registers) {
        const lines = await readLines(join(folder, snapshot.id), register);
        assert.equal(lines.length, register.record_count, `after ${step}`);
      }
    }
    if (step === 'written') assert.deepEqual(served, [first.snapshot]);
  }
  await waitForLock(service);
  const { snapshot } = await makeSnapshot(service.db, folder, { keep: 1 });
  assert.deepEqual(await readdir(folder), [snapshot.id]);
});

/** The server notices on its own that a killed process is gone. */
async function waitForLock({ db }: TestService): Promise<void> {
  for (;;) {
    const [locks] = await db.query<{ n: number }>(sql`
      select count(*)::int4 as n from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`);
    if (locks!.n === 0) return;
  }
}
