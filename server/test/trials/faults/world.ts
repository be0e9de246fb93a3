/**
 * What a fault is played on: a PostgreSQL, two servers that are started again when they end, publishers, replicas of
 * the feed, and callers of every kind. The oracle of the torture harness notes every committed change.
 */
import { connect } from 'node:net';
import { issueKey } from '../../../src/access/keys.ts';
import type { Database } from '../../../src/database/driver/db.ts';
import { makeFolder } from '../../support/folder.ts';
import { dialDatabase } from '../../support/tls-database.ts';
import { type Kept, keepAlive } from '../../torture/kept.ts';
import { publishRecords, type SourceFields } from '../../torture/publish.ts';
import { buildRandom, type Random } from '../../torture/random.ts';
import { installSkewedClock } from '../../torture/skew.ts';
import { putWatches } from '../../torture/told-hits.ts';
import { installOracle, payloadTextOf, writeControl } from '../../torture/world.ts';
import type { CallKind } from '../callers.ts';
import { startTrialPostgres, type TrialPostgres } from '../postgres.ts';
import { type KeptServer, keepServer } from '../serving.ts';
import { startWire, type Wire } from '../wire.ts';

export interface WorldOptions {
  /** The folder of the database; default: that for temporary files. */
  readonly within?: string;
  /** Options of Node.js for the servers, such as a limit of their memory. */
  readonly nodeOptions?: string;
  readonly descriptorsMax?: number;
}

export interface World {
  readonly folder: string;
  readonly random: Random;
  readonly postgres: TrialPostgres;
  readonly db: Database;
  readonly servers: readonly KeptServer[];
  readonly writers: readonly Kept[];
  readonly pollers: readonly Kept[];
  /** Between the servers and their database. */
  readonly databaseWire: Wire;
  /** Between callers and the second server. */
  readonly callerWire: Wire;
  /** The key of the callers, whose units are checked. */
  readonly key: string;
  readonly keyId: string;
  /** For calls of the fault itself. */
  readonly otherKey: string;
  readonly kinds: readonly CallKind[];
}

type Context = Parameters<typeof startTrialPostgres>[0];

const HORIZON_SECONDS = 1;
const WRITERS = 2;
const POLLERS = 3;
const RECORDS = 400;
const BATCH_MAX = 60;
/** Never changed by publishers, so that callers always find them. */
const STILL_RECORDS = 50;
/** The length of the mark; the payload is 20 times as long, as replicas expect of every fifth number. */
const STILL_NAME_LENGTH = 1_000;

export async function buildWorld(t: Context, seed: number, options: WorldOptions): Promise<World> {
  const folder = makeFolder(t);
  const postgres = await startTrialPostgres(t, options.within === undefined ? {} : { within: options.within });
  const { db, url } = postgres;
  await installOracle(db);
  await installSkewedClock(db);
  const order = { name: null, products: ['records'], quota: null, actor: 'trial' } as const;
  const terms = { ...order, rateLimitPerMinute: 1_000_000_000 };
  const { key, id: keyId } = await issueKey(db, { ...terms, customer: 'callers' });
  const { key: otherKey } = await issueKey(db, { ...terms, customer: 'others' });
  await putWatches(db);
  await publishRecords(db, buildStillRecords());

  const databaseWire = await startWire(t, () => dialDatabase(new URL(url)));
  const servers = await startServers(t, reachThrough(url, databaseWire), options);
  const callerWire = await startWire(t, () => connect(servers[1]!.port, '127.0.0.1'));
  writeControl(folder, { phase: 'write', until: null });
  const common = { folder, databaseUrl: url, seed, records: RECORDS, batchMax: BATCH_MAX };
  const assignment = { ...common, horizonSeconds: HORIZON_SECONDS, port: servers[0]!.port, key: otherKey };
  const writers = Array.from({ length: WRITERS }, (_, index) => keepAlive('writer', { ...assignment, index }));
  const pollers = Array.from({ length: POLLERS }, (_, index) => keepAlive('poller', { ...assignment, index }));
  t.after(async () => {
    for (const process of [...writers, ...pollers]) process.stop();
  });
  for (const server of servers) await server.untilReady();
  const random = buildRandom(seed, 11);
  const world = { folder, random, postgres, db, servers, writers, pollers, databaseWire, callerWire };
  return { ...world, key, keyId, otherKey, kinds: KINDS };
}

function reachThrough(url: string, wire: Wire): string {
  const front = new URL(url);
  front.host = `127.0.0.1:${wire.port}`;
  front.searchParams.delete('host');
  return front.href;
}

async function startServers(t: Context, databaseUrl: string, options: WorldOptions): Promise<KeptServer[]> {
  const servers: KeptServer[] = [];
  while (servers.length < 2) {
    const environment = {
      DATABASE_URL: databaseUrl,
      TMDS_DATA_DIR: makeFolder(t),
      TMDS_CHANGE_HORIZON_SECONDS: String(HORIZON_SECONDS),
      ...(options.nodeOptions === undefined ? {} : { NODE_OPTIONS: options.nodeOptions }),
    };
    const { descriptorsMax } = options;
    servers.push(await keepServer(t, environment, descriptorsMax === undefined ? {} : { descriptorsMax }));
  }
  return servers;
}

const uidOf = (index: number): string => `s${index * 5}`;
const stillUid = (random: Random): string => uidOf(random.integer(0, STILL_RECORDS - 1));

function buildStillRecords(): SourceFields[] {
  return Array.from({ length: STILL_RECORDS }, (_, index) => {
    const mark_name = `still ${index} `.padEnd(STILL_NAME_LENGTH, 'z');
    const uid = uidOf(index);
    return { jurisdiction_code: 'XS', uid, mark_name, payload: { text: payloadTextOf(uid, mark_name) } };
  });
}

/** Every one of them is answered with 200 when nothing is wrong. */
const KINDS: readonly CallKind[] = [
  { name: 'look-up', metered: true, path: (random) => `/v1/XS/trademarks/${stillUid(random)}` },
  { name: 'payload', metered: true, path: (random) => `/v1/XS/trademarks/${stillUid(random)}?expand=payload` },
  { name: 'search', metered: true, path: (random) => `/v1/trademarks?jurisdiction=XS&limit=${random.integer(1, 50)}` },
  {
    name: 'name search',
    metered: true,
    path: () => '/v1/XS/trademarks?mark_name_contains=still&expand=payload&limit=9',
  },
  { name: 'feed', metered: true, path: () => '/v1/changes?since=2026-01-01&limit=200' },
  { name: 'feed with payloads', metered: true, path: () => '/v1/XS/changes?since=2026-01-01&expand=payload&limit=50' },
  { name: 'registers', metered: true, path: () => '/v1/jurisdictions' },
  { name: 'usage', metered: true, path: () => '/v1/usage' },
  { name: 'portal', metered: false, path: () => '/portal/sign-in' },
];
