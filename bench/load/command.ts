/** Runs the built `tmds` command on a data folder and watches it until it ends. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadReport } from '../../server/src/load/findings/report.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SAMPLE_MS = 100;

export interface Ended {
  readonly out: string;
  readonly seconds: number;
  /** The peak memory of the process with all its threads. */
  readonly peakMb: number;
}

type Settings = Readonly<Record<string, string>>;

/** Throws when the command fails. */
export async function runTmds(words: readonly string[], dataDir: string, settings: Settings = {}): Promise<Ended> {
  const started = performance.now();
  const child = spawn(process.execPath, [join(ROOT, 'server/bin/tmds.js'), ...words], {
    env: { PATH: process.env.PATH, TMDS_DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakMb = 0;
  const sampling = setInterval(() => {
    try {
      const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
      peakMb = Math.max(peakMb, Number(peak?.[1] ?? 0) / 1024);
    } catch {
      // The process has just ended.
    }
  }, SAMPLE_MS);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const status = await new Promise<number | null>((done) => child.once('exit', done));
  clearInterval(sampling);
  if (status !== 0) throw new Error(`tmds ${words.join(' ')} ended with ${status}`);
  return { out, seconds: (performance.now() - started) / 1000, peakMb };
}

export interface Loaded extends Ended {
  readonly report: LoadReport;
}

export async function runLoad(
  format: string,
  files: readonly string[],
  dataDir: string,
  settings: Settings = {},
): Promise<Loaded> {
  const ended = await runTmds(['load', format, ...files, '--json'], dataDir, settings);
  return { ...ended, report: JSON.parse(ended.out) as LoadReport };
}
