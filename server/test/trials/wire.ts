/** A network between two processes that can be cut, or fall silent, while bytes are on their way. */
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Wire {
  readonly port: number;
  /** Nothing more arrives on either side, and nothing is said about it. New connections as well. */
  silence(): void;
  /** What was silenced is cut; new connections pass. */
  restore(): void;
  /** Breaks every connection. */
  cut(): void;
  /** From now on each connection is broken after this many bytes of answers; null = none is. */
  cutAfter(bytes: (() => number) | null): void;
}

interface Context {
  after(work: () => Promise<void>): void;
}

export async function startWire(t: Context, dial: () => Socket): Promise<Wire> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isSilent = false;
  let limitOf: (() => number) | null = null;
  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  const server = createServer((near) => {
    const far = dial();
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    if (isSilent) return;
    near.pipe(far);
    let passed = 0;
    let limit = limitOf?.() ?? Number.POSITIVE_INFINITY;
    far.on('data', (chunk) => {
      if (limitOf !== null && limit === Number.POSITIVE_INFINITY) limit = passed + limitOf();
      passed += chunk.length;
      if (passed > limit && limitOf !== null) {
        near.write(chunk.subarray(0, chunk.length - (passed - limit)), end);
        return;
      }
      if (!near.write(chunk)) far.pause();
    });
    near.on('drain', () => far.resume());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    silence: () => {
      isSilent = true;
      for (const [near, far] of pairs) {
        near.unpipe(far);
        near.pause();
        far.pause();
      }
    },
    restore: () => {
      isSilent = false;
      cut();
    },
    cutAfter: (bytes) => {
      limitOf = bytes;
    },
  };
}
