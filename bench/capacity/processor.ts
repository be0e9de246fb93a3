/** Processor time and memory of processes: steadier than the clock on a machine that is busy with other work. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Ticks of `/proc/PID/stat` in a second. */
const TICKS = 100;

interface ProcessTimes {
  readonly parent: number;
  /** Seconds of the process with all its threads. */
  readonly own: number;
  /** Seconds of its children that have ended. */
  readonly ended: number;
}

/** Null if there is no such process. */
function readTimes(pid: number): ProcessTimes | null {
  try {
    // Counted from behind the name, which may hold blanks: the parent is field 4, the times are fields 14 to 17.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1]!, own: (user + system) / TICKS, ended: (endedUser + endedSystem) / TICKS };
  } catch {
    return null;
  }
}

/** Seconds of processor time that a process has used so far, with its children. */
export function readProcessorSeconds(pid: number): number {
  const own = readTimes(pid);
  if (own === null) return 0;
  const children = readdirSync('/proc').flatMap((name) => {
    const times = /^\d+$/.test(name) ? readTimes(Number(name)) : null;
    return times?.parent === pid ? [times.own + times.ended] : [];
  });
  return children.reduce((sum, seconds) => sum + seconds, own.own + own.ended);
}

/** The process of the embedded PostgreSQL from which all its others descend. */
export function findPostmaster(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]);
}

export interface Memory {
  readonly residentBytes: number;
  /** The most that it ever was. */
  readonly peakBytes: number;
}

export function readMemory(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
  return { residentBytes: read('VmRSS'), peakBytes: read('VmHWM') };
}
