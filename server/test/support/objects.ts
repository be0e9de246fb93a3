/**
 * A real server with the S3 protocol, on its own port, over files in a folder. What is in front of it checks every
 * signature, which that server does not, and can spoil what it answers.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { ObjectStore } from '../../src/objects/object-store.ts';
import { openS3, type S3Options } from '../../src/objects/s3.ts';
import { makeFolder } from './folder.ts';
import { type Refusal, refuseRequest } from './signed-requests.ts';

interface WrittenObject {
  readonly bucket: string;
  readonly key: string;
  readonly content: Readable;
  readonly metadata: object;
}

interface S3Server {
  readonly store: {
    getResourcePath(bucket: string, key: string, resource: 'object' | 'object.md5' | 'metadata.json'): string;
    putObject(object: WrittenObject): Promise<{ size: number; md5: string }>;
  };
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/** It comes without types. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: {
  port: number;
  address: string;
  silent: boolean;
  directory: string;
  configureBuckets: { name: string }[];
}) => S3Server;

/**
 * What happens to calls. `gone`: they are cut off; `error` and `busy` are answered so; `hang`: they are taken and never
 * answered; `late`: each is answered after some time. The others are about objects that are read: `cut` and `stall`
 * half-way, `trickle` gives some bytes a second, `flow` as much as is just enough, `lie` other bytes of the same length.
 */
export type Fault =
  | 'none'
  | ('gone' | 'error' | 'busy' | 'hang' | 'late')
  | ('cut' | 'stall' | 'trickle' | 'flow' | 'lie');

export interface TestObjects {
  readonly store: ObjectStore;
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  /** Calls that came, by method. */
  readonly calls: Record<string, number>;
  /** Codes of the calls that were refused for their signature. */
  readonly refused: string[];
  fault: Fault;
  /** How many calls the fault is for; then there is none. */
  faultsLeft: number;
  /** By how much the server's clock is ahead of this machine's. */
  aheadMs: number;
  /** How long clients have waited, by their own clock, which passes only while they wait for nothing else to happen. */
  readonly waitedMs: () => number;
  /** Called with each call, before it is passed on. */
  onCall: (method: string) => void;
  /** Another client of the same bucket. */
  open(options?: Partial<S3Options>): Promise<ObjectStore>;
}

const BUCKET = 'payloads';
const REGION = 'eu-test-1';
const KEY = 'S3RVER';
/** As secrets may be: with what has a meaning in addresses and headers. */
const SECRET = 'test/secret+with=all&that %7E';
/** However busy the machine is, a server that answers is not late. */
const PATIENCE_MS = 60_000;

/**
 * That server answers before the file is written, so that a busy machine may read an empty object. A real store
 * answers once an object is whole, and never shows a part of one.
 */
function writeWhole({ store }: S3Server): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = await buffer(content);
    const md5 = createHash('md5').update(bytes).digest('hex');
    const parts = { 'metadata.json': JSON.stringify(metadata), 'object.md5': md5, object: bytes } as const;
    for (const resource of ['metadata.json', 'object.md5', 'object'] as const) {
      const path = store.getResourcePath(bucket, key, resource);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, parts[resource]);
      renameSync(`${path}.new`, path);
    }
    return { size: bytes.length, md5 };
  };
}

interface Time {
  readonly clock: Clock;
  /** For a wait that began then. */
  readonly advance: (ms: number, fromMs?: number) => void;
  /** As long as what is waited for needs to be late: nothing more will come. */
  readonly expire: () => void;
  /** How many limits have been set: one for each try, and one whenever its bytes have come. */
  readonly limitsSet: () => number;
}

/** Passes only where a server lets it, so that a busy machine makes nothing late. */
function buildTime(): Time {
  let nowMs = 0;
  let limits = 0;
  const dueMs = new Map<() => void, number>();
  const advance: Time['advance'] = (ms, fromMs = nowMs) => {
    const untilMs = fromMs + ms;
    for (;;) {
      const [first] = [...dueMs].sort(([, one], [, other]) => one - other);
      if (first === undefined || first[1] > untilMs) break;
      nowMs = Math.max(nowMs, first[1]);
      first[0]();
    }
    nowMs = Math.max(nowMs, untilMs);
  };
  const clock: Clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    sleep: async (ms, signal) => {
      const fromMs = nowMs;
      await systemClock.sleep(1, signal);
      advance(ms, fromMs);
    },
    callAfter: (ms, act) => {
      const fire = (): void => {
        disarm();
        act();
      };
      const stop = systemClock.callAfter(PATIENCE_MS, fire);
      const disarm = (): void => {
        stop();
        dueMs.delete(fire);
      };
      dueMs.set(fire, nowMs + ms);
      limits += 1;
      return disarm;
    },
  };
  // A wait that is counted in steps sets its next timer as one goes off.
  const expire = (): void => {
    while (dueMs.size > 0) advance(0, Math.max(...dueMs.values()));
  };
  return { clock, advance, expire, limitsSet: () => limits };
}

export async function startObjects(t: { after: (work: () => Promise<void> | void) => void }): Promise<TestObjects> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: makeFolder(t),
    configureBuckets: [{ name: BUCKET }],
  });
  writeWhole(server);
  const { port } = await server.run();
  const calls: Record<string, number> = {};
  const time = buildTime();
  const { clock } = time;
  const proxy = createServer(async (asked, answer) => {
    const body = await buffer(asked).catch(() => null);
    if (body === null) return;
    calls[asked.method!] = (calls[asked.method!] ?? 0) + 1;
    started.onCall(asked.method!);
    const nowMs = systemClock.nowMs() + started.aheadMs;
    const refusal = refuseRequest(asked, body, { keyId: KEY, secret: SECRET, region: REGION }, nowMs);
    answer.setHeader('date', new Date(nowMs).toUTCString());
    if (refusal !== null) {
      started.refused.push(refusal.code);
      return refuse(answer, 403, refusal);
    }
    const { fault } = started;
    if (fault !== 'none') {
      started.faultsLeft -= 1;
      if (started.faultsLeft === 0) started.fault = 'none';
    }
    const isOver = (): boolean => answer.destroyed || (started.fault !== fault && started.faultsLeft !== 0);
    pass(asked, answer, { body, port, fault, time, isOver });
  });
  // A connection that it closes while a client begins to use it again would be a separate fault.
  proxy.keepAliveTimeout = PATIENCE_MS;
  const endpoint = `http://127.0.0.1:${await listen(proxy)}`;
  const own = { endpoint, bucket: BUCKET, prefix: 'test/', region: REGION, keyId: KEY, secret: SECRET, clock };
  const open: TestObjects['open'] = (others = {}) => openS3({ ...own, ...others });
  const started: TestObjects = {
    store: await open(),
    ...{ endpoint, bucket: BUCKET, region: REGION, keyId: KEY, secret: SECRET },
    calls,
    refused: [],
    fault: 'none',
    faultsLeft: Number.POSITIVE_INFINITY,
    aheadMs: 0,
    waitedMs: () => clock.monotonicMs(),
    onCall: () => undefined,
    open,
  };
  t.after(async () => {
    started.store.close();
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    await server.close();
  });
  return started;
}

function listen(proxy: Server): Promise<number> {
  return new Promise((resolve) => {
    proxy.listen(0, '127.0.0.1', () => resolve((proxy.address() as AddressInfo).port));
  });
}

function refuse(answer: ServerResponse, status: number, { code, message }: Refusal): void {
  answer.writeHead(status, { 'content-type': 'application/xml' });
  answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

interface Passing {
  readonly body: Buffer;
  readonly port: number;
  readonly fault: Fault;
  readonly time: Time;
  /** The client has given it up already. */
  readonly isOver: () => boolean;
}

function pass(
  asked: IncomingMessage,
  answer: ServerResponse,
  { body: sent, port, fault, time, isOver }: Passing,
): void {
  const expire = (): void => {
    if (!isOver()) time.expire();
  };
  if (fault === 'hang') return void setImmediate(expire);
  if (fault === 'gone') return void asked.socket.destroy();
  if (fault === 'error') return void answer.writeHead(500).end();
  if (fault === 'busy')
    return void refuse(answer, 503, { code: 'SlowDown', message: 'Please reduce your request rate.' });
  const { method, url: path } = asked;
  // The server has another clock than what is in front of it.
  const headers = {
    ...asked.headers,
    'x-amz-date': new Date(systemClock.nowMs()).toISOString().replace(/[-:]|\.\d+/g, ''),
  };
  const fromMs = time.clock.monotonicMs();
  const call = request({ host: '127.0.0.1', port, method, path, headers }, async (given) => {
    const { date: _, ...givenHeaders } = given.headers;
    const body = await buffer(given);
    if (fault === 'late') time.advance(LATE_MS, fromMs);
    const isRead = method === 'GET' && given.statusCode === 200;
    answer.writeHead(given.statusCode ?? 500, givenHeaders);
    const half = body.subarray(0, body.length >> 1);
    if (isRead && fault === 'cut') return answer.write(half, () => answer.destroy());
    if (isRead && fault === 'stall') return answer.write(half, () => setImmediate(expire));
    if (isRead && fault === 'trickle') return sendSlowly(answer, body, { chunkBytes: 1, chunkMs: 200, time, isOver });
    if (isRead && fault === 'flow') return sendSlowly(answer, body, { chunkBytes: 65_536, chunkMs: 120, time, isOver });
    if (isRead && fault === 'lie') body[body.length - 1]! ^= 0x55;
    return answer.end(body);
  });
  call.on('error', () => answer.destroy());
  call.end(sent);
}

const LATE_MS = 450;

interface Pace {
  readonly chunkBytes: number;
  readonly chunkMs: number;
  readonly time: Time;
  readonly isOver: () => boolean;
}

async function sendSlowly(answer: ServerResponse, body: Buffer, pace: Pace): Promise<void> {
  const { chunkBytes, chunkMs, time, isOver } = pace;
  let fromMs = time.clock.monotonicMs();
  for (let at = 0; at < body.length && !isOver(); at += chunkBytes) {
    const before = time.limitsSet();
    await new Promise((resolve) => answer.write(body.subarray(at, at + chunkBytes), resolve));
    // Until the client has read it.
    while (!isOver() && time.limitsSet() === before) await systemClock.sleep(1);
    if (isOver()) break;
    time.advance(chunkMs, fromMs);
    fromMs += chunkMs;
  }
  answer.end();
}
