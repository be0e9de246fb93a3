/** `tmds sample`: writes synthetic registers to standard output or a file. Needs no database and no settings. */
import { type Command, Option } from 'commander';
import { OperatorError } from '../base/errors.ts';
import {
  DEFAULT_AS_OF,
  DEMONSTRATION_RECORDS,
  PAYLOAD_MODES,
  type PayloadMode,
  type SampleOptions,
} from '../generator/options.ts';
import { REGISTERS } from '../generator/registers.ts';
import type { CommandContext } from './context.ts';

interface SampleFlags {
  records: string;
  seed: string;
  format: 'ndjson';
  out: string;
  payload: PayloadMode;
  asOf: string;
  registers?: string;
  quiet?: true;
}

function readOptions(flags: SampleFlags): SampleOptions {
  if (!/^\d{1,10}$/.test(flags.records)) {
    throw new OperatorError(`--records takes a whole number such as 10000, not "${flags.records}"`, { exitStatus: 2 });
  }
  const { seed, asOf, payload } = flags;
  const options = { records: Number(flags.records), seed, asOf, payload, first: DEMONSTRATION_RECORDS };
  return flags.registers === undefined ? options : { ...options, registers: flags.registers.split(',') };
}

/** Aborts on SIGINT and SIGTERM, so that a half-written file is removed. */
function watchSignals(): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(new OperatorError('interrupted'));
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  const stop = () => {
    process.off('SIGINT', abort);
    process.off('SIGTERM', abort);
  };
  return { signal: controller.signal, stop };
}

async function runSample(flags: SampleFlags, context: CommandContext): Promise<void> {
  const options = readOptions(flags);
  const { generateLines } = await import('../generator/generate.ts');
  const { buildProgress, SILENT } = await import('../generator/progress.ts');
  const { writeFileOfLines, writeLines } = await import('../generator/write.ts');
  const lines = generateLines(options);
  const isToScreen = flags.out === '-' && process.stdout.isTTY === true;
  const isQuiet = flags.quiet === true || isToScreen;
  const progress = isQuiet ? SILENT : buildProgress(options.records, process.stderr, context.clock);
  const { signal, stop } = watchSignals();
  const writing = { signal, onWritten: (count: number) => progress.advance(count) };
  try {
    const report =
      flags.out === '-'
        ? await writeLines(lines, process.stdout, writing)
        : await writeFileOfLines(lines, flags.out, writing);
    if (report.isWhole) progress.finish(report.lines);
    else progress.stop();
  } catch (error) {
    progress.stop();
    throw error;
  } finally {
    stop();
  }
}

export function registerSampleCommand(program: Command, context: CommandContext): void {
  program
    .command('sample')
    .description('write synthetic registers: any number of invented records, the same for the same seed')
    .requiredOption('--records <n>', 'how many records')
    .option('--seed <text>', 'the same seed gives the same records, byte for byte', '1')
    .addOption(new Option('--format <name>', 'what to write').choices(['ndjson']).default('ndjson'))
    .option('--out <file>', 'where to write; .gz is compressed, - is standard output', '-')
    .addOption(
      new Option('--payload <mode>', 'how much of a document each record gets').choices(PAYLOAD_MODES).default('full'),
    )
    .option('--as-of <date>', 'the day that counts as today', DEFAULT_AS_OF)
    .option('--registers <codes>', `only these registers, of ${REGISTERS.map((register) => register.code).join(' ')}`)
    .option('--quiet', 'show no progress')
    .action((flags: SampleFlags) => runSample(flags, context));
}
