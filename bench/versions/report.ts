/** What the comparison of two versions reports: ratios, what is slower, and the table. Knows nothing of processes. */

/** What lies between is noise. */
const SLOWER = 0.95;
const FASTER = 1 / SLOWER;

export interface Side {
  /** Milliseconds of a call, answers a second, or seconds of a load. */
  readonly value: number;
  /** Milliseconds; null where only the median is of interest. */
  readonly p99Ms: number | null;
}

export interface Figure {
  readonly kind: string;
  /** Null for a load. */
  readonly callers: number | null;
  readonly unit: 'ms' | '/s' | 's';
  readonly old: Side;
  readonly new: Side;
}

export interface Compared {
  readonly oldVersion: string;
  readonly newVersion: string;
  /** What was loaded, such as `300,000 generated records`. */
  readonly loaded: string;
  readonly machine: string;
  readonly seconds: number;
  readonly rounds: number;
  readonly figures: readonly Figure[];
}

export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** NEW ÷ OLD of the speed: above 1 is faster. */
export function ratioOf({ unit, old, new: now }: Figure): number {
  return unit === '/s' ? now.value / old.value : old.value / now.value;
}

function nameOf({ kind, callers }: Figure): string {
  if (callers === null) return kind;
  return `${kind}, ${callers === 1 ? 'one caller' : `${callers} callers`}`;
}

const describeFigure = (figure: Figure): string => `${nameOf(figure)} (${ratioOf(figure).toFixed(2)})`;
const bySpeed = (one: Figure, other: Figure): number => ratioOf(one) - ratioOf(other);

/** `name (ratio)` of each figure below the bound, slowest first. */
export function listBelow(figures: readonly Figure[], bound: number): string[] {
  return figures
    .filter((figure) => ratioOf(figure) < bound)
    .sort(bySpeed)
    .map(describeFigure);
}

/** `name (ratio)` of each figure above the bound, fastest first. */
function listAbove(figures: readonly Figure[], bound: number): string[] {
  return figures
    .filter((figure) => ratioOf(figure) > bound)
    .sort((one, other) => bySpeed(other, one))
    .map(describeFigure);
}

function describeList(word: string, bound: string, names: readonly string[]): string {
  return names.length === 0 ? `${word}: no kind is ${bound}.` : `${word} (${bound}): ${names.join('; ')}.`;
}

function showValue(value: number, unit: Figure['unit']): string {
  if (unit === '/s') return `${Math.round(value).toLocaleString('en')}/s`;
  return `${value.toFixed(unit === 'ms' ? 2 : 1)} ${unit}`;
}

const showP99 = ({ p99Ms }: Side): string => (p99Ms === null ? '' : `${p99Ms.toFixed(1)} ms`);

function renderRow(figure: Figure): string {
  const { kind, callers, unit, old, new: now } = figure;
  const values = [showValue(old.value, unit), showValue(now.value, unit), showP99(old), showP99(now)];
  return `| ${kind} | ${callers ?? ''} | ${values.join(' | ')} | ${ratioOf(figure).toFixed(2)} |`;
}

export function renderVersions({ oldVersion, newVersion, loaded, machine, ...compared }: Compared): string {
  const { seconds, rounds, figures } = compared;
  return [
    `# Versions: OLD ${oldVersion}, NEW ${newVersion}`,
    '',
    `${machine} ${loaded}.`,
    'The built `tmds` of each version loads them into a fresh folder: seconds of the whole command, once each.',
    'Then both serve with keys and metering and get the same calls in alternation: one caller, medians of single',
    `calls; several callers, medians of ${rounds} rounds of ${seconds} s. Both are warm. Services, databases and`,
    'callers share the machine.',
    'NEW ÷ OLD compares speeds: above 1, NEW is faster.',
    '',
    '| kind | callers | OLD | NEW | p99 OLD | p99 NEW | NEW ÷ OLD |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...figures.map(renderRow),
    '',
    describeList('Slower', `below ${SLOWER}`, listBelow(figures, SLOWER)),
    describeList('Faster', `above ${FASTER.toFixed(2)}`, listAbove(figures, FASTER)),
    '',
  ].join('\n');
}
