/** Which texts hold an expression for too long, by the processor time of this process. */
import { createContext, Script } from 'node:vm';
import { processorMs } from './processor-time.ts';
import { listAttacks } from './regex-attacks.ts';
import type { FoundRegex } from './regexes.ts';

const LENGTH = 50_000;
/** Where texts are bounded before an expression sees them: the bound. */
const BOUNDED: Readonly<Record<string, number>> = {
  // Names beyond this are left whole.
  'server/src/record/aliases.ts': 1_000,
};
/** A linear expression takes a tenth of a millisecond for `LENGTH`, a quadratic one a second. */
const HELD_MS_MAX = 50;
/** Texts of this length find the suspects: 0.01 ms, and 10 ms or more. */
const SUSPECT_LENGTH = 8_000;
const SUSPECT_MS = 2;
const TRIES = 5;

const trial = { texts: [] as string[], use: (_text: string): void => undefined, at: 0, held: [] as number[] };
const script = new Script(`
  for (trial.at = 0; trial.at < trial.texts.length; trial.at += 1) {
    const start = now();
    trial.use(trial.texts[trial.at]);
    trial.held.push(now() - start);
  }`);
const context = createContext({ trial, now: processorMs });

/** The milliseconds for each text; the first one that does not end takes forever. */
function measure(texts: string[], use: (text: string) => void, timeout: number): number[] {
  Object.assign(trial, { texts, use, held: [] });
  try {
    script.runInContext(context, { timeout });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    trial.held.push(Number.POSITIVE_INFINITY);
  }
  return trial.held;
}

/** As a sentence, the text that holds the process for too long; null if there is none. */
export function findFault({ place, source, flags }: FoundRegex): string | null {
  const regex = new RegExp(source, flags);
  const use = (text: string): void => {
    regex.lastIndex = 0;
    if (regex.global) text.replace(regex, '');
    else regex.exec(text);
  };
  const bound = BOUNDED[place.split(':')[0] ?? ''] ?? LENGTH;
  const held = measure([...listAttacks(source, flags, Math.min(bound, SUSPECT_LENGTH))], use, 10_000);
  for (const [at, suspectMs] of held.entries()) {
    if (suspectMs < SUSPECT_MS) continue;
    const text = [...listAttacks(source, flags, bound)][at]!;
    // Other threads of this process may have worked at the same time, but hardly each time.
    const isHeld = (): boolean => measure([text], use, 10 * HELD_MS_MAX)[0]! > HELD_MS_MAX;
    if (!Array.from({ length: TRIES }).every(isHeld)) continue;
    return `${place} /${source}/${flags}: ${JSON.stringify(text.slice(0, 40))} … ${JSON.stringify(text.slice(-3))}`;
  }
  return null;
}
