/** Networks to callers that break, callers that read slowly, and callers that only connect. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './fault.ts';

const CUT_MS = 10_000;
const SLOW_READERS = 50;
const SLOW_MS = 20_000;
const SLOW_BYTES = 512;
const IDLE_CONNECTIONS = 10_000;
const IDLE_MS = 10_000;
const CONNECTING_MAX = 200;

/** Reads `SLOW_BYTES` ten times a second. */
async function readSlowly(port: number, key: string, until: AbortSignal): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const path = '/v1/XS/changes?since=2026-01-01&expand=payload&limit=50';
  socket.write(`GET ${path} HTTP/1.1\r\nHost: service.example\r\nX-Api-Key: ${key}\r\n\r\n`);
  let bytes = 0;
  while (!until.aborted && !socket.destroyed) {
    bytes += (socket.read(SLOW_BYTES) as Buffer | null)?.length ?? 0;
    await delay(100);
  }
  socket.destroy();
  return bytes;
}

async function connectIdle(port: number): Promise<Socket | null> {
  const socket = connect({ port, host: '127.0.0.1' });
  return await new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(null));
    socket.on('error', () => undefined);
  });
}

export const CALLER_FAULTS: readonly Fault[] = [
  {
    name: 'callers-cut',
    title: `network to a quarter of the callers cut in the middle of answers, for ${CUT_MS / 1000} s`,
    strike: async ({ callerWire, random }) => {
      callerWire.cutAfter(() => random.integer(1, 60_000));
      await delay(CUT_MS);
      callerWire.cutAfter(null);
    },
  },
  {
    name: 'slow-readers',
    title: `${SLOW_READERS} callers that take their pages of 1 MB at 5 KB a second`,
    strike: async ({ servers, otherKey }, { note }) => {
      const ending = new AbortController();
      const readers = Array.from({ length: SLOW_READERS }, (_, reader) =>
        readSlowly(servers[reader % servers.length]!.port, otherKey, ending.signal),
      );
      await delay(SLOW_MS);
      ending.abort();
      const bytes = await Promise.all(readers);
      note(`each had read ${Math.round(bytes.reduce((sum, each) => sum + each, 0) / bytes.length / 1000)} KB`);
    },
  },
  {
    name: 'idle-connections',
    title: `${IDLE_CONNECTIONS} idle connections to one server for ${IDLE_MS / 1000} s`,
    prepare: async () => ({ descriptorsMax: IDLE_CONNECTIONS + 2_000 }),
    strike: async ({ servers }, { note }) => {
      const sockets: (Socket | null)[] = [];
      while (sockets.length < IDLE_CONNECTIONS) {
        const batch = Array.from({ length: CONNECTING_MAX }, () => connectIdle(servers[0]!.port));
        sockets.push(...(await Promise.all(batch)));
      }
      await delay(IDLE_MS);
      const open = sockets.filter((socket) => socket !== null && !socket.destroyed);
      note(`${open.length} connections were open`);
      for (const socket of open) socket?.destroy();
    },
  },
];
