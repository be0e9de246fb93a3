/** A follower that verifies at a rhythm: what it finds and repairs, how often it looks, and what `status` shows of it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeFolder } from '../../server/test/support/folder.ts';
import { TrademarkClient } from '../src/client.ts';
import { runReplicaCommand } from '../src/replica/cli.ts';
import { openDestination } from '../src/replica/destination.ts';
import { replicate } from '../src/replica/replicate.ts';
import type { ReplicaSink, StoredRecord } from '../src/replica/sink.ts';
import type { VerifyRhythm } from '../src/replica/verify-rhythm.ts';
import { buildRecord, buildRefusal } from './support/answers.ts';
import { buildSimulatedClock } from './support/clock.ts';
import { buildService, HORIZON_MS } from './support/service.ts';

const HOUR_MS = 3_600_000;

async function setScene(t: TestContext, kind: string) {
  const folder = makeFolder(t);
  const service = buildService({ build: buildRecord });
  service.publish(Array.from({ length: 30 }, (_, at) => ({ uid: `US-${at}` })));
  service.advance(HORIZON_MS);
  const clock = buildSimulatedClock();
  const to = `${kind}:${join(folder, 'marks')}`;
  const paths: string[] = [];
  /** Digests are refused. */
  const isLoading = { now: false };
  const client = new TrademarkClient({
    ...{ apiKey: 'k', baseUrl: 'https://x', clock },
    fetch: async (url, init) =>
      isLoading.now && url.includes('/digests') ? buildRefusal('unavailable') : await service.fetch(url, init),
    onRequest: ({ url }) => paths.push(new URL(url).pathname),
  });
  /** Follows for so many polls, an hour apart, in another process. `onEnd` sees the end of each. */
  const follow = async (
    polls: number,
    verify: Partial<VerifyRhythm>,
    onEnd: (end: number) => void = () => undefined,
  ): Promise<string[]> => {
    const sink = await openDestination(to);
    const stop = new AbortController();
    const notes: string[] = [];
    let ends = 0;
    await replicate({
      ...{ client, sink, clock, mode: 'follow', pollMs: HOUR_MS, signal: stop.signal },
      verify: { everyMs: 4 * HOUR_MS, ...verify },
      onNote: (note) => void notes.push(note),
      onStep: ({ event }) => {
        if (event.kind !== 'end_saved') return;
        ends += 1;
        onEnd(ends);
        if (ends === polls) stop.abort();
      },
    });
    await sink.close();
    return notes;
  };
  const readStatus = async (...flags: string[]): Promise<string> => {
    const shown: string[] = [];
    const terminal = { out: (text: string) => void shown.push(text), err: () => undefined, live: false };
    await runReplicaCommand(['status', '--to', to, ...flags], {}, terminal, new AbortController().signal, clock);
    return shown.join('');
  };
  return { isLoading, client, clock, to, paths, follow, readStatus };
}

/** Alters a record of the replica, as a person with a database might, leaving its position. */
async function alter(sink: ReplicaSink, uid: string): Promise<void> {
  const stored = await sink.find();
  await sink.open(stored!.scope);
  const records: StoredRecord[] = [];
  for await (const record of sink.listRecords()) records.push(record);
  const record = records.find((each) => each.uid === uid)!;
  const { jurisdiction_code, updated_at } = record;
  await sink.repair([{ jurisdiction_code, uid, seen: updated_at, record: { ...record, mark_name: 'ALTERED' } }]);
}

for (const kind of ['sqlite', 'ndjson']) {
  test(`${kind}: a follower finds an altered row at its rhythm, and repairs it on request`, async (t) => {
    const { to, paths, follow, readStatus } = await setScene(t, kind);
    assert.deepEqual(await follow(1, {}), ['verified, equal: 30 records as of 2026-01-01T00:00:00.000000Z']);
    const sink = await openDestination(to);
    await alter(sink, 'US-7');
    await sink.close();

    const [found, ...later] = await follow(5, {});
    assert.match(
      found!,
      /^verified, different: 30 records as of \S+; 1 records differed: US\/US-7; nothing was repaired$/,
    );
    assert.deepEqual(later, [], 'four hours have not passed twice');
    const { verification } = JSON.parse(await readStatus('--json')) as { verification: Record<string, unknown> };
    assert.deepEqual(
      [verification.equal, verification.differences, verification.named, verification.repaired],
      [false, 1, ['US/US-7'], null],
    );
    assert.match(await readStatus(), /complete up to \S+\n2026-01-01T\S+Z verified, different: 30 records .* US\/US-7/);

    const calls = paths.length;
    const [repaired] = await follow(5, { repair: true });
    assert.match(repaired!, /^verified, equal: 30 records .*; 1 records differed: US\/US-7; 1 records repaired$/);
    assert.ok(paths.slice(calls).includes('/v1/US/trademarks/US-7'));
    assert.match(await readStatus('--json'), /"equal":true,.*"repaired":1/);
  });
}

test('a follower that is started again keeps to the rhythm, and a status without verification says so', async (t) => {
  const { paths, follow, readStatus, clock, client, to } = await setScene(t, 'sqlite');
  const sink = await openDestination(to);
  await replicate({ client, sink, clock });
  await sink.close();
  assert.equal(JSON.parse(await readStatus('--json')).verification, null);
  for (let run = 0; run < 3; run += 1) await follow(2, {});
  assert.equal(paths.filter((path) => path === '/v1/digests').length, 1, 'four hours have not passed');
  await follow(3, {});
  assert.equal(paths.filter((path) => path === '/v1/digests').length, 2);
});

test('a verification that fails for a time leaves the follower running and is made later', async (t) => {
  const { isLoading, follow } = await setScene(t, 'sqlite');
  isLoading.now = true;
  const notes = await follow(3, {}, (end) => {
    if (end === 1) isLoading.now = false;
  });
  assert.match(notes[0]!, /^could not be verified and is tried again later: /);
  assert.match(notes[1]!, /^verified, equal: 30 records/);
});

test('refuses a rhythm without a follower, of a search, since a day, and out of bounds', async (t) => {
  const { client, clock, to } = await setScene(t, 'sqlite');
  const sink = await openDestination(to);
  t.after(() => sink.close());
  const verify = { everyMs: HOUR_MS };
  const ask = { client, sink, clock, verify };
  await assert.rejects(replicate(ask), /needs the mode follow/);
  await assert.rejects(replicate({ ...ask, mode: 'follow', since: '2026-01-01' }), /only a replica since 1970/);
  await assert.rejects(replicate({ ...ask, mode: 'follow', search: 'status=Pending' }), /leave out verify/);
  await assert.rejects(replicate({ ...ask, mode: 'follow', verify: { everyMs: 1 } }), /verify\.everyMs/);
  for (const [args, message] of [
    [['--verify-every', '6h'], /needs --follow/],
    [['--follow', '--verify-every', '4m'], /from 5m to 31d/],
    [['--follow', '--verify-every', '32d'], /from 5m to 31d/],
    [['--follow', '--verify-every', '6'], /from 5m to 31d/],
  ] as const) {
    const shown: string[] = [];
    const terminal = { out: () => undefined, err: (text: string) => void shown.push(text), live: false };
    const environment = { TMDS_API_KEY: 'k', TMDS_BASE_URL: 'http://127.0.0.1:1' };
    const status = await runReplicaCommand(
      ...([['--to', to, ...args], environment, terminal, new AbortController().signal, clock] as const),
    );
    assert.equal(status, 2);
    assert.match(shown.join(''), message);
  }
});
