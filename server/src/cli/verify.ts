/**
 * `tmds verify`: compares the stored records with what was published and with the search index, and says what to do.
 */
import { join } from 'node:path';
import type { Command } from 'commander';
import { OperatorError } from '../base/errors.ts';
import { openNotes, writeCount } from '../base/progress.ts';
import type { Database } from '../database/driver/db.ts';
import { findPublishState } from '../database/readers/publish-state.ts';
import { Follower } from '../follow/follower.ts';
import { checkMemory } from '../follow/memory.ts';
import { checkSearchIndexes, indexFolder } from '../follow/status.ts';
import { loadView } from '../index/files.ts';
import { countLiving } from '../index/segment.ts';
import { IndexWriter } from '../index/writer.ts';
import type { Finding } from '../monitor/doctor.ts';
import { verifyDatabase } from '../upkeep/verification/verify.ts';
import { type CommandContext, type CommandServices, renderFinding } from './context.ts';

export function registerVerifyCommand(program: Command, context: CommandContext): void {
  program
    .command('verify')
    .description(
      'compare records, digests, counts, units, feed and search index; exit status 1 when something is wrong',
    )
    .option('--quick', 'skip checks that read every record: takes a second for registers of any size', false)
    .option('--json', 'one JSON document instead of lines', false)
    .action((flags: VerifyFlags) => runVerify(context, flags));
}

interface VerifyFlags {
  quick: boolean;
  json: boolean;
}

const CONNECTIONS = 2;

async function runVerify(context: CommandContext, { quick, json }: VerifyFlags): Promise<void> {
  const findings = await context.withDatabase('verify', (services) => examine(context, services, quick), {
    create: false,
  });
  const wrong = findings.filter(({ remedy }) => remedy !== null);
  if (json) context.print(JSON.stringify({ ok: wrong.length === 0, findings }));
  else for (const finding of findings) context.print(renderFinding(finding));
  if (wrong.length > 0) throw new OperatorError(`${wrong.length} of ${findings.length} findings are wrong`);
}

async function examine(context: CommandContext, services: CommandServices, quick: boolean): Promise<Finding[]> {
  const { config, clock, database } = services;
  const db = await services.connectUnlimited(CONNECTIONS);
  const note = openNotes(clock, context.note);
  const findings: Finding[] = await verifyDatabase({
    db,
    horizonSeconds: config.changeHorizonSeconds,
    quick,
    onProgress: ({ done, total }) => note(() => `${writeCount(done)} of ${writeCount(total)} records`),
  });
  const servers = await checkSearchIndexes(database, config.dataDir);
  findings.push(...servers.map((seen) => ({ subject: 'search', ...seen })));
  if (!quick) findings.push(await checkSnapshot(db, config.dataDir));
  return findings;
}

/** Opens the snapshot of the search index as a server does, brings it up to date, and compares each register. */
async function checkSnapshot(db: Database, dataDir: string): Promise<Finding> {
  const subject = 'snapshot';
  const { databaseId } = await findPublishState(db);
  const folder = join(indexFolder(dataDir), databaseId);
  // A server may be saving a snapshot that is newer than the state that was just read from the database.
  const loaded = await loadView(folder, databaseId, Number.POSITIVE_INFINITY);
  if (loaded.view === null) {
    if (loaded.reason === 'there is none') {
      const none = 'there is no snapshot of the search index yet; the next start builds the index';
      return { subject, seen: none, remedy: null };
    }
    const seen = `the snapshot of the search index cannot be used: ${loaded.reason}`;
    return { subject, seen, remedy: `delete ${folder}; the next start builds the index` };
  }
  checkMemory(loaded.view.parts.reduce((sum, part) => sum + countLiving(part), 0));
  const follower = new Follower(db, new IndexWriter(() => Number.POSITIVE_INFINITY, loaded.view));
  const { differences, records } = await follower.catchUp({ compare: true });
  if (differences === null || differences.length === 0) {
    const seen = `the snapshot of the search index agrees with the database; ${records} records came after it`;
    return { subject, seen, remedy: null };
  }
  const registers = differences.map(({ jurisdiction_code }) => jurisdiction_code).join(', ');
  const seen = `the snapshot of the search index differs from the database in ${registers}`;
  return { subject, seen, remedy: `delete ${folder}; the next start builds the index` };
}
