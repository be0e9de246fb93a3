/** A real server with the S3 protocol, on its own port, over files in a folder; and a way to spoil what it answers. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/base/clock.ts';
import type { ObjectStore } from '../../src/store/objects/object-store.ts';
import { openS3, type S3Options } from '../../src/store/objects/s3.ts';
import { makeFolder } from './loads.ts';

interface S3Server {
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

/** What happens to answers: `lie` gives other bytes of the same length; `away`: nobody listens. */
export type Fault = 'none' | 'cut' | 'hang' | 'error' | 'lie' | 'gone';

export interface TestObjects {
  readonly store: ObjectStore;
  readonly endpoint: string;
  readonly bucket: string;
  readonly keyId: string;
  readonly secret: string;
  /** Calls that came, by method. */
  readonly calls: Record<string, number>;
  fault: Fault;
  /** Another client of the same bucket. */
  open(options?: Partial<S3Options>): Promise<ObjectStore>;
}

const BUCKET = 'payloads';
const PATIENCE_MS = 60_000;
/** The only key that the server knows. */
const KEY = 'S3RVER';

export async function startObjects(t: { after: (work: () => Promise<void> | void) => void }): Promise<TestObjects> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: makeFolder(t),
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  const calls: Record<string, number> = {};
  const proxy = createServer((asked, answer) => {
    calls[asked.method!] = (calls[asked.method!] ?? 0) + 1;
    pass(asked, answer, { port, fault: started.fault });
  });
  const endpoint = `http://127.0.0.1:${await listen(proxy)}`;
  const open: TestObjects['open'] = (others = {}) =>
    openS3({
      endpoint,
      bucket: BUCKET,
      prefix: 'test/',
      region: 'us-east-1',
      keyId: KEY,
      secret: KEY,
      // However busy the machine is, only a server that hangs takes too long.
      clock: {
        ...systemClock,
        callAfter: (ms, call) => systemClock.callAfter(started.fault === 'hang' ? 20 : ms + PATIENCE_MS, call),
        sleep: (_ms, signal) => systemClock.sleep(1, signal),
      },
      ...others,
    });
  const started: TestObjects = {
    store: await open(),
    endpoint,
    bucket: BUCKET,
    keyId: KEY,
    secret: KEY,
    calls,
    fault: 'none',
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

function pass(asked: IncomingMessage, answer: ServerResponse, { port, fault }: { port: number; fault: Fault }): void {
  if (fault === 'hang') return;
  if (fault === 'gone') return void asked.socket.destroy();
  if (fault === 'error') return void answer.writeHead(500).end();
  const { method, url: path, headers } = asked;
  const call = request({ host: '127.0.0.1', port, method, path, headers }, async (given) => {
    const chunks: Buffer[] = [];
    for await (const chunk of given) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const isRead = method === 'GET' && given.statusCode === 200;
    answer.writeHead(given.statusCode ?? 500, given.headers);
    if (isRead && fault === 'cut') return answer.write(body.subarray(0, body.length >> 1), () => answer.destroy());
    if (isRead && fault === 'lie') body[body.length - 1]! ^= 0x55;
    return answer.end(body);
  });
  call.on('error', () => answer.destroy());
  asked.pipe(call);
}
