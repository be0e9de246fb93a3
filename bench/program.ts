/** Runs an installed command and watches its memory and processor time until it ends. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SAMPLE_MS = 100;
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMb: number;
}

/** The peak memory of a running process, and its processor time so far. */
export function readProcess(pid: number): { peakMb: number; processorSeconds: number } {
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  // The 14th and 15th field, counted from behind the name: user and system time in hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  return { peakMb: Number(peak?.[1] ?? 0) / 1024, processorSeconds: (Number(fields[11]) + Number(fields[12])) / 100 };
}

/** `program`: from the root of the repository, such as `server/bin/tmds.js`. */
export async function runProgram(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const started = performance.now();
  const child = spawn(process.execPath, [join(ROOT, program), ...words], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let seen = { peakMb: 0, processorSeconds: 0 };
  const sampling = setInterval(() => {
    try {
      const { peakMb, processorSeconds } = readProcess(child.pid!);
      if (peakMb > 0) seen = { peakMb, processorSeconds };
    } catch {
      // The process has just ended.
    }
  }, SAMPLE_MS);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const status = await new Promise<number | null>((done) => child.once('close', done));
  clearInterval(sampling);
  return { status, out, seconds: (performance.now() - started) / 1000, ...seen };
}

export async function runClient(
  program: 'tmds-client' | 'tmds-replica',
  words: readonly string[],
  { port, key }: { readonly port: number; readonly key: string },
): Promise<Ended> {
  const environment = { TMDS_API_KEY: key, TMDS_BASE_URL: `http://127.0.0.1:${port}` };
  return await runProgram(`client/bin/${program}.js`, words, environment);
}
