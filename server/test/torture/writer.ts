/**
 * A loader under torture: stages and publishes random batches until it is stopped. It waits before it begins and after,
 * holds the lock, rolls back, publishes the same content twice at once, and kills itself at any step.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/database/driver/db.ts';
import { type PublishStep, publishBatch } from '../../src/store/publish/publish.ts';
import { dropStage } from '../../src/store/publish/stage.ts';
import { type SourceFields, stageRecords } from './publish.ts';
import { buildRandom, type Random } from './random.ts';
import {
  type Assignment,
  connectTortured,
  payloadTextOf,
  REMOVED_MARK,
  readAssignment,
  readControl,
  registerOf,
} from './world.ts';

const STEPS: readonly PublishStep[] = ['begun', 'locked', 'stamped', 'written', 'counted', 'committed'];
/** Few values, so that a good part of what is written is what was there. */
const VALUES = 12;

const SOURCE_DIGESTS = ['00'.repeat(8), '11'.repeat(8)];

class Rollback extends Error {}

async function write(assignment: Assignment): Promise<void> {
  const random = buildRandom(assignment.seed, 1, assignment.index, assignment.generation);
  const db = await connectTortured(assignment.databaseUrl, 4);
  while (readControl(assignment.folder).phase === 'write') {
    try {
      await publishOnce(db, assignment, random);
    } catch (error) {
      // The database was killed, or the publish was rolled back on purpose: the next batch goes on.
      if (!(error instanceof Rollback)) await delay(random.integer(20, 200));
    }
  }
  await db.close();
}

async function publishOnce(db: Database, assignment: Assignment, random: Random): Promise<void> {
  const records = buildBatch(assignment, random);
  const loads = [await stageRecords(db, records)];
  if (random.chance(0.1)) loads.push(await stageRecords(db, records));
  if (random.chance(0.2)) await delay(random.integer(1, 100));
  await Promise.all(loads.map((loadId) => publishBatch(db, loadId, 1, { onStep: planStep(assignment, random) })));
  for (const loadId of loads) await dropStage(db, loadId);
}

function buildBatch({ records, batchMax }: Assignment, random: Random): SourceFields[] {
  const size = random.chance(0.3) ? random.integer(1, 10) : random.integer(1, batchMax);
  const start = random.integer(1, records);
  return Array.from({ length: Math.min(size, records) }, (_, offset) => {
    const number = ((start + offset * 7) % records) + 1;
    const value = random.integer(1, VALUES);
    const is_removal = random.chance(0.02);
    const mark_name = `${is_removal ? REMOVED_MARK : 'value'} ${value}`;
    const uid = `u${number}`;
    const text = payloadTextOf(uid, mark_name);
    const payload = text === null ? null : { text };
    const source_version = random.chance(0.5) ? '1' : null;
    const source = random.chance(0.7) ? { source_digest: random.pick(SOURCE_DIGESTS) } : {};
    return {
      ...{ jurisdiction_code: registerOf(number), uid, mark_name, payload, source_version, is_removal },
      ...source,
    };
  });
}

/** What this publish does at which step. */
function planStep({ horizonSeconds }: Assignment, random: Random): (step: PublishStep) => Promise<void> {
  const at = random.pick(STEPS);
  const waitMs = random.integer(1, horizonSeconds * 2_000);
  const fate = random.next();
  return async (step) => {
    if (step !== at) return;
    if (fate < 0.04) throw new Rollback(`at ${step}`);
    if (fate < 0.06) process.kill(process.pid, 'SIGKILL');
    // Before the lock anybody may idle; holding it blocks everybody else, so that is done less often.
    if (fate < (step === 'begun' ? 0.2 : 0.08)) await delay(waitMs);
  };
}

await write(readAssignment());
