import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BUILT_VARIABLE } from '../../../server/test/support/cluster.ts';
import type { FakeService } from './service.ts';

const SUPPORT = dirname(fileURLToPath(import.meta.url));
const ROOT = join(SUPPORT, '../../..');

/** Serves the fake service over HTTP; a network fault is a closed socket, and `onCall` may hold a call back. */
export async function startHost(
  t: TestContext,
  service: FakeService,
  onCall: (call: number) => Promise<void> | void = () => undefined,
): Promise<string> {
  const server = createServer(async (request, response) => {
    try {
      await onCall(service.calls());
      const init = { method: 'GET', headers: {}, signal: new AbortController().signal, redirect: 'manual' } as const;
      const answer = await service.fetch(`http://host${request.url}`, init);
      response.statusCode = answer.status;
      for (const name of ['retry-after', 'x-request-id', 'x-change-horizon', 'feed-lineage']) {
        const value = answer.headers.get(name);
        if (value !== null) response.setHeader(name, value);
      }
      response.end(await answer.text());
    } catch {
      request.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface ReplicaRun {
  readonly child: ChildProcess;
  /** Exit status, null when killed; with everything written to standard output and standard error. */
  readonly ended: Promise<{ status: number | null; out: string; err: string }>;
}

/** What a user runs, once it was built; the source itself when a file is run by hand. */
const PROGRAM =
  process.env[BUILT_VARIABLE] === '1'
    ? [join(ROOT, 'client/bin/tmds-replica.js')]
    : ['--conditions=tmds-source', '--import', 'tsx', join(SUPPORT, 'replica-process.ts')];

export function startReplica(args: readonly string[], environment: Record<string, string>): ReplicaRun {
  const child = spawn(process.execPath, [...PROGRAM, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<{ status: number | null; out: string; err: string }>((resolve) => {
    child.on('close', (status) => resolve({ status, out, err }));
  });
  return { child, ended };
}
