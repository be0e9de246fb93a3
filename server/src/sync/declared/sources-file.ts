/**
 * Reads `sources.toml`, in which each source is a table `[source.NAME]`. It is strict, because a misspelled key would
 * have no effect: every problem is reported with its line, and a file with any problem is not used.
 */

import { readFile, stat } from 'node:fs/promises';
import { parse, TomlError } from 'smol-toml';
import { DAY_MS } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import { isSetFormat } from '../../load/formats/format.ts';
import { FORMATS, findFormat } from '../../load/formats/registry.ts';
import { mayComeInAnyOrder } from '../../store/records/source-series.ts';
import { type NamePattern, parseNamePattern, parsePeriod } from './file-names.ts';
import { PLACE_KEYS, readPlace } from './place-keys.ts';
import { parseRhythm, type Rhythm } from './rhythm.ts';
import type { DeclaredSource, KeepRule } from './source.ts';
import {
  choice,
  duration,
  findLines,
  list,
  openTable,
  type Problem,
  periodText,
  size,
  type TableReader,
  text,
  truth,
} from './table-reader.ts';

const FILE_BYTES_MAX = 1024 * 1024;

const KEYS: readonly string[] = [
  ...PLACE_KEYS,
  ...['kind', 'format', 'files', 'register', 'rhythm', 'since', 'except', 'grace', 'gaps', 'late', 'keep', 'checksums'],
  ...['size_max', 'time_max', 'every', 'accept_rejects', 'allow_empty', 'whole', 'accept_absent', 'frontier'],
];

/** In the order of the file. Throws one `OperatorError` (exit status 2) that names every problem. */
export async function readSourcesFile(path: string): Promise<DeclaredSource[]> {
  let content: string;
  try {
    if ((await stat(path)).size > FILE_BYTES_MAX) throw new OperatorError(`${path} is too large`, { exitStatus: 2 });
    content = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code ?? 'unknown'})`;
    const remedy = 'ops/sources.example.toml is an example; TMDS_SOURCES names the file';
    throw new OperatorError(`sources are declared in ${path}, but ${reason}; ${remedy}`, {
      exitStatus: 2,
      cause: error,
    });
  }
  const { sources, problems } = parseSources(content);
  if (problems.length === 0) return sources;
  const lines = problems.map((problem) => `${path}:${problem.line}: ${problem.text}`);
  throw new OperatorError(lines.join('\n'), { exitStatus: 2 });
}

/** Every source without a problem, and the problems of the others in the order of their lines. */
export function parseSources(content: string): { sources: DeclaredSource[]; problems: Problem[] } {
  let document: Record<string, unknown>;
  try {
    document = parse(content);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    return { sources: [], problems: [{ line: error.line, text: `no valid TOML: ${reason}` }] };
  }
  const lines = findLines(content);
  const problems: Problem[] = [];
  for (const key of Object.keys(document)) {
    if (key !== 'source')
      problems.push({ line: lines.get(key) ?? 1, text: `${key} is not known; declare [source.NAME]` });
  }
  const tables = document.source ?? {};
  const sources: DeclaredSource[] = [];
  if (!isTable(tables)) return { sources, problems: [...problems, { line: 1, text: 'source must be [source.NAME]' }] };
  for (const [name, table] of Object.entries(tables)) {
    const path = `source.${name}`;
    if (!isTable(table)) problems.push({ line: lines.get(path) ?? 1, text: `${path} must be a table` });
    else {
      const before = problems.length;
      const source = readSource(name, openTable({ table, path, lines, problems }));
      if (source !== null && problems.length === before) sources.push(source);
    }
  }
  return { sources, problems: problems.sort((one, other) => one.line - other.line) };
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function readSource(name: string, table: TableReader): DeclaredSource | null {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) {
    table.refuse(null, 'must be named with small letters, digits and "-"');
  }
  const place = readPlace(table);
  const format = table.required('format', (value) => {
    const found = findFormat(text(value));
    if (found === null) throw new Error(`must be one of ${FORMATS.map((each) => each.name).join(', ')}`);
    return found;
  });
  const files = table.required('files', (value) => parseNamePattern(text(value)));
  const register = table.optional('register', readRegister, null);
  const rhythm =
    files === null ? null : table.optional('rhythm', (value) => parseRhythm(text(value), files.unit), null);
  const takesAnyOrder = format !== null && mayComeInAnyOrder(format.name);
  const source: DeclaredSource | null =
    place !== null && format !== null && files !== null
      ? {
          name,
          line: table.lineOf(null),
          place,
          files,
          format,
          register,
          stops: register ?? format.register ?? `source ${name}`,
          rhythm,
          ...readPeriods(table, files, rhythm),
          graceMs: table.optional('grace', duration(0, 366 * DAY_MS), 2 * DAY_MS),
          gaps: table.optional('gaps', choice('wait', 'pass'), takesAnyOrder ? 'pass' : 'wait'),
          late: table.optional('late', choice('load', 'report'), takesAnyOrder ? 'load' : 'report'),
          keep: table.optional('keep', readKeep, { keep: 'all' } as const),
          checksums: table.optional('checksums', readChecksumName, null),
          bytesMax: table.optional('size_max', size, 50e9),
          fetchMsMax: table.optional('time_max', duration(60_000, 7 * DAY_MS), DAY_MS),
          everyMs: table.optional('every', duration(60_000, 31 * DAY_MS), 3_600_000),
          load: {
            acceptRejects: table.optional('accept_rejects', truth, false),
            allowEmpty: table.optional('allow_empty', truth, false),
            whole: table.optional('whole', truth, false),
            acceptAbsent: table.optional('accept_absent', truth, false),
            frontier: table.optional('frontier', choice('file', 'period'), 'file'),
          },
        }
      : null;
  if (source !== null) {
    refuseContradictions(source, table);
    table.end(KEYS);
  }
  return source;
}

function readPeriods(
  table: TableReader,
  files: NamePattern,
  rhythm: Rhythm | null,
): Pick<DeclaredSource, 'since' | 'except'> {
  const readPeriod = (value: unknown): string => {
    const stated = periodText(value);
    const label = parsePeriod(files.unit, stated);
    const example = { day: '2026-11-20', week: '2026-W47', month: '2026-11', year: '2026', number: '2240' }[files.unit];
    if (label === null) throw new Error(`must be a ${files.unit} such as ${example}, not "${stated}"`);
    return label;
  };
  const since = table.optional('since', readPeriod, null);
  if (rhythm !== null && files.unit !== 'number' && since === null && !table.has('since')) {
    table.refuse(null, 'has a rhythm, so it needs since: the first expected period');
  }
  return { since, except: new Set(table.optional('except', list(readPeriod), [])) };
}

function refuseContradictions(
  { load, format, files, late, gaps, rhythm, place, keep }: DeclaredSource,
  table: TableReader,
): void {
  if (load.whole && isSetFormat(format)) table.refuse('whole', `is not for ${format.name}, which states changes only`);
  if (load.whole && files.hasParts) table.refuse('whole', 'is not for periods of several files');
  if (load.whole && late === 'load')
    table.refuse('late', 'must be report: an older whole register would undo a newer one');
  if (load.acceptAbsent && !load.whole) table.refuse('accept_absent', 'is of use with whole only');
  if (load.frontier === 'period' && files.unit === 'number')
    table.refuse('frontier', 'cannot be period: numbers name no day');
  if (table.has('gaps') && rhythm === null && files.unit !== 'number' && !files.hasParts) {
    table.refuse('gaps', `is of no use without a rhythm: without one no period counts as missing (${gaps})`);
  }
  if (place.kind === 'folder' && keep.keep !== 'all' && !table.has('settle')) {
    table.refuse('keep', 'would delete files from the folder; allow it by settle, which says when a file is complete');
  }
}

function readRegister(value: unknown): string {
  const code = text(value);
  if (!/^[A-Z0-9]{2,5}$/.test(code)) throw new Error('must be a register code such as US');
  return code;
}

function readKeep(value: unknown): KeepRule {
  const [, count, unit] = /^(?:last )?(\d{1,4}) (files|days)$/.exec(String(value)) ?? [];
  if (value === 'all' || value === 'none') return { keep: value };
  if (unit === 'files' && Number(count) > 0) return { keep: 'last', files: Number(count) };
  if (unit === 'days') return { keep: 'days', days: Number(count) };
  throw new Error('must be all, none, "last 10 files" or "30 days"');
}

function readChecksumName(value: unknown): string {
  const name = text(value);
  if (/[/\\]/.test(name) || name === '{name}')
    throw new Error('must be the name of another file, such as {name}.sha256');
  return name;
}
