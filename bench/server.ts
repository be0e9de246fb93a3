/**
 * A server process for the benchmarks: `server.ts URL KIND INDEX SNAPSHOTS SEARCHERS`, where INDEX is the folder for
 * snapshots of the index, SNAPSHOTS that of files for replicas, and SEARCHERS the number of search threads; empty = none,
 * and as many threads as usual. It prints its address. `metered` is this service; `open` is the same without keys, limits and metering; `usual` serves
 * look-ups and pages the usual way: Fastify, `pg`, a column for each field, rows as objects, JSON.stringify, no keys,
 * no metering; `usual-search` is the peer of the search benchmark.
 */
import { fastify } from 'fastify';
import pg from 'pg';
import type { Authenticator } from '../server/dist/access/authenticate.js';
import type { Meter } from '../server/dist/access/meter.js';
import { PEER_COLUMNS } from './search/data.ts';
import { startPeer } from './search/peer.ts';
import { buildApp, connectService, log, systemClock } from './service.ts';

const POOL_MAX = 8;
const url = process.argv[2] ?? '';

const everyone: Authenticator = (() => {
  const caller = {
    keyId: 'open',
    customerId: 'open',
    name: null,
    createdAt: '',
    secretNumber: 1,
    products: ['records'] as const,
  };
  return { authenticate: async () => caller, identify: async () => caller, identifyKey: async () => caller };
})();

const unmetered: Meter = {
  judge: async () => ({ refusal: null, rate: null, quota: null, unitDay: null, lastStamp: null }),
  state: () => ({ waitingCalls: 0, owedUnits: 0, takenUnits: 0, returnedUnits: 0 }),
  isTight: () => false,
  returnUnit: async () => undefined,
  close: async () => undefined,
};

async function startService(access?: { authenticator: Authenticator; meter: Meter }): Promise<string> {
  const app = buildApp({
    ...(await connectService(url, POOL_MAX, process.argv[4] || null, Number(process.argv[6]) || undefined)),
    clock: systemClock,
    config: {
      recordPrefix: 'records',
      analyticsPrefix: 'analytics',
      changeHorizonSeconds: 300,
      corsOrigins: [],
      snapshotsDir: process.argv[5] || null,
    },
    log,
    version: 'bench',
    ...(access === undefined ? {} : { access }),
  });
  return await app.listen({ port: 0, host: '127.0.0.1', listenTextResolver: () => '' });
}

async function startUsual(): Promise<string> {
  const types = {
    getTypeParser: ((oid: number) => ([1082, 1184].includes(oid) ? String : pg.types.getTypeParser(oid))) as never,
  };
  const pool = new pg.Pool({ connectionString: url, max: POOL_MAX, types, options: '-c timezone=UTC' });
  const columns = PEER_COLUMNS.filter((name) => !/_folded$|_text$|_variants$/.test(name)).join(', ');
  const app = fastify();
  app.get('/v1/:register/trademarks/:uid', async (request, reply) => {
    const { register, uid } = request.params as { register: string; uid: string };
    const text = `select ${columns} from peer.record where jurisdiction_code = $1 and uid = $2`;
    const { rows } = await pool.query({ name: 'look-up', text, values: [register, uid] });
    return rows[0] ?? reply.code(404).send({ error: { code: 'not_found' } });
  });
  app.get('/v1/:register/trademarks', async (request) => {
    const { register } = request.params as { register: string };
    const text = `select ${columns} from peer.record where jurisdiction_code = $1
      order by updated_at desc, jurisdiction_code desc, uid desc limit 51`;
    const { rows } = await pool.query({ name: 'page', text, values: [register] });
    const last = rows[49];
    const next_cursor = rows.length > 50 ? Buffer.from(JSON.stringify([last.updated_at, last.uid])) : null;
    return { items: rows.slice(0, 50), next_cursor: next_cursor?.toString('base64url') ?? null };
  });
  return await app.listen({ port: 0, host: '127.0.0.1' });
}

const SERVERS = {
  metered: () => startService(),
  open: () => startService({ authenticator: everyone, meter: unmetered }),
  usual: startUsual,
  'usual-search': () => startPeer(url),
};
export type ServerKind = keyof typeof SERVERS;

process.stdout.write(`${await SERVERS[process.argv[3] as ServerKind]()}\n`);
