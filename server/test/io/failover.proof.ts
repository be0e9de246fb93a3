/**
 * Two serving processes on a primary and standbys, whose primary is killed under load while a standby takes its place
 * (docs/design/standbys-and-nodes.md). Nobody is restarted, and no setting changes.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { issueKey } from '../../src/access/keys.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createDataFolder, runTmds, type ServingProcess, startServing, waitFor } from '../support/process.ts';
import { startReadLoad } from '../support/read-load.ts';
import { countReads, placeOf } from '../support/reader-servers.ts';
import { countUnits } from '../support/units.ts';
import { publishRecords } from '../torture/publish.ts';
import { type Node, type Standby, startPrimary } from '../torture/standby.ts';

/** Publishes between two events. */
const PUBLISHES = 15;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Service {
  readonly servers: readonly ServingProcess[];
  readonly environment: Readonly<Record<string, string>>;
  readonly keyId: string;
  /** At the servers in turn. */
  call(path: string): Promise<Answer>;
  /** Calls that were answered with what they asked for. */
  readonly served: () => number;
  /** Calls whose answer costs a unit: those, and that there is no such record. */
  readonly charged: () => number;
}

/** Two servers that know the addresses of all three, whichever is the primary. */
async function serveOn(t: TestContext, primary: Node, standbys: readonly Standby[]): Promise<Service> {
  const nodes = [primary, ...standbys];
  const hosts = nodes.map(({ url }) => new URL(url).host).join(',');
  const { username, password, pathname } = new URL(primary.url);
  const environment = {
    DATABASE_URL: `postgresql://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`,
    DATABASE_REPLICA_URLS: nodes.map(({ url }) => url).join(','),
  };
  const settings = { TMDS_CHANGE_HORIZON_SECONDS: '0', TMDS_METRICS_PORT: '0', TMDS_LOG_LEVEL: 'info' };
  const servers: ServingProcess[] = [];
  for (let number = 0; number < 2; number += 1) {
    const folder = await createDataFolder(t);
    servers.push(await startServing(t, { ...environment, ...settings, TMDS_DATA_DIR: folder }));
  }
  const { id, key } = await issueKey(primary.db, {
    ...{ customer: 'Example', name: null, products: ['records'], rateLimitPerMinute: 1_000_000 },
    ...{ quota: null, actor: 'test' },
  });
  let turn = 0;
  let served = 0;
  let missing = 0;
  return {
    servers,
    environment: { ...environment, TMDS_DATA_DIR: await createDataFolder(t) },
    keyId: id,
    call: async (path) => {
      turn += 1;
      const { address } = servers[turn % servers.length]!;
      const answer = await fetch(`${address}${path}`, { headers: { 'x-api-key': key } });
      const text = await answer.text();
      if (answer.status === 200) served += 1;
      if (answer.status === 404) missing += 1;
      return { status: answer.status, headers: answer.headers, text };
    },
    served: () => served,
    charged: () => served + missing,
  };
}

async function untilReady({ servers }: Service): Promise<void> {
  for (const { address } of servers) {
    await waitFor(async () => (await fetch(`${address}/readyz`)).status === 200);
  }
}

async function findReceived({ db }: Node): Promise<bigint> {
  const [row] = await db.query<{ bytes: string }>(
    sql`select (pg_last_wal_receive_lsn() - '0/0'::pg_lsn)::text as bytes`,
  );
  return BigInt(row!.bytes);
}

/** As an operator does it: the standby that has received most becomes the primary, and the other follows it. */
async function failOver(one: Standby, other: Standby): Promise<{ promoted: Standby; following: Standby }> {
  const isAhead = (await findReceived(one)) >= (await findReceived(other));
  const [promoted, following] = isAhead ? [one, other] : [other, one];
  await promoted.promote();
  await following.follow(promoted);
  return { promoted, following };
}

test('the primary is killed under load and a standby promoted: 503 while it lasts, then all is as if never, the lineage too [4.6.1, I-19, I-29, I-41, I-47]', {
  timeout: 600_000,
}, async (t) => {
  const primary = await startPrimary(t, { synchronous_commit: 'on' });
  const [one, other] = [await primary.addStandby(), await primary.addStandby()];
  // Whatever has been answered is on both.
  await primary.waitForStandbys(2);
  const service = await serveOn(t, primary, [one, other]);
  const readLineage = async (): Promise<string | null> =>
    (await service.call('/v1/changes?since=2999-01-01')).headers.get('feed-lineage');
  const lineage = await readLineage();
  assert.ok(lineage);
  const load = startReadLoad(primary.db, service.call);
  await load.publishMore(PUBLISHES);

  load.expectOutage(true);
  await primary.kill();
  await waitFor(async () => load.counts.refusals > 0);
  const { promoted, following } = await failOver(one, other);
  load.expectOutage(true, promoted.db);
  await untilReady(service);
  await load.publishMore(1);
  load.expectOutage(false);
  await load.publishMore(PUBLISHES);
  const reads = await Promise.all(service.servers.map(countReads));
  await waitFor(async () => {
    const now = await Promise.all(service.servers.map(countReads));
    return now.every((counts, place) => counts.get(placeOf(following))! > reads[place]!.get(placeOf(following))!);
  });
  await load.end();
  assert.deepEqual(load.faults, []);
  for (let calls = 0; calls < 4; calls += 1) assert.equal(await readLineage(), lineage);
  t.diagnostic(JSON.stringify(load.counts));
  const units = await countUnits(promoted.db, service.keyId);
  assert.ok(units >= service.served(), `${units} units for ${service.served()} answers`);
  assert.ok(units <= service.served() + load.counts.refusals, `${units} units for ${service.served()} answers`);

  const { stdout } = await runTmds(t, ['doctor', '--json'], service.environment);
  const { findings } = JSON.parse(stdout) as { findings: { subject: string; seen: string; remedy: string | null }[] };
  const told = (subject: string): string[] =>
    findings.filter((finding) => finding.subject === subject).map(({ seen }) => seen.replace(/\d+ ms|: .*/g, '…'));
  assert.deepEqual(
    told('servers').sort(),
    [
      ...[`${placeOf(following)} is a standby`, `${placeOf(primary)} does not answer…`],
      `${placeOf(promoted)} is the primary`,
    ].sort(),
  );
  assert.ok(told('replica').includes(`${placeOf(following)} is read from…`), told('replica').join('\n'));

  // A primary that comes back on its own can be written too, and is not returned to.
  await primary.start();
  const warned = (server: ServingProcess): boolean => /can be written; stop all but the last/.test(server.stderr());
  await waitFor(async () => service.servers.every(warned));
  await publishRecords(promoted.db, [{ uid: 'R1', mark_name: 'after its return' }]);
  for (let calls = 0; calls < 8; calls += 1) {
    const { status, text } = await service.call('/v1/XA/trademarks/R1');
    assert.deepEqual([status, (JSON.parse(text) as Item).mark_name], [200, 'after its return']);
  }
});

test('a promoted standby that lacks the last publishes: they are gone everywhere at once, and return when loaded again; the feed states another lineage, once [I-19, I-41, I-47]', {
  timeout: 600_000,
}, async (t) => {
  const primary = await startPrimary(t);
  const standby = await primary.addStandby();
  const service = await serveOn(t, primary, [standby]);
  const ask = async (path: string): Promise<object> => {
    const { status, text } = await service.call(path);
    return status === 200 ? (JSON.parse(text) as object) : { status };
  };
  const search = async (): Promise<string[]> => {
    const page = (await ask('/v1/trademarks?jurisdiction=XA&limit=50')) as { items?: Item[] };
    return (page.items ?? []).map(({ uid, mark_name }) => `${uid} ${mark_name}`).sort();
  };
  /** Once it is answered, by whichever server is asked next. */
  const searchAtLast = async (): Promise<string[]> => {
    let found: string[] = [];
    await waitFor(async () => {
      found = await search();
      return found.length > 0;
    });
    return found;
  };
  const followFeed = async (cursor: string | null): Promise<{ seen: string[]; cursor: string }> => {
    const from = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = (await ask(`/v1/changes?since=1970-01-01${from}`)) as { items: Item[]; next_cursor: string | null };
    return { seen: page.items.map(({ uid, mark_name }) => `${uid} ${mark_name}`), cursor: page.next_cursor ?? cursor! };
  };
  await publishRecords(primary.db, [
    { uid: 'R1', mark_name: 'kept' },
    { uid: 'R2', mark_name: 'kept' },
  ]);
  for (let calls = 0; calls < 5; calls += 1) await searchAtLast();
  const kept = service.charged();
  await waitFor(async () => (await countUnits(primary.db, service.keyId)) === kept);
  await standby.catchUp();
  await standby.stop();
  const lost = [
    { uid: 'R1', mark_name: 'lost' },
    { uid: 'R3', mark_name: 'lost' },
  ];
  await publishRecords(primary.db, lost);
  for (let calls = 0; calls < 4; calls += 1) assert.deepEqual(await searchAtLast(), ['R1 lost', 'R2 kept', 'R3 lost']);
  const first = await followFeed(null);
  const readLineages = async (): Promise<(string | null)[]> => {
    const lineages = new Set<string | null>();
    for (let calls = 0; calls < 4; calls += 1) {
      const { headers } = await service.call('/v1/changes?since=2999-01-01');
      lineages.add(headers.get('feed-lineage'));
    }
    return [...lineages];
  };
  const [lineage, ...others] = await readLineages();
  assert.deepEqual([typeof lineage, others], ['string', []]);
  assert.deepEqual(first.seen, ['R2 kept', 'R1 lost', 'R3 lost']);

  await primary.kill();
  await standby.start();
  await standby.promote();
  // Units are gone like everything else of the last moments, and nothing but those.
  assert.equal(await countUnits(standby.db, service.keyId), kept);
  const before = service.charged();
  // Before any server has looked there: its stamp lies beyond what was lost.
  await publishRecords(standby.db, [{ uid: 'R2', mark_name: 'changed' }]);
  const found = new Set<string>();
  for (let calls = 0; calls < 4; calls += 1) found.add((await searchAtLast()).join());
  assert.deepEqual([...found], ['R1 kept,R2 changed']);
  // One server may have given all of these answers while the other still searched for the new primary.
  await untilReady(service);
  for (let calls = 0; calls < 4; calls += 1) {
    assert.deepEqual(await ask('/v1/XA/trademarks/R3'), { status: 404 });
    assert.deepEqual(((await ask('/v1/XA/trademarks/R1')) as Item).mark_name, 'kept');
  }
  const renewed = await readLineages();
  assert.deepEqual([renewed.length, renewed[0] === lineage], [1, false]);
  const after = await followFeed(first.cursor);
  assert.deepEqual(after.seen, ['R2 changed'], 'the cursor goes on');
  await publishRecords(standby.db, lost);
  assert.deepEqual((await followFeed(after.cursor)).seen, ['R1 lost', 'R3 lost']);
  assert.deepEqual(await searchAtLast(), ['R1 lost', 'R2 changed', 'R3 lost']);
  assert.deepEqual(await readLineages(), renewed);
  await waitFor(async () => (await countUnits(standby.db, service.keyId)) === kept + service.charged() - before);
});

interface Item {
  readonly uid: string;
  readonly mark_name: string;
}
