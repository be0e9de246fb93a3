/**
 * Which PostgreSQL runs in a cluster's folder, according to its `postmaster.pid`. The file counts only if the process
 * that it names is alive and works in that folder: process ids are reused, in containers almost at once.
 */
import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programEnvironment } from '../../base/config.ts';
import { isAlive } from '../../base/processes.ts';

export interface Postmaster {
  readonly pid: number;
  /** Null while it starts or stops. */
  readonly address: Address | null;
}

export interface Address {
  /** Null = the unix socket in the cluster's folder. */
  readonly host: string | null;
  readonly port: number;
}

/** The longest socket path that every system accepts, in bytes (Linux: 107; macOS: 103). */
const SOCKET_PATH_BYTES_MAX = 103;
const SOCKET_NAME = '.s.PGSQL.5432';

const runFile = promisify(execFile);

export function socketPathFits(data: string): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(join(data, SOCKET_NAME)) <= SOCKET_PATH_BYTES_MAX;
}

/** Null if nothing runs there. Also removes a stale file that would keep PostgreSQL from starting. */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const note = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = parsePostmasterNote(note);
  if (postmaster === null) return null;
  if (!isAlive(postmaster.pid)) return null;
  if (await worksIn(postmaster.pid, data)) return postmaster;
  // PostgreSQL would take another process with that id for the old server and refuse to start. (It replaces the file of
  // a dead process on its own, under its own lock.)
  await removeStaleNotes(data, note);
  return null;
}

/** The lines are pid, folder, start time, port, socket folder, address, memory key and state, written one by one. */
export function parsePostmasterNote(note: string): Postmaster | null {
  const [pid, _folder, _startTime, port, socketFolder, host, _memoryKey, state] = note
    .split('\n')
    .map((line) => line.trim());
  if (!/^[1-9]\d*$/.test(pid ?? '')) return null;
  if (state !== 'ready') return { pid: Number(pid), address: null };
  return { pid: Number(pid), address: { host: socketFolder === '' ? (host ?? '') : null, port: Number(port) } };
}

async function worksIn(pid: number, data: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const [place, folder] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(data)]);
    return place !== undefined && place.dev === folder.dev && place.ino === folder.ino;
  }
  if (process.platform === 'win32') return true;
  const listed = await runFile('ps', ['-o', 'command=', '-p', String(pid)], { env: programEnvironment() }).catch(
    () => undefined,
  );
  return listed?.stdout.includes('postgres') ?? false;
}

async function removeStaleNotes(data: string, note: string): Promise<void> {
  const current = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  if (current !== note) return;
  await rm(join(data, 'postmaster.pid'), { force: true });
  await rm(join(data, `${SOCKET_NAME}.lock`), { force: true });
}

/** A free loopback port: the wanted one, or any. Rejects if the wanted one is taken. */
export async function findFreePort(wanted = 0): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
