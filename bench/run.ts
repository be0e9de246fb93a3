/** `npm run bench -- NAME [options]`: the benchmarks behind the figures in the documents, one folder each. */
import { buildCommand } from '../scripts/command.ts';
import { OperatorError } from '../server/src/base/errors.ts';
import { registerAccessBench } from './access/run.ts';
import { registerCapacityModel } from './capacity/model.ts';
import { registerCapacityBench } from './capacity/run.ts';
import { registerChangesBench } from './changes/run.ts';
import { registerDatesBench } from './dates/run.ts';
import { registerDocumentsBench } from './documents/run.ts';
import { registerFairBench } from './fair/run.ts';
import { registerHistoryBench } from './history/run.ts';
import { registerHuntBench } from './hunt/run.ts';
import { registerKeptBench } from './kept/run.ts';
import { registerLikenessParallelBench } from './likeness/parallel.ts';
import { registerLikenessBench } from './likeness/run.ts';
import { registerLoadBench } from './load/run.ts';
import { registerMemoryBench } from './memory/run.ts';
import { registerNearBench } from './near/run.ts';
import { registerPortalBench } from './portal/run.ts';
import { registerProcessesBench } from './processes/run.ts';
import { registerReconcileBench } from './reconcile/run.ts';
import { registerReplicaBench } from './replica/run.ts';
import { registerSearchBench } from './search/run.ts';
import { registerVersionsBench } from './versions/run.ts';
import { registerWatchesBench } from './watches/run.ts';

const REGISTRATIONS = [
  registerSearchBench,
  registerHuntBench,
  registerLoadBench,
  registerLikenessBench,
  registerLikenessParallelBench,
  registerMemoryBench,
  registerAccessBench,
  registerChangesBench,
  registerFairBench,
  registerNearBench,
  registerPortalBench,
  registerReplicaBench,
  registerReconcileBench,
  registerKeptBench,
  registerDatesBench,
  registerDocumentsBench,
  registerWatchesBench,
  registerHistoryBench,
  registerCapacityBench,
  registerCapacityModel,
  registerProcessesBench,
  registerVersionsBench,
] as const;

const program = buildCommand(
  'npm run bench --',
  'The benchmarks behind the figures in the documents. Each generates its records and prints a table.',
);
for (const register of REGISTRATIONS) register(program);
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exit(error.exitStatus);
}
