/** Many at a time, and slow: senders who never end, readers who never read, a crowd at the expensive doors. */
import type { Socket } from 'node:net';
import { systemClock } from '../../../src/base/clock.ts';
import type { Bound, ServerCase, World } from './hostile-case.ts';
import { open, send, writeHead } from './raw.ts';

const HOLD_MS = 3_000;

const AT_ONCE = 20;
const STEP_MS = 5;

/** Opens this many connections, holds them for a while, and closes them: some at a time, as a network brings them. */
async function hold(count: number, openOne: () => Socket): Promise<void> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    sockets.push(...Array.from({ length: AT_ONCE }, openOne));
    await systemClock.sleep(STEP_MS);
  }
  await systemClock.sleep(HOLD_MS);
  while (sockets.length > 0) {
    for (const socket of sockets.splice(0, AT_ONCE)) socket.destroy();
    await systemClock.sleep(STEP_MS);
  }
}

const CROWD = 300;
const PART = Buffer.alloc(2_600_000, 'a');

/** Heads that promise 4 MB, of which 2.6 come. */
function sendSlowBodies(world: World, key: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': '4000000', 'x-api-key': key };
  const head = writeHead({ method: 'PUT', path: '/v1/watches/slow', headers });
  return world.during('bodies', () =>
    hold(CROWD, () => {
      const socket = open(world.port).resume();
      socket.write(head);
      socket.write(PART);
      return socket;
    }),
  );
}

/** Uploads of the portal that do not come to their end. */
function sendSlowUploads(world: World): Promise<void> {
  const cookie = [...world.person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': '20000000', cookie };
  const head = writeHead({ method: 'POST', path: '/portal/reconcile', headers });
  const start = '--b\r\ncontent-disposition: form-data; name="docket"; filename="d.csv"\r\n\r\n';
  return world.during('uploads', () =>
    hold(CROWD, () => {
      const socket = open(world.port).resume();
      socket.write(head);
      socket.write(start);
      socket.write(PART);
      return socket;
    }),
  );
}

function sendHalfHeads(world: World): Promise<void> {
  return world.during('heads', () =>
    hold(2_000, () => {
      const socket = open(world.port).resume();
      socket.write(`GET /v1/health HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(8_000)}`);
      return socket;
    }),
  );
}

function readSlowly(world: World, path: string): Promise<void> {
  const head = writeHead({ path, headers: { 'x-api-key': world.key } });
  return world.during('pages', () =>
    hold(100, () => {
      const socket = open(world.port).pause();
      socket.write(head);
      return socket;
    }),
  );
}

async function askAtOnce(world: World, path: string, callers: number, calls: number, headers = {}): Promise<void> {
  await world.during(path.slice(0, 60), () =>
    Promise.all(
      Array.from({ length: callers }, async () => {
        for (let made = 0; made < calls; made += 1) {
          world.count(await send(world.port, { path, headers: { 'x-api-key': world.key, ...headers } }));
        }
      }),
    ),
  );
}

/** So many requests in one write, none of whose answers is read. */
function sendPipelined(world: World): Promise<void> {
  const one = writeHead(
    { path: '/v1/trademarks?status=Pending&limit=500', headers: { 'x-api-key': world.key } },
    false,
  );
  const all = Buffer.concat(Array.from({ length: 1_000 }, () => one));
  return world.during('requests', () =>
    hold(AT_ONCE, () => {
      const socket = open(world.port).pause();
      socket.write(all);
      return socket;
    }),
  );
}

/** Two hundred thousand pieces of one byte. */
async function sendPieces(world: World): Promise<void> {
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked', 'x-api-key': world.key };
  const head = writeHead({ method: 'PUT', path: '/v1/watches/pieces', headers });
  await world.during('pieces', async () => {
    await hold(AT_ONCE, () => {
      const socket = open(world.port).resume();
      socket.write(head);
      socket.write('1\r\na\r\n'.repeat(200_000));
      return socket;
    });
  });
}

async function signInAtOnce(world: World): Promise<void> {
  const { person } = world;
  const form = { email: 'a@example.org', password: 'wrong' };
  await world.during('sign-ins', () =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async () => world.count((await person.post('/portal/sign-in', form)).status)),
    ),
  );
}

/**
 * Node.js parses what one read of a connection brought, 64 KB at most, before anything else: hundreds of requests, or
 * ten thousand pieces of a body, for each of the twenty connections. Nothing of this service runs in between.
 */
const PARSED_AT_ONCE: Partial<Bound> = { pauseMs: 500, memoryMb: 400 };

const SINCE = '2020-01-01T00:00:00Z';

export const CROWD_CASES: readonly ServerCase[] = [
  {
    name: 'slow-bodies',
    title: '300 bodies that come slowly',
    play: (world) => sendSlowBodies(world, world.key),
  },
  {
    name: 'slow-spent-bodies',
    title: '300 bodies that come slowly, with a key whose rate and quota are used up',
    play: (world) => sendSlowBodies(world, world.spentKey),
  },
  { name: 'slow-uploads', title: '300 uploads that come slowly', play: sendSlowUploads },
  { name: 'slow-heads', title: '2,000 connections with half a head', play: sendHalfHeads },
  {
    name: 'slow-feed-readers',
    title: '100 readers of pages of 5,000 changes who read nothing',
    play: (world) => readSlowly(world, `/v1/changes?since=${SINCE}&limit=5000`),
    // Each page is some 5 MB, of which a socket and its stream hold a part.
    bound: { memoryMb: 512 },
  },
  {
    name: 'slow-payload-readers',
    title: '100 readers of pages with payloads who read nothing',
    play: (world) => readSlowly(world, `/v1/changes?since=${SINCE}&limit=500&expand=payload`),
    bound: { memoryMb: 512 },
  },
  {
    name: 'brackets',
    title: 'numbers with 15,000 brackets over eight connections',
    play: (world) => askAtOnce(world, `/v1/US/numbers?numbers=${'('.repeat(15_000)}`, 8, 25),
  },
  {
    name: 'languages-at-once',
    title: 'Accept-Language with 5,000 blanks over eight connections, without a key',
    play: (world) => askAtOnce(world, '/portal/sign-in', 8, 25, { 'accept-language': `en${' '.repeat(5_000)}!` }),
  },
  {
    name: 'feed-pages',
    title: 'pages of 5,000 changes over eight connections',
    play: (world) => askAtOnce(world, `/v1/changes?since=${SINCE}&limit=5000`, 8, 10),
    bound: { memoryMb: 512 },
  },
  {
    name: 'broad-searches',
    title: 'searches over everything with counts, over sixteen connections',
    play: (world) => askAtOnce(world, '/v1/trademarks?status=Pending&count=exact&limit=500', 16, 10),
  },
  {
    name: 'pipelined',
    title: 'twenty connections with 1,000 searches each in one write',
    play: sendPipelined,
    bound: PARSED_AT_ONCE,
  },
  { name: 'pieces', title: 'bodies in pieces of one byte', play: sendPieces, bound: PARSED_AT_ONCE },
  { name: 'sign-ins', title: 'twenty sign-ins at once', play: signInAtOnce },
];
