/**
 * A worker and the coordinator of a Citus cluster are killed under load: calls answer 503 while it lasts, and nothing
 * of what was published is lost or repeated afterwards (docs/decisions/0112). The cluster is one of its own.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import type { ApiError } from '../../src/base/errors.ts';
import { buildLog } from '../../src/base/log.ts';
import type { Database } from '../../src/store/driver/db.ts';
import { translateFailure } from '../../src/store/driver/failures.ts';
import { announceLeftovers } from '../../src/store/publish/announce.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { CITUS_VARIABLE } from '../support/cluster.ts';
import { connectTestDatabase } from '../support/database.ts';
import { createOnNodes, joinNodes, listWorkerUrls, type TestNode } from '../support/nodes.ts';
import { startService, type TestService } from '../support/service.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

const skip = process.env[CITUS_VARIABLE] === undefined ? `${CITUS_VARIABLE} names no Citus cluster` : false;
const START = fileURLToPath(new URL('../../../ops/citus/start.sh', import.meta.url));
const NAME = 'killed';
const RECORDS = 40;

const run = promisify(execFile);

/** Kills the server of a node as a power failure would, and resolves once it is gone. */
async function killNode(folder: string, node: string): Promise<void> {
  const [pid] = (await readFile(join(folder, node, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await until(async () => {
    try {
      process.kill(Number(pid), 0);
      return false;
    } catch {
      return true;
    }
  });
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  while (!(await isReached())) await systemClock.sleep(50);
}

/** Publishes again and again until it succeeds, as who runs a load again. */
async function publishAtLast(db: Database, prefix: string): Promise<void> {
  for (;;) {
    try {
      await announceLeftovers(db);
      await publishRecords(db, buildRecords(RECORDS, {}, prefix));
      return;
    } catch {
      await systemClock.sleep(200);
    }
  }
}

interface Caller {
  readonly statuses: Map<number, number>;
  /** Bodies of answers that are neither what was stored nor a refusal. */
  readonly wrong: string[];
  end(): Promise<void>;
}

/** Asks for records and pages, one call after the other. */
function startCaller(service: TestService, key: string): Caller {
  const statuses = new Map<number, number>();
  const wrong: string[] = [];
  let isEnding = false;
  const calling = (async () => {
    for (let count = 0; !isEnding; count += 1) {
      const uid = `A${(count % RECORDS) + 1}`;
      const path = count % 3 === 0 ? '/v1/changes?since=1970-01-01' : `/v1/XA/trademarks/${uid}`;
      const answer = await service.call(path, { key });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const isRight =
        answer.status === 503 ||
        (answer.status === 200 &&
          (count % 3 === 0 ? hasWholePublishes(answer.text) : answer.text.includes(`"uid":"${uid}"`)));
      if (!isRight) wrong.push(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  })();
  return {
    statuses,
    wrong,
    end: async () => {
      isEnding = true;
      await calling;
    },
  };
}

/** Every publish of a page is there with all of its records. */
function hasWholePublishes(text: string): boolean {
  const { items } = JSON.parse(text) as { items: { uid: string }[] };
  const counts = new Map<string, number>();
  for (const { uid } of items) counts.set(uid[0]!, (counts.get(uid[0]!) ?? 0) + 1);
  return counts.has('A') && [...counts.values()].every((count) => count === RECORDS);
}

test('what Citus says without a code of a node that is away is unavailable', () => {
  for (const message of ['postmaster was shut down, exiting', 'failure on connection marked as essential: h:1']) {
    const raised = Object.assign(new Error(message), { code: 'XX000' });
    assert.equal((translateFailure(raised) as ApiError).code, 'unavailable', message);
  }
  const fault = Object.assign(new Error('invalid page in block 7'), { code: 'XX000' });
  assert.equal(translateFailure(fault), fault);
});

for (const node of ['worker1', 'coordinator']) {
  test(`${node} killed under load: 503 while it lasts, nothing lost or repeated after [I-19, I-26]`, {
    skip,
    timeout: 300_000,
  }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tmds-citus-'));
    const cluster = join(folder, 'cluster');
    t.after(async () => {
      await run(START, ['stop', '--folder', cluster]);
      await rm(folder, { recursive: true, force: true });
    });
    await run('chmod', ['0755', folder]);
    const { stdout } = await run(START, ['start', '--folder', cluster]);
    const url = stdout.trim();
    const admin = await connectTestDatabase(url, { poolMax: 2 });
    const nodes: TestNode[] = [{ url, admin }];
    for (const worker of await listWorkerUrls(admin, url)) {
      nodes.push({ url: worker, admin: await connectTestDatabase(worker, { poolMax: 1 }) });
    }
    await createOnNodes(nodes, NAME);
    const connect = ({ url: place }: { url: string }) =>
      connectTestDatabase(place.replace(/\/postgres$/, `/${NAME}`), { statementTimeoutMs: 20_000 });
    const db = await connect({ url });
    await joinNodes(db, nodes, connect);
    for (const { admin: used } of nodes) await used.close();
    await migrate(db);
    await publishRecords(db, buildRecords(RECORDS, {}, 'A'));
    const service = await startService(t, { database: { db, url }, log: buildLog({ level: 'error' }) });
    t.after(() => db.close());
    const { key } = await service.issue();
    const caller = startCaller(service, key);
    const publishing = publishAtLast(db, 'B');
    await killNode(cluster, node);
    await until(async () => caller.statuses.has(503));
    await run(START, ['start', '--folder', cluster]);
    await publishing;
    const before = caller.statuses.get(200) ?? 0;
    await until(async () => (caller.statuses.get(200) ?? 0) > before + RECORDS);
    await caller.end();
    assert.deepEqual(caller.wrong, []);
    assert.deepEqual([...caller.statuses.keys()].sort(), [200, 503]);
    await publishRecords(db, buildRecords(RECORDS, {}, 'C'));
    const page = await service.call('/v1/changes?since=1970-01-01', { key });
    const uids = (page.body as { items: { uid: string }[] }).items.map(({ uid }) => uid);
    const expected = ['A', 'B', 'C'].flatMap((prefix) =>
      buildRecords(RECORDS, {}, prefix).map(({ uid }) => String(uid)),
    );
    assert.deepEqual(uids.sort(), expected.sort());
  });
}
