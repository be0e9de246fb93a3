/** What a process has used, as Linux reports it. */
import { readFile, writeFile } from 'node:fs/promises';

const MB = 1024;
/** Clock ticks are a hundredth of a second on every Linux. */
const TICKS_PER_SECOND = 100;

/** Most memory that the process held since `forgetPeak`, in MB; null once it has ended. */
export async function readPeakMb(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) / MB;
}

export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

/** Seconds of a processor that it has used; null once it has ended. */
export async function readProcessorSeconds(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the name, which may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.length < 13 ? null : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
