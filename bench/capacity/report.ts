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

/** What is absent has not been measured. */
export interface Measured {
  readonly records: number;
  readonly generated: number;
  readonly payload: PayloadMode;
  readonly buffers: string;
  /** The loads that filled the database; the first found it empty. */
  readonly loads?: readonly LoadCost[];
  readonly sizes?: Sizes;
  readonly changes?: LoadCost;
  /** On the disk, of a past version with its part of the indexes. */
  readonly versionBytes?: number;
  readonly built?: Started;
  /** Once what was built has been merged. */
  readonly merged?: ServerIndexStatus & { readonly processorSeconds: number; readonly peakBytes: number };
  readonly snapshotBytes?: number;
  readonly opened?: Started;
  readonly status?: ServerIndexStatus;
  readonly searches?: CallCost;
  readonly lookUps?: CallCost;
  /** Of the serving process with its index, after it was called. */
  readonly processBytes?: number;
  /** Of a search thread, once it has searched. */
  readonly threadBytes?: number;
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
shared_buffers. Records that differ${repeated}. Other work ran on the machine: figures by the clock are lower
bounds, figures by processor time are exact.

| quantity | value | unit |
|---|---:|---|
${rows.join('\n')}
`;
}

function showNumber(value: number): string {
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
}

function listQuantities(measured: Measured): Quantity[] {
  return [
    ...describeDisk(measured),
    ...describeLoads(measured.loads ?? []),
    ...describeChanges(measured),
    ...describeIndex(measured),
    ...describeProcess(measured),
    ...describeCalls('searches of the 48 kinds', measured.searches),
    ...describeCalls('look-ups', measured.lookUps),
  ];
}

const quantityOf = (name: string, value: number, unit: string): Quantity => ({ name, value, unit });
const megabytes = (name: string, bytes: number): Quantity => quantityOf(name, bytes / 2 ** 20, MEGABYTES);

function describeDisk({ records, sizes, snapshotBytes }: Measured): Quantity[] {
  if (sizes === undefined) return [];
  const disk = (name: string, bytes: number): Quantity => quantityOf(`disk: ${name}`, bytes / records, BYTES_A_RECORD);
  return [
    disk('record', sizes.record),
    ...Object.entries(sizes.recordIndexes).map(([name, bytes]) => disk(name, bytes)),
    ...(sizes.payload > records ? [disk('payload', sizes.payload), disk('payload_pkey', sizes.payloadIndex)] : []),
    disk('every table and index', sizes.all),
    ...(snapshotBytes === undefined ? [] : [disk('snapshots of the index, old ones included', snapshotBytes)]),
  ];
}

function describeChanges({ changes, versionBytes }: Measured): Quantity[] {
  if (changes === undefined || versionBytes === undefined) return [];
  return [
    quantityOf('change: its past version on the disk', versionBytes, BYTES_A_CHANGE),
    quantityOf('change: write-ahead log', changes.walBytes / changes.records, BYTES_A_CHANGE),
    quantityOf('change: rate', changes.records / processorOf(changes), A_PROCESSOR_SECOND),
  ];
}

function describeIndex({ records, built, merged, opened }: Measured): Quantity[] {
  const quantities: Quantity[] = [];
  if (merged !== undefined) {
    const parts = Object.entries(merged.bytes).sort(([, one], [, other]) => other - one);
    quantities.push(
      quantityOf('index: memory', sum(Object.values(merged.bytes)) / records, BYTES_A_RECORD),
      ...parts.map(([part, bytes]) => quantityOf(`index: ${part}`, bytes / records, BYTES_A_RECORD)),
      quantityOf('index: segments after merges', merged.segments, ''),
    );
  }
  if (built !== undefined) {
    const { processorSeconds, databaseProcessorSeconds } = built;
    quantities.push(
      quantityOf('rebuild: until searches are answered', built.seconds, SECONDS),
      quantityOf('rebuild: rate of the process', records / processorSeconds, A_PROCESSOR_SECOND),
      quantityOf(
        'rebuild: rate with the database',
        records / (processorSeconds + databaseProcessorSeconds),
        A_PROCESSOR_SECOND,
      ),
      megabytes('rebuild: most memory of the process', built.peakBytes),
    );
    if (merged !== undefined) {
      const merging = merged.processorSeconds - processorSeconds;
      quantities.push(
        quantityOf('rebuild: merges after it', merging, PROCESSOR_SECONDS),
        megabytes('rebuild: most memory of the process, merges included', merged.peakBytes),
      );
    }
  }
  if (opened !== undefined) {
    quantities.push(
      quantityOf('start with a snapshot: until searches are answered', opened.seconds, SECONDS),
      quantityOf('start with a snapshot', opened.processorSeconds, PROCESSOR_SECONDS),
    );
  }
  return quantities;
}

function describeProcess({ processBytes, status, threadBytes }: Measured): Quantity[] {
  if (processBytes === undefined || status === undefined) return [];
  return [
    megabytes('process: memory with its index', processBytes),
    megabytes('process: memory without its index', processBytes - sum(Object.values(status.bytes))),
    ...(threadBytes === undefined ? [] : [megabytes('process: a search thread', threadBytes)]),
  ];
}

function processorOf({ loadProcessorSeconds, databaseProcessorSeconds }: LoadCost): number {
  return loadProcessorSeconds + databaseProcessorSeconds;
}

/** Of the first load, which finds empty registers, and of the last, which finds the others there. */
function describeLoads(loads: readonly LoadCost[]): Quantity[] {
  const shown = loads.length > 1 ? [loads[0]!, loads.at(-1)!] : loads;
  return shown.flatMap((load) => {
    const name = load.before === 0 ? 'first load' : 'load of new records';
    return [
      { name: `${name}: rate`, value: load.records / processorOf(load), unit: A_PROCESSOR_SECOND },
      { name: `${name}: rate by the clock`, value: load.records / load.seconds, unit: 'a second' },
      { name: `${name}: write-ahead log`, value: load.walBytes / load.records, unit: BYTES_A_RECORD },
      { name: `${name}: most memory of the command`, value: load.peakMb, unit: MEGABYTES },
    ];
  });
}

function describeCalls(name: string, cost: CallCost | undefined): Quantity[] {
  if (cost === undefined) return [];
  return [
    { name: `${name}: answers by the clock`, value: cost.callsPerSecond, unit: 'a second' },
    { name: `${name}: serving process`, value: cost.processMillis, unit: PROCESSOR_MILLIS },
    { name: `${name}: database`, value: cost.databaseMillis, unit: PROCESSOR_MILLIS },
  ];
}
