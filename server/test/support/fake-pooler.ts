/**
 * A pooler in front of a test's database that speaks PostgreSQL's protocol. Its clients share a few sessions, each lent
 * for one transaction or for as long as the client stays.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';

export interface PoolerOptions {
  /** `session`: for as long as the client stays; otherwise for one transaction, taken from a stack or from a queue. */
  readonly lends: 'session' | 'stack' | 'queue';
  readonly sessions: number;
  /** Resets a session whenever nothing is running in it. */
  readonly resets?: boolean;
}

type Context = { after(work: () => Promise<void>): void };

interface Upstream {
  readonly socket: Socket;
  client: Socket | null;
  /** Whether to swallow answers that are not for the client: those to a reset. */
  muted: boolean;
}

const READY = 'Z'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);
const SSL_REQUEST = 80877103;

/** Resolves to the pooler's address, for the same database. */
export async function startFakePooler(t: Context, url: string, options: PoolerOptions): Promise<string> {
  const idle: Upstream[] = [];
  const waiting: Socket[] = [];
  const held = new Map<Socket, Buffer[]>();
  const lent = new Map<Socket, Upstream>();

  const lend = (): void => {
    while (waiting.length > 0 && idle.length > 0) {
      const upstream = (options.lends === 'queue' ? idle.shift() : idle.pop())!;
      const client = waiting.shift()!;
      upstream.client = client;
      lent.set(client, upstream);
      for (const message of held.get(client)!.splice(0)) upstream.socket.write(message);
    }
  };
  const giveBack = (upstream: Upstream): void => {
    if (upstream.client !== null) lent.delete(upstream.client);
    upstream.client = null;
    idle.push(upstream);
    lend();
  };
  const settle = (upstream: Upstream): void => {
    if (options.resets && !upstream.muted) {
      upstream.muted = true;
      upstream.socket.write(frame('Q', 'discard all\0'));
    } else {
      upstream.muted = false;
      const { client } = upstream;
      if (client !== null) for (const message of held.get(client)!.splice(0)) upstream.socket.write(message);
      if (options.lends !== 'session' || upstream.client === null) giveBack(upstream);
    }
  };

  for (let count = 0; count < options.sessions; count += 1) {
    const client = new pg.Client({ connectionString: url });
    // Its connection is cut at the end.
    client.on('error', () => undefined);
    await client.connect();
    const socket = (client as unknown as { connection: { stream: Socket } }).connection.stream;
    socket.removeAllListeners('data');
    const upstream: Upstream = { socket, client: null, muted: false };
    idle.push(upstream);
    const read = splitMessages(1, (message) => {
      const isIdle = message[0] === READY && message[5] === 'I'.charCodeAt(0);
      if (!upstream.muted) upstream.client?.write(message);
      if (isIdle) settle(upstream);
    });
    socket.on('data', read);
  }

  const server = createServer((client) => {
    held.set(client, []);
    const take = (message: Buffer): void => {
      if (message[0] === TERMINATE) return void client.end();
      const upstream = lent.get(client);
      if (upstream !== undefined && !upstream.muted) return void upstream.socket.write(message);
      held.get(client)!.push(message);
      if (upstream !== undefined) return;
      if (!waiting.includes(client)) waiting.push(client);
      lend();
    };
    const readMessages = splitMessages(1, take);
    const readStartup = splitMessages(0, (message) => {
      if (message.readInt32BE(4) === SSL_REQUEST) return void client.write('N');
      client.removeListener('data', readStartup);
      client.on('data', readMessages);
      // Authentication has ended, and the client may send queries.
      client.write(Buffer.concat([frame('R', Buffer.alloc(4)), frame('K', Buffer.alloc(8)), frame('Z', 'I')]));
    });
    client.on('data', readStartup);
    client.on('error', () => client.destroy());
    client.on('close', () => {
      const upstream = lent.get(client);
      if (options.lends === 'session' && upstream !== undefined) giveBack(upstream);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.close();
    for (const client of held.keys()) client.destroy();
    for (const { socket } of [...idle, ...lent.values()]) socket.destroy();
  });
  const pooled = new URL(url);
  pooled.searchParams.delete('host');
  pooled.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return pooled.href;
}

function frame(type: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body as string);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

/** Whole messages, however the socket cuts them; `lengthAt` is the offset of their length. */
function splitMessages(lengthAt: number, onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= lengthAt + 4) {
      const length = lengthAt + rest.readInt32BE(lengthAt);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      onMessage(Buffer.from(message));
    }
  };
}
