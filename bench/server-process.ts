/** Starts a server in a separate process, so that server and callers do not slow each other down. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerKind } from './server.ts';

/** Resolves when it listens. */
export async function startServer(
  url: string,
  kind: ServerKind,
  indexFolder: string | null = null,
  snapshotsFolder: string | null = null,
  searchers: number | null = null,
): Promise<{ child: ChildProcess; port: number }> {
  const program = fileURLToPath(new URL('server.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', program, url, kind, indexFolder ?? '', snapshotsFolder ?? '', String(searchers ?? '')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, port: Number(new URL(line.toString().trim()).port) };
}
