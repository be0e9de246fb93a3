/**
 * A measured size as a table of quantities. Each has a name, a value and a unit, so that the model reads them back from
 * the table that people read.
 */
import { cpus, totalmem } from 'node:os';
import type { ServerIndexStatus } from '../../server/src/follow/status.ts';
import type { PayloadMode } from '../../server/src/generator/options.ts';
import type { LoadCost } from './grow.ts';
import type { CallCost, Started } from './serving.ts';
import type { Sizes } from './sizes.ts';

export interface Measured {
  readonly records: number;
  readonly generated: number;
  readonly payload: PayloadMode;
  readonly buffers: string;
  /** The loads that filled the database; the first found it empty. */
  readonly loads: readonly LoadCost[];
  readonly sizes: Sizes;
  readonly changes: LoadCost;
  /** On the disk, of a past version with its part of the indexes. */
  readonly versionBytes: number;
  readonly built: Started;
  /** Once what was built has been merged. */
  readonly merged: ServerIndexStatus & { readonly processorSeconds: number; readonly peakBytes: number };
  readonly snapshotBytes: number;
  readonly opened: Started;
  readonly status: ServerIndexStatus;
  readonly searches: CallCost;
  readonly lookUps: CallCost;
  /** Of the serving process with its index, after it was called. */
  readonly processBytes: number;
  /** Of a search thread, once it has searched. */
  readonly threadBytes: number;
}

interface Quantity {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

const BYTES_A_RECORD = 'bytes a record';
const BYTES_A_CHANGE = 'bytes a change';
const MEGABYTES = 'MB';
const A_PROCESSOR_SECOND = 'a second of processor time';
const SECONDS = 's';
const PROCESSOR_SECONDS = 's of processor time';
const PROCESSOR_MILLIS = 'ms of processor time';

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

export function renderCapacity(measured: Measured): string {
  const { records, generated, payload, buffers } = measured;
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const rows = listQuantities(measured).map(({ name, value, unit }) => `| ${name} | ${showNumber(value)} | ${unit} |`);
  const repeated =
    records > generated
      ? `, ${generated.toLocaleString('en')} of them loaded; the others repeat them under other uids`
      : '';
  return `# Capacity: ${records.toLocaleString('en')} generated records, documents: ${payload}

${new Date().toISOString().slice(0, 10)}; ${machine}; Node.js ${process.version}; embedded PostgreSQL with ${buffers} of
shared_buffers. Records that differ${repeated}. Other work ran on the machine: what is told by the clock is a lower bound,
what is told by processor time is not.

| quantity | value | unit |
|---|---:|---|
${rows.join('\n')}
`;
}

function showNumber(value: number): string {
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
}

function listQuantities(measured: Measured): Quantity[] {
  const { records, sizes, merged, built, opened, changes } = measured;
  const disk = (name: string, bytes: number): Quantity => ({
    name: `disk: ${name}`,
    value: bytes / records,
    unit: BYTES_A_RECORD,
  });
  const of = (name: string, value: number, unit: string): Quantity => ({ name, value, unit });
  const megabytes = (name: string, bytes: number): Quantity => of(name, bytes / 2 ** 20, MEGABYTES);
  const indexBytes = sum(Object.values(merged.bytes));
  const parts = Object.entries(merged.bytes).sort(([, one], [, other]) => other - one);
  return [
    disk('record', sizes.record),
    ...Object.entries(sizes.recordIndexes).map(([name, bytes]) => disk(name, bytes)),
    ...(sizes.payload > records ? [disk('payload', sizes.payload), disk('payload_pkey', sizes.payloadIndex)] : []),
    disk('every table and index', sizes.all),
    disk('snapshot of the index', measured.snapshotBytes),
    of('disk: a past version', measured.versionBytes, BYTES_A_CHANGE),
    ...describeLoads(measured.loads),
    of('change: write-ahead log', changes.walBytes / changes.records, BYTES_A_CHANGE),
    of('change: rate', changes.records / processorOf(changes), A_PROCESSOR_SECOND),
    of('index: memory', indexBytes / records, BYTES_A_RECORD),
    ...parts.map(([part, bytes]) => of(`index: ${part}`, bytes / records, BYTES_A_RECORD)),
    of('index: segments after merges', merged.segments, ''),
    of('rebuild: until searches are answered', built.seconds, SECONDS),
    of('rebuild: rate of the process', records / built.processorSeconds, A_PROCESSOR_SECOND),
    of(
      'rebuild: rate with the database',
      records / (built.processorSeconds + built.databaseProcessorSeconds),
      A_PROCESSOR_SECOND,
    ),
    of('rebuild: merges after it', merged.processorSeconds - built.processorSeconds, PROCESSOR_SECONDS),
    megabytes('rebuild: most memory of the process', merged.peakBytes),
    of('start with a snapshot: until searches are answered', opened.seconds, SECONDS),
    of('start with a snapshot', opened.processorSeconds, PROCESSOR_SECONDS),
    megabytes('process: memory with its index', measured.processBytes),
    megabytes('process: memory without its index', measured.processBytes - sum(Object.values(measured.status.bytes))),
    megabytes('process: a search thread', measured.threadBytes),
    ...describeCalls('searches of the 48 kinds', measured.searches),
    ...describeCalls('look-ups', measured.lookUps),
  ];
}

function processorOf({ loadProcessorSeconds, databaseProcessorSeconds }: LoadCost): number {
  return loadProcessorSeconds + databaseProcessorSeconds;
}

/** Of the first load, which finds empty registers, and of the last, which finds the others there. */
function describeLoads(loads: readonly LoadCost[]): Quantity[] {
  const told = loads.length > 1 ? [loads[0]!, loads.at(-1)!] : loads;
  return told.flatMap((load) => {
    const name = load.before === 0 ? 'first load' : 'load of new records';
    return [
      { name: `${name}: rate`, value: load.records / processorOf(load), unit: A_PROCESSOR_SECOND },
      { name: `${name}: rate by the clock`, value: load.records / load.seconds, unit: 'a second' },
      { name: `${name}: write-ahead log`, value: load.walBytes / load.records, unit: BYTES_A_RECORD },
      { name: `${name}: most memory of the command`, value: load.peakMb, unit: MEGABYTES },
    ];
  });
}

function describeCalls(name: string, cost: CallCost): Quantity[] {
  return [
    { name: `${name}: answers by the clock`, value: cost.callsPerSecond, unit: 'a second' },
    { name: `${name}: serving process`, value: cost.processMillis, unit: PROCESSOR_MILLIS },
    { name: `${name}: database`, value: cost.databaseMillis, unit: PROCESSOR_MILLIS },
  ];
}
