/** The service that hostile requests are sent to, with a monitor of its event loop, and a quiet caller. */
import { connect } from 'node:net';
import { join } from 'node:path';
import { PRODUCTS } from '@tmds/contract/enums';
import { issueKey } from '../../../src/access/keys.ts';
import { startThread } from '../../../src/base/threads.ts';
import type { Database } from '../../../src/database/driver/db.ts';
import { makeFolder } from '../../support/folder.ts';
import { createCustomer, joinPortal } from '../../support/portal.ts';
import { type Running, startServing, waitFor } from '../../support/process.ts';
import { buildRecords, publishRecords } from '../../torture/publish.ts';
import { listPaths } from '../malformed/target.ts';
import type { World } from './hostile-case.ts';
import type { FeltTimes, QuietData } from './quiet-caller.ts';
import { send } from './raw.ts';

export interface HostileTarget {
  readonly server: Running;
  readonly world: Omit<World, 'ask' | 'during' | 'count'>;
  /** Longest time that the event loop stood since this was last asked, in ms. */
  readPauseMs(): Promise<number>;
  /** The same for the quiet caller. */
  readFelt(): Promise<FeltTimes>;
}

type Context = { after(work: () => Promise<void>): void };

/** More than a page of the feed holds. */
const RECORDS = 5_500;
const PRELOADED = new URL('./stalls.mjs', import.meta.url);

export async function startHostileTarget(
  t: Context,
  { url, db }: { url: string; db: Database },
): Promise<HostileTarget> {
  await publishRecords(db, buildRecords(RECORDS, { jurisdiction_code: 'XA', payload: { text: 'x' } }, 'XA-'));
  const folder = makeFolder(t);
  const socket = join(folder, 'pauses');
  const server = await startServing(t, {
    DATABASE_URL: url,
    TMDS_DATA_DIR: folder,
    TMDS_LOG_FORMAT: 'json',
    TRIAL_STALLS: socket,
    NODE_OPTIONS: `--import=${PRELOADED.href}`,
  });
  await waitFor(async () => (await fetch(`${server.address}/readyz`)).status === 200);
  const port = Number(new URL(server.address).port);
  const uid = 'XA-1';
  const path = `/v1/XA/trademarks/${uid}`;
  const customer = await createCustomer(db, { products: [...PRODUCTS] });
  const spent = await issueKey(db, {
    customer: 'spent',
    name: 'spent',
    products: ['records'],
    quota: 1,
    rateLimitPerMinute: 1,
    actor: 'trial',
  });
  for (const _ of [1, 2]) await send(port, { path, headers: { 'x-api-key': spent.key } });
  const person = await joinPortal(server.address, await createCustomer(db));
  const quiet = startThread(new URL('./quiet-caller.js', import.meta.url), {
    workerData: { port, path, key: (await createCustomer(db)).key } satisfies QuietData,
  });
  t.after(async () => void (await quiet.terminate()));
  const readFelt = (): Promise<FeltTimes> =>
    new Promise((resolve) => {
      quiet.once('message', resolve);
      quiet.postMessage(null);
    });
  return {
    server,
    world: { port, key: customer.key, spentKey: spent.key, uid, person, paths: await listPaths(db) },
    readPauseMs: () => readPauseMs(socket),
    readFelt,
  };
}

function readPauseMs(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    connect(path)
      .on('data', (chunk) => {
        said += chunk.toString();
      })
      .once('error', reject)
      .once('close', () => resolve(Number(said)));
  });
}
