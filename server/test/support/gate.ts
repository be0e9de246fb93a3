/** The way to a database, at which each connection is passed on, cut, or left without a word. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from './service.ts';
import { dialDatabase } from './tls-database.ts';

export type Treatment = 'passed' | 'cut' | 'silent';

export interface Gate {
  readonly url: string;
  /** Connections that came so far. */
  readonly asked: () => number;
}

/** `treat` is given the place of a connection, from 1. */
export async function startGate(t: TestContext, url: string, treat: (place: number) => Treatment): Promise<Gate> {
  const sockets = new Set<Socket>();
  let asked = 0;
  const server = createServer((near) => {
    asked += 1;
    sockets.add(near.on('error', () => undefined));
    const treatment = treat(asked);
    if (treatment === 'cut') near.destroy();
    if (treatment !== 'passed') return;
    const far = dialDatabase(new URL(url));
    sockets.add(far.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const front = new URL(url);
  front.searchParams.delete('host');
  front.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: front.href, asked: () => asked };
}
