/** `tmds doctor`: checks everything that a service needs and says what is wrong and what to do. */
import type { Command } from 'commander';
import { OperatorError } from '../base/errors.ts';
import { checkMemory } from '../follow/memory.ts';
import type { Queryable } from '../store/driver/db.ts';
import { checkArchive } from '../store/health/archive-check.ts';
import { checkClock, checkIndexes, describePlace } from '../store/health/checks.ts';
import { describeSpace, judgeDisk, readDiskSpace } from '../store/health/disk-space.ts';
import { checkFeed } from '../store/health/feed-health.ts';
import { checkStandby } from '../store/health/standby-check.ts';
import { listPublishedRegisters } from '../store/publish/publishes.ts';
import { readSchemaState } from '../store/schema/migrate.ts';
import type { CommandContext, CommandServices } from './context.ts';
import { checkSearchIndexes } from './doctor-index.ts';
import { type Finding, renderFinding } from './findings.ts';

export function registerDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('check settings, disk, database, schema, clock and replicas; exit status 1 when something is wrong')
    .option('--json', 'one JSON document instead of lines', false)
    .action((flags: { json: boolean }) => runDoctor(context, flags.json));
}

async function runDoctor(context: CommandContext, asJson: boolean): Promise<void> {
  const findings: Finding[] = [];
  try {
    const { config, file, warnings } = context.readSettings();
    const seen = describeSettings(file, context.listUnknownSettings());
    findings.push({ subject: 'settings', seen, remedy: null });
    findings.push(...warnings.map((warning) => ({ subject: 'settings', seen: warning, remedy: warning })));
    findings.push(...(await checkDisk(config.dataDir)));
    await context.withDatabase('doctor', async (services) => void findings.push(...(await examine(services))), {
      migrate: false,
      create: false,
    });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    findings.push({
      subject: error.exitStatus === 2 ? 'settings' : 'database',
      seen: error.message,
      remedy: error.message,
    });
  }
  const wrong = findings.filter(({ remedy }) => remedy !== null);
  if (asJson) context.print(JSON.stringify({ ok: wrong.length === 0, findings }));
  else for (const finding of findings) context.print(renderFinding(finding));
  if (wrong.length > 0) throw new OperatorError(`${wrong.length} of ${findings.length} checks failed`);
}

/** Runs before the database is needed, because a full disk may have stopped it. */
async function checkDisk(dataDir: string): Promise<Finding[]> {
  const space = await readDiskSpace(dataDir);
  if (space === null) return [];
  const finding = judgeDisk(dataDir, space);
  const seen = finding?.seen ?? describeSpace(dataDir, space);
  return [{ subject: 'disk', seen, remedy: finding?.remedy ?? null }];
}

function describeSettings(file: string | null, unknown: readonly string[]): string {
  const read = file === null ? '' : `, ${file} included`;
  const without = unknown.length === 0 ? '' : `; not settings, so without effect: ${unknown.join(', ')}`;
  return `every setting is valid${read}${without}`;
}

async function examine({ config, clock, database }: CommandServices): Promise<Finding[]> {
  const kind = config.databaseUrl === null ? `embedded, below ${config.dataDir}` : 'external';
  const findings: Finding[] = [{ subject: 'database', seen: `reachable, ${kind}`, remedy: null }];
  const schema = await readSchemaState(database, describePlace(config));
  const seen = `version ${schema.version} of ${schema.known}`;
  const old = schema.version < schema.known ? 'run: tmds migrate' : 'run a newer tmds';
  findings.push({ subject: 'schema', seen, remedy: schema.works ? null : old });
  findings.push({ subject: 'clock', ...(await checkClock(database, clock)) });
  if (schema.works) {
    findings.push({ subject: 'indexes', ...(await checkIndexes(database)) });
    const feed = await checkFeed(database, { horizonSeconds: config.changeHorizonSeconds });
    if (feed.length === 0)
      findings.push({ subject: 'feed', seen: 'changes are published by the protocol', remedy: null });
    findings.push(...feed.map(({ seen, remedy }) => ({ subject: 'feed', seen, remedy })));
  }
  if (schema.works) {
    if (config.databaseUrl !== null) findings.push({ subject: 'archive', ...(await checkArchive(database)) });
    findings.push(await checkMemoryRoom(database));
    const indexes = await checkSearchIndexes(database, config.dataDir);
    findings.push(...indexes.map((seen) => ({ subject: 'search', ...seen })));
  }
  for (const url of config.replicaUrls) {
    findings.push({ subject: 'replica', ...(await checkStandby(url, database, clock)) });
  }
  return findings;
}

/** Whether a server with an index of these registers has a chance on this machine. */
async function checkMemoryRoom(database: Queryable): Promise<Finding> {
  const registers = await listPublishedRegisters(database);
  const records = registers.reduce((sum, { record_count }) => sum + record_count, 0);
  try {
    checkMemory(records);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { subject: 'memory', seen: error.message, remedy: error.message };
  }
  return { subject: 'memory', seen: 'this machine has the memory that the search index needs', remedy: null };
}
