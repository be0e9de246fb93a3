/**
 * Every check of a service, each with the finding and the remedy. `tmds doctor` and the operators' pages show the same
 * list in the same words. It decides no layout, and changes nothing.
 */
import type { Clock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import type { Observation } from '../base/observation.ts';
import type { Config } from '../base/settings.ts';
import type { Queryable } from '../database/driver/db.ts';
import { describeSpace, judgeDisk, readDiskSpace } from '../database/embedded/disk-space.ts';
import type { ReaderFigures } from '../database/readers/readers.ts';
import { readSchemaState } from '../database/schema/migrate.ts';
import { findOwnRole } from '../database/schema/roles.ts';
import { checkMemory } from '../follow/memory.ts';
import { checkSearchIndexes } from '../follow/status.ts';
import { checkObjects } from '../store/documents/check.ts';
import { listHolders } from '../store/duties/duties.ts';
import { JOBS, type Job } from '../store/duties/jobs.ts';
import { listPublishedRegisters } from '../store/publish/publishes.ts';
import { checkClock, checkIndexes, describePlace } from '../upkeep/health/checks.ts';
import { findConnectionLimit } from '../upkeep/health/connection-limit.ts';
import { checkArchive, checkDataFolder, checkNodes } from '../upkeep/health/doctor-checks.ts';
import { checkFeed } from '../upkeep/health/feed-health.ts';
import { checkServers } from '../upkeep/health/servers-check.ts';
import { checkStandby } from '../upkeep/health/standby-check.ts';

export interface Finding extends Observation {
  readonly subject: string;
  /** What could be better although nothing is wrong. */
  readonly advice?: string;
}

type CheckedConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'poolMax' | 'changeHorizonSeconds' | 'replicaUrls'>;

interface Checked {
  readonly config: CheckedConfig;
  readonly database: Queryable;
  readonly clock: Clock;
}

/** The origin of the settings. */
export interface SettingsRead {
  /** The settings file that was read; null for none. */
  readonly file: string | null;
  /** Doubtful settings found while reading it. */
  readonly warnings: readonly string[];
  /** Variables that look like settings but are not. */
  readonly unknown: readonly string[];
}

/** The checks that work without the database, which a full disk may have stopped. */
export async function examineMachine(dataDir: string, { file, warnings, unknown }: SettingsRead): Promise<Finding[]> {
  const read = file === null ? '' : `, ${file} included`;
  const without = unknown.length === 0 ? '' : `; not settings, so without effect: ${unknown.join(', ')}`;
  const findings: Finding[] = [
    { subject: 'settings', seen: `every setting is valid${read}${without}`, remedy: null },
    // Nothing is wrong yet, and in a container no other account may be there.
    ...warnings.map((warning) => ({ subject: 'settings', seen: warning, remedy: null })),
  ];
  findings.push(...(await checkDataFolder(dataDir)).map((seen) => ({ subject: 'data folder', ...seen })));
  const space = await readDiskSpace(dataDir);
  if (space === null) return findings;
  const low = judgeDisk(dataDir, space);
  const seen = low?.seen ?? describeSpace(dataDir, space);
  return [...findings, { subject: 'disk', seen, remedy: low?.remedy ?? null }];
}

type Check = (checked: Checked) => Promise<readonly Observation[]>;

/** In the order in which they are shown. */
const CHECKS: readonly { readonly subject: string; readonly check: Check }[] = [
  {
    subject: 'servers',
    check: async ({ config, database, clock }) =>
      config.databaseUrl === null ? [] : await checkServers(config.databaseUrl, database, clock),
  },
  { subject: 'clock', check: async ({ database, clock }) => [await checkClock(database, clock)] },
  { subject: 'indexes', check: async ({ database }) => [await checkIndexes(database)] },
  { subject: 'feed', check: checkChanges },
  { subject: 'nodes', check: ({ database }) => checkNodes(database) },
  {
    subject: 'archive',
    check: async ({ database, config }) => (config.databaseUrl === null ? [] : [await checkArchive(database)]),
  },
  { subject: 'payloads', check: ({ database }) => checkObjects(database) },
  { subject: 'memory', check: async ({ database }) => [await checkMemoryRoom(database)] },
  { subject: 'search', check: ({ database, config }) => checkSearchIndexes(database, config.dataDir) },
  { subject: 'duties', check: ({ database }) => listDuties(database) },
  {
    subject: 'replica',
    check: ({ config, database, clock }) =>
      Promise.all(config.replicaUrls.map((url) => checkStandby(url, database, clock))),
  },
];

/** The checks among these that a database with another schema can answer. */
const WITHOUT_SCHEMA: readonly string[] = ['servers', 'clock', 'replica'];

export async function examineDatabase(checked: Checked): Promise<Finding[]> {
  const { config, database } = checked;
  const kind = config.databaseUrl === null ? `embedded, below ${config.dataDir}` : 'external';
  const findings: Finding[] = [{ subject: 'database', seen: `reachable, ${kind}`, remedy: null }];
  const { version, known, works } = await readSchemaState(database, describePlace(config));
  if (config.databaseUrl !== null) {
    const { seen, advice } = await findConnectionLimit(database, config.poolMax);
    findings.push({ subject: 'connections', seen, remedy: null, ...(advice === null ? {} : { advice }) });
    if (version > 0) findings.push(await examineRole(database));
  }
  const remedy = version < known ? 'run: tmds migrate' : 'run a newer tmds';
  findings.push({
    subject: 'schema',
    seen: `version ${version} of ${known}`,
    remedy: works ? null : remedy,
  });
  for (const { subject, check } of CHECKS) {
    if (!works && !WITHOUT_SCHEMA.includes(subject)) continue;
    findings.push(...(await check(checked)).map((seen) => ({ subject, ...seen })));
  }
  return findings;
}

/** How a server uses its standbys; the checks say what to do. */
export function describeReaders({ standbys }: ReaderFigures): Finding[] {
  return standbys.map(({ place, fault, lagSeconds, reads }) => {
    const lag = lagSeconds === null ? '' : `, ${Math.round(lagSeconds * 1000)} ms behind`;
    const used = fault === null ? `reads from ${place}${lag}` : `does not read from ${place}: it ${fault}`;
    return {
      subject: 'replica',
      seen: `this server ${used}; ${reads.toLocaleString('en')} reads so far`,
      remedy: null,
    };
  });
}

/** The rights of the server's role that it does not need. Commands that migrate and load need the owner. */
async function examineRole(database: Queryable): Promise<Finding> {
  const { name, isSuperuser, isOwner } = await findOwnRole(database);
  const what = isSuperuser ? 'a superuser' : isOwner ? 'the owner of the tables' : null;
  if (what === null) return { subject: 'role', seen: `${name} may not change the tables`, remedy: null };
  const advice = 'let servers use a member of tmds_serve and --no-migrate (tmds roles)';
  return { subject: 'role', seen: `${name} is ${what}`, remedy: null, advice };
}

async function checkChanges({ database, config }: Checked): Promise<Observation[]> {
  const found = await checkFeed(database, { horizonSeconds: config.changeHorizonSeconds });
  if (found.length === 0) return [{ seen: 'changes are published by the protocol', remedy: null }];
  return found.map(({ seen, remedy }) => ({ seen, remedy }));
}

/** None of it is a fault: if nobody has a duty, no process wants it. */
async function listDuties(database: Queryable): Promise<Observation[]> {
  const holders = await listHolders(database);
  const seen = holders.map(
    ({ duty, program, pid, since }) =>
      `${duty}: ${program}, process ${pid} of the database${since === null ? '' : `, since ${since}`}`,
  );
  if (seen.length === 0) seen.push('no process does what only one may do');
  return [...seen, describeJobs()].map((each) => ({ seen: each, remedy: null }));
}

/** What a server does in addition to its calls, and how often. */
export function describeJobs(): string {
  const jobs: [string, Job][] = Object.entries(JOBS);
  const rhythms = jobs.map(([name, { everyMs, duty }]) => {
    const one = duty === null ? '' : ', one server';
    return `${name.replaceAll('_', ' ')} (every ${everyMs / 1000} s${one})`;
  });
  return `jobs of a server: ${rhythms.join(', ')}`;
}

/** Whether this machine has the memory for a server with an index of these registers. */
async function checkMemoryRoom(database: Queryable): Promise<Observation> {
  const registers = await listPublishedRegisters(database);
  const records = registers.reduce((sum, { record_count }) => sum + record_count, 0);
  try {
    checkMemory(records);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { seen: error.message, remedy: error.message };
  }
  return { seen: 'this machine has the memory that the search index needs', remedy: null };
}
