/**
 * Loads one file of a source as `tmds load` would, after checking what it is. It distinguishes a bad file, which stops
 * its register, from trouble that is not the file's fault: such trouble passes, and the file is loaded at the next
 * check.
 */
import { DAY_MS, isoInstant } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import { NoAnswer } from '../base/no-answer.ts';
import type { PayloadPlace } from '../base/payload-places.ts';
import { type Progress, silentProgress } from '../load/findings/progress.ts';
import type { LoadReport } from '../load/findings/report.ts';
import { chooseFormat } from '../load/inspection/choose.ts';
import { placesIn } from '../load/places.ts';
import { type LoadOptions, type LoadStep, runLoad } from '../load/run.ts';
import { UnwritableFile } from '../load/sources/files.ts';
import { openSource } from '../load/sources/source.ts';
import { lastDayOf } from './declared/file-names.ts';
import type { DeclaredSource } from './declared/source.ts';

/** Runs a load with an observer, which is notified of its steps. */
export type WatchLoad = (
  format: string,
  run: (watched: { readonly onStep?: (step: LoadStep) => Promise<void> }) => Promise<LoadReport>,
) => Promise<LoadReport>;

interface LoadFileOptions extends Pick<LoadOptions, 'db' | 'clock' | 'log'> {
  dataDir: string;
  /** Default: as text in the database. */
  payloads?: PayloadPlace | undefined;
  /** Default: no observer. */
  watchLoad?: WatchLoad | undefined;
  openProgress?: (() => Progress) | undefined;
  onLoadStep?: ((step: LoadStep) => Promise<void>) | undefined;
}

interface FileToLoad {
  path: string;
  period: string;
  /** Whether every period before this one is loaded. */
  isComplete: boolean;
}

/** The file cannot be loaded because of its content. */
export class BadFile extends OperatorError {}

/** Throws `BadFile`, or `OperatorError` for trouble that is not the file's fault. */
export async function loadFile(
  source: DeclaredSource,
  { path, period, isComplete }: FileToLoad,
  options: LoadFileOptions,
): Promise<LoadReport> {
  const { format, register, load } = source;
  const { acceptRejects, allowEmpty, whole, acceptAbsent } = load;
  const { onLoadStep, watchLoad = (_format, run) => run({}) } = options;
  try {
    await checkFormat(path, source);
    const sources = [await openSource(path)];
    return await watchLoad(format.name, ({ onStep }) =>
      runLoad({
        ...placesIn(options.dataDir),
        db: options.db,
        clock: options.clock,
        log: options.log,
        format,
        register,
        sources,
        period,
        declaredSource: source.name,
        currentThrough: load.frontier === 'period' && isComplete ? endOf(period, options.clock.nowMs()) : null,
        acceptRejects,
        allowEmpty,
        whole,
        acceptAbsent,
        keepRejectsFile: false,
        payloads: options.payloads ?? 'database',
        progress: options.openProgress?.() ?? silentProgress,
        onStep: async (step) => {
          await onStep?.(step);
          await onLoadStep?.(step);
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    if (error instanceof UnwritableFile || error.cause instanceof NoAnswer) throw error;
    throw new BadFile(error.message, { cause: error });
  }
}

/** The end of the last day of a period, or now if that is in the future. */
function endOf(period: string, nowMs: number): string | null {
  const lastDay = lastDayOf(period.split('/')[0] ?? '');
  return lastDay === null ? null : isoInstant(Math.min(nowMs, (lastDay + 1) * DAY_MS));
}

/** Throws `OperatorError` if the file is of a known kind that another format reads. */
async function checkFormat(path: string, { format }: DeclaredSource): Promise<void> {
  const choice = await chooseFormat(await openSource(path));
  const formats = choice?.recognition.formats ?? [];
  if (choice === null || formats.length === 0 || formats.includes(format.name)) return;
  const reads = `which ${formats.join(' or ')} reads`;
  throw new OperatorError(
    `${path} seems to be ${choice.recognition.seen}, ${reads}; the source declares ${format.name}`,
  );
}
