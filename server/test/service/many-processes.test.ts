/** Several servers on one database are one service: limits, units and cursors are the same, whichever answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangesPage } from '@tmds/contract/record';
import { connectTestDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { isFull } from '../support/depth.ts';
import { refusalOf, startService, type TestAnswer, type TestContext, type TestService } from '../support/service.ts';
import { countUnits } from '../support/units.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

const SERVERS = isFull ? 8 : 3;

interface Servers {
  readonly database: TestDatabase;
  /** The next one, in turn. */
  next(): TestService;
}

async function startServers(t: TestContext): Promise<Servers> {
  const database = await createTestDatabase(t);
  const services: TestService[] = [];
  for (let number = 0; number < SERVERS; number += 1) {
    const db = await connectTestDatabase(database.url, { poolMax: 4 });
    services.push(await startService(t, { database: { db, url: database.url } }));
    t.after(() => db.close());
  }
  let turn = 0;
  return {
    database,
    next: () => {
      turn += 1;
      return services[turn % SERVERS]!;
    },
  };
}

/** As many calls at once as there are callers, each to the next server. */
async function callAll(servers: Servers, key: string, calls: number, callers = 64): Promise<TestAnswer[]> {
  const answers: TestAnswer[] = [];
  let begun = 0;
  const call = async (): Promise<void> => {
    while (begun < calls) {
      begun += 1;
      answers.push(await servers.next().call('/v1/jurisdictions', { key }));
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return answers;
}

test('several servers admit one rate limit, and count it down together in their headers [7, 8, I-30]', async (t) => {
  const servers = await startServers(t);
  const { id, key } = await servers.next().issue({ rateLimitPerMinute: 200 });
  const answers = await callAll(servers, key, 260);
  const served = answers.filter(({ status }) => status === 200);
  const left = served.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((one, other) => one - other);
  assert.deepEqual(
    left,
    Array.from({ length: 200 }, (_, number) => number),
  );
  assert.equal(
    answers.filter((answer) => answer.status === 429 && refusalOf(answer).code === 'rate_limited').length,
    60,
  );
  assert.equal(await countUnits(servers.database.db, id), 200);
});

test('several servers serve one quota to its last unit and not one more [8, I-28, I-29]', async (t) => {
  const servers = await startServers(t);
  const { id, key } = await servers.next().issue({ quota: 300 });
  const answers = await callAll(servers, key, 420);
  const served = answers.filter(({ status }) => status === 200);
  assert.equal(served.length, 300);
  const refused = answers.filter(({ status }) => status !== 200).map((answer) => refusalOf(answer).code);
  assert.deepEqual(refused, new Array(120).fill('quota_exceeded'));
  assert.equal(await countUnits(servers.database.db, id), 300);
});

test('a search and a feed are read on at another server with every page [4.6.1, I-16, I-19]', async (t) => {
  const servers = await startServers(t);
  for (let publish = 0; publish < 6; publish += 1) {
    await publishRecords(servers.database.db, buildRecords(20, {}, `P${publish}N`));
  }
  const { id, key } = await servers.next().issue();
  let calls = 0;
  const readAll = async (path: string): Promise<string[]> => {
    const uids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; calls += 1) {
      const answer = await servers.next().call(`${path}${cursor === '' ? '' : `&cursor=${cursor}`}`, { key });
      assert.equal(answer.status, 200, answer.text);
      const page = answer.body as ChangesPage;
      uids.push(...page.items.map(({ uid }) => uid));
      cursor = page.next_cursor;
    }
    return uids;
  };
  const found = await readAll('/v1/XA/trademarks?limit=7');
  assert.deepEqual([found.length, new Set(found).size], [120, 120]);
  const changed = await readAll('/v1/changes?since=2020-01-01&limit=11');
  assert.deepEqual([changed.length, new Set(changed).size], [120, 120]);
  assert.equal(await countUnits(servers.database.db, id), calls);
});
