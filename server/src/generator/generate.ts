/**
 * The entry point of the generator: synthetic registers as records or as lines. The i-th record depends on (seed, i,
 * reference date, registers) and nothing else, so not on the number of records or the payload mode. Memory is constant:
 * each record is built when it is pulled.
 */
import { OperatorError } from '../base/errors.ts';
import type { World } from './core.ts';
import { dayOf, parseDay } from './lifecycle.ts';
import { buildPositions, parseRegisters } from './numbers.ts';
import { AS_OF_YEAR_MAX, AS_OF_YEAR_MIN, DEFAULT_AS_OF, SAMPLE_RECORDS_MAX, type SampleOptions } from './options.ts';
import { buildParties } from './parties.ts';
import { buildPayload } from './payload.ts';
import { buildSeed } from './random.ts';
import { buildDraft, type SampleRecord } from './record.ts';

function checkCount(value: number, name: string): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > SAMPLE_RECORDS_MAX) {
    throw new OperatorError(`${name} must be a whole number from 0 to ${SAMPLE_RECORDS_MAX}, not ${value}`, {
      exitStatus: 2,
    });
  }
}

/** Before 2000, some registers have hardly any records. */
function parseAsOf(text: string): number {
  const day = parseDay(text, 'the reference date');
  if (day < dayOf(AS_OF_YEAR_MIN, 1, 1) || day > dayOf(AS_OF_YEAR_MAX, 12, 31)) {
    const bounds = `from ${AS_OF_YEAR_MIN} to ${AS_OF_YEAR_MAX}`;
    throw new OperatorError(`the reference date must be in the years ${bounds}, not ${text}`, { exitStatus: 2 });
  }
  return day;
}

function* walkRecords(world: World, options: SampleOptions, first: number): Generator<SampleRecord> {
  const mode = options.payload ?? 'full';
  const positionOf = buildPositions(world.seed, parseRegisters(options.registers));
  for (let index = first; index < first + options.records; index += 1) {
    const draft = buildDraft(world, positionOf(index));
    yield { ...draft.content, payload: buildPayload(world, draft, mode) };
  }
}

/**
 * Records of the synthetic registers, built as they are pulled.
 * @throws OperatorError at once when an option is out of bounds.
 */
export function generateRecords(options: SampleOptions): Iterable<SampleRecord> {
  const first = options.first ?? 0;
  checkCount(options.records, 'the number of records');
  checkCount(first + options.records, 'the last record');
  parseRegisters(options.registers);
  const seed = buildSeed(options.seed);
  const asOfDay = parseAsOf(options.asOf ?? DEFAULT_AS_OF);
  return { [Symbol.iterator]: () => walkRecords({ seed, asOfDay, parties: buildParties(seed) }, options, first) };
}

/** The same records as lines of the `ndjson` format, each ending in a newline. */
export function generateLines(options: SampleOptions): Iterable<string> {
  const records = generateRecords(options);
  return {
    *[Symbol.iterator]() {
      for (const record of records) yield `${JSON.stringify(record)}\n`;
    },
  };
}
