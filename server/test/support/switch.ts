/**
 * A switch in front of several servers, as a load balancer is: it asks each for `/readyz`, passes calls on to those that
 * are ready, in turn, over connections that it keeps, and never repeats a call. What it could not pass on is counted.
 */
import { Agent, createServer, get, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/base/clock.ts';

export interface Switch {
  readonly url: string;
  /** Adds a server, `http://HOST:PORT`. Resolves when it is ready and gets calls. */
  add(address: string): Promise<void>;
  /** Takes a server out permanently. */
  remove(address: string): void;
  /** Addresses that get calls at this moment. */
  ready(): string[];
  /** Calls that could not be passed on, or whose answer broke off: why. */
  readonly failures: string[];
}

interface Backend {
  readonly address: string;
  readonly agent: Agent;
  isReady: boolean;
}

type Context = { after(work: () => Promise<void>): void };

export async function startSwitch(t: Context, { probeMs = 50 }: { probeMs?: number } = {}): Promise<Switch> {
  const backends = new Map<string, Backend>();
  const failures: string[] = [];
  const ending = new AbortController();
  let turn = 0;

  const listReady = (): Backend[] => [...backends.values()].filter(({ isReady }) => isReady);
  const server = createServer((call, answer) => {
    const ready = listReady();
    const backend = ready[turn++ % Math.max(1, ready.length)];
    const fail = (why: string): void => {
      failures.push(`${call.url}: ${why}`);
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end();
    };
    if (backend === undefined) return fail('no server is ready');
    const passed = request(`${backend.address}${call.url}`, {
      method: call.method ?? 'GET',
      headers: { ...call.headers, connection: 'keep-alive' },
      agent: backend.agent,
    });
    passed.on('error', (error) => fail(`${backend.address} ${error.message}`));
    passed.on('response', (received) => {
      const { connection: _, 'keep-alive': __, ...headers } = received.headers;
      answer.writeHead(received.statusCode ?? 502, headers);
      received.on('error', (error) => fail(`${backend.address} broke off: ${error.message}`));
      received.pipe(answer);
    });
    // A caller who leaves is no failure of the servers.
    answer.on('close', () => {
      if (!answer.writableFinished) passed.destroy();
    });
    call.pipe(passed);
  });

  const probe = async (backend: Backend): Promise<void> => {
    while (!ending.signal.aborted && backends.get(backend.address) === backend) {
      backend.isReady = await isReady(backend.address);
      await systemClock.sleep(probeMs, ending.signal).catch(() => undefined);
    }
    backend.isReady = false;
    backend.agent.destroy();
  };
  const url = await listen(server);
  t.after(async () => {
    ending.abort();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url,
    failures,
    ready: () => listReady().map(({ address }) => address),
    remove: (address) => void backends.delete(address),
    add: async (address) => {
      const backend: Backend = { address, agent: new Agent({ keepAlive: true }), isReady: false };
      backends.set(address, backend);
      void probe(backend);
      while (!backend.isReady) await systemClock.sleep(probeMs);
    },
  };
}

/** On a separate connection, so that it shows whether a new one is accepted. */
function isReady(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get(`${address}/readyz`, { agent: false, timeout: 2_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', () => resolve(false));
  });
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
