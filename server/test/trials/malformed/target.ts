/** The service that malformed requests are sent to: the real process, with records, a key and people signed in. */
import { buildApp } from '../../../src/app.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { Database } from '../../../src/database/driver/db.ts';

import { openLocalIndex } from '../../support/local-index.ts';
import { createCustomer, joinPortal, type Person } from '../../support/portal.ts';
import { type ServingProcess, startServing, waitFor } from '../../support/process.ts';
import { buildRecords, publishRecords } from '../../torture/publish.ts';
import { silentLog } from '../../torture/world.ts';
import { takePort } from '../ports.ts';
import { listServedPaths, type ServedPath } from './paths.ts';
import type { Credentials, PortalSession, Volley } from './requests.ts';

export interface StormTarget {
  readonly server: ServingProcess;
  readonly ports: Readonly<Record<Volley['port'], number>>;
  readonly paths: readonly ServedPath[];
  readonly credentials: Credentials;
}

type Context = Parameters<typeof startServing>[0];

const RECORDS = 200;
const SESSIONS = 3;
/** How many pages are visited for the tokens on their forms. */
const TOKEN_PAGES = 40;

export async function startStormTarget(t: Context, { url, db }: { url: string; db: Database }): Promise<StormTarget> {
  await publishRecords(db, buildRecords(RECORDS, { jurisdiction_code: 'XA', payload: { text: 'x' } }, 'XA-'));
  const metrics = await takePort();
  const server = await startServing(t, {
    DATABASE_URL: url,
    TMDS_METRICS_PORT: String(metrics),
    TMDS_LOG_FORMAT: 'json',
  });
  const ports = { api: Number(new URL(server.address).port), metrics };
  await waitFor(async () => (await fetch(`${server.address}/readyz`)).status === 200);
  const { key } = await createCustomer(db);
  const sessions: PortalSession[] = [];
  for (let made = 0; made < SESSIONS; made += 1) {
    sessions.push(await readSession(await joinPortal(server.address, await createCustomer(db))));
  }
  return { server, ports, paths: await listPaths(db), credentials: { key, sessions } };
}

export async function listPaths(db: Database): Promise<ServedPath[]> {
  return await listServedPaths(() =>
    buildApp({
      database: db,
      index: openLocalIndex(db),
      clock: systemClock,
      config: { recordPrefix: 'records', analyticsPrefix: 'analytics', changeHorizonSeconds: 300 },
      log: silentLog,
      version: '0.0.0-trial',
    }),
  );
}

async function readSession(person: Person): Promise<PortalSession> {
  const formTokens: string[] = [];
  let csrf = '';
  for (let visited = 0; visited < TOKEN_PAGES; visited += 1) {
    const { text } = await person.visit('/portal/team');
    csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? csrf;
    formTokens.push(...[...text.matchAll(/name="once" value="([^"]+)"/g)].map(([, token = '']) => token));
  }
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { cookie, csrf, formTokens };
}
