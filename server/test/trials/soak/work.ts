/** What runs next to the callers of a soak: loads that change every record, and replicas that follow. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { runTmds } from '../../support/process.ts';
import type { Random } from '../../torture/random.ts';
import type { CallKind } from '../callers.ts';

type Context = Parameters<typeof runTmds>[0];
type Environment = Readonly<Record<string, string>>;

const REGISTERS = ['XA', 'XB', 'XC'];
const REPLICA = fileURLToPath(new URL('../../../../client/test/support/replica-process.ts', import.meta.url));

/** Where the records of a soak are, and how many. */
export interface SoakData {
  readonly folder: string;
  readonly records: number;
}

/** Loads every record with a name of this round; resolves when `tmds load` has ended. Rejects if it failed. */
export async function loadRound(t: Context, environment: Environment, data: SoakData, round: number): Promise<void> {
  const path = join(data.folder, 'round.ndjson');
  const lines = Array.from({ length: data.records }, (_, index) => {
    const uid = `u${index}`;
    const text = `round ${round} `.repeat(40);
    const mark_name = `mark ${index % 97} of round ${round}`;
    const status = index % 3 === 0 ? 'Registered' : 'Pending';
    const nice_classes = [(index % 45) + 1];
    return JSON.stringify({
      ...{ jurisdiction_code: REGISTERS[index % 3], uid, status, mark_name },
      nice_classes,
      payload: { text },
    });
  });
  await writeFile(path, `${lines.join('\n')}\n`);
  const { status, stderr } = await runTmds(t, ['load', 'ndjson', path], environment);
  if (status !== 0) throw new Error(`a load ended with ${status}: ${stderr}`);
}

export interface Replica {
  /** Catches up, compares everything with the service, and resolves to the exit status: 0 = equal. */
  verify(): Promise<number>;
}

/** A replica with payloads that follows the feed until it is verified. */
export function startReplica(t: Context, folder: string, baseUrl: string, key: string): Replica {
  const place = ['--to', `ndjson:${folder}`, '--base-url', baseUrl, '--quiet'];
  const run = (words: readonly string[]) =>
    spawn(process.execPath, ['--conditions=tmds-source', '--import', 'tsx', REPLICA, ...words, ...place], {
      env: { ...process.env, TMDS_API_KEY: key },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const following = run(['sync', '--follow', '--poll-seconds', '2', '--expand', 'payload']);
  const ended = once(following, 'exit');
  t.after(async () => {
    following.kill('SIGKILL');
    await ended;
  });
  return {
    verify: async () => {
      following.kill('SIGTERM');
      await ended;
      const [status] = await once(run(['verify', '--expand', 'payload']), 'exit');
      return status as number;
    },
  };
}

const register = (random: Random): string => random.pick(REGISTERS);

/** What customers ask, more of what they ask more often. */
export function listSoakKinds(data: SoakData): CallKind[] {
  const metered = true;
  const lookUp = (random: Random): string => {
    const index = random.integer(0, data.records - 1);
    return `/v1/${REGISTERS[index % 3]}/trademarks/u${index}`;
  };
  const kinds: [share: number, name: string, path: (random: Random) => string][] = [
    [6, 'look-up', lookUp],
    [3, 'payload', (random) => `${lookUp(random)}?expand=payload`],
    [4, 'search', (random) => `/v1/trademarks?jurisdiction=${register(random)}&nice_class=${random.integer(1, 45)}`],
    [
      2,
      'name search',
      (random) => `/v1/${register(random)}/trademarks?mark_name_contains=mark%20${random.integer(10, 96)}`,
    ],
    [2, 'feed', (random) => `/v1/${register(random)}/changes?since=2026-01-01&limit=500`],
    [1, 'feed with payloads', () => '/v1/changes?since=2026-01-01&expand=payload&limit=100'],
    [1, 'registers', () => '/v1/jurisdictions'],
  ];
  return kinds.flatMap(([share, name, path]) => Array.from({ length: share }, () => ({ name, metered, path })));
}

export interface Loads {
  readonly finished: number;
  /** What each load said that failed. */
  readonly failures: readonly string[];
}

/** Loads one round after the other until it is stopped. */
export async function keepLoading(
  t: Context,
  environment: Environment,
  data: SoakData,
  options: { readonly everyMs: number; readonly until: AbortSignal },
): Promise<Loads> {
  const failures: string[] = [];
  let finished = 0;
  while (!options.until.aborted) {
    await loadRound(t, environment, data, finished + failures.length + 1).then(
      () => {
        finished += 1;
      },
      (error: unknown) => void failures.push(String(error)),
    );
    await systemClock.sleep(options.everyMs, options.until).catch(() => undefined);
  }
  return { finished, failures };
}
