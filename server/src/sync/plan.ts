/**
 * Decides what a source needs next, from its declaration, the known files, and the time. It only plans. Invariant:
 * files are loaded in the order of their periods, whatever order they arrived in; a file older than a loaded one is
 * loaded only if its format allows that.
 */

import { DAY_MS } from '../base/clock.ts';
import { labelNumber, type SourceFile } from '../store/sync/source-files.ts';
import { labelPart, lastDayOf } from './declared/file-names.ts';
import { dueOf, listExpected } from './declared/rhythm.ts';
import type { DeclaredSource } from './declared/source.ts';

type Step =
  | { kind: 'load'; file: SourceFile }
  /** Older than a loaded file, and its format does not allow that. */
  | { kind: 'late'; file: SourceFile; newer: string }
  /** `period` is missing. `untilMs`: its grace; null where only the period itself ends the wait. */
  | { kind: 'wait'; file: SourceFile; period: string; untilMs: number | null }
  | { kind: 'none' };

export interface SourceState {
  step: Step;
  /** Missing periods whose grace has ended, while a later one is present. */
  gaps: string[];
  /** The next expected period, and when it becomes overdue; null without a rhythm. */
  nextPeriod: string | null;
  dueMs: number | null;
  newestLoaded: SourceFile | null;
}

interface PlanInput {
  source: DeclaredSource;
  /** The newest revision of each name, in the order of periods. */
  files: readonly SourceFile[];
  nowMs: number;
  /** Names that the operator wants loaded although they are late or have periods missing before them. */
  accepted: ReadonlySet<string>;
}

/** More missing periods are not listed: a stray number must not make a list of a million. */
const MISSING_MAX = 1_000;
const LOOK_AHEAD_DAYS = 800;

export function planSource({ source, files, nowMs, accepted }: PlanInput): SourceState {
  const newestLoaded = findNewest(files.filter(({ state }) => state === 'loaded' || state === 'double'));
  const missing = listMissing(source, files, nowMs);
  const newestSeen = findNewest(files)?.period ?? null;
  const gaps = missing.filter(({ label, dueMs }) => dueMs <= nowMs && newestSeen !== null && label < newestSeen);
  const next = findNext(source, { files, missing, newestSeen, newestLoaded: newestLoaded?.period ?? null, nowMs });
  const step = findStep({ source, files, nowMs, accepted }, missing, newestLoaded?.period ?? null);
  return { step, gaps: gaps.map(({ label }) => label), ...next, newestLoaded };
}

function findNewest(files: readonly SourceFile[]): SourceFile | null {
  return files.reduce<SourceFile | null>(
    (newest, file) => (newest === null || file.period >= newest.period ? file : newest),
    null,
  );
}

function findStep(
  { source, files, nowMs, accepted }: PlanInput,
  missing: readonly MissingPeriod[],
  newestLoaded: string | null,
): Step {
  for (const file of files) {
    if (file.state !== 'seen' && file.state !== 'fetched') continue;
    if (accepted.has(file.name)) return { kind: 'load', file };
    if (newestLoaded !== null && file.period < newestLoaded) {
      return source.late === 'load' ? { kind: 'load', file } : { kind: 'late', file, newer: newestLoaded };
    }
    // A period older than a loaded one is no longer waited for.
    const before = missing.filter(({ label }) => label < file.period && (newestLoaded ?? '') < label);
    const patient = before.find(({ dueMs }) => dueMs > nowMs);
    if (patient !== undefined) return { kind: 'wait', file, period: patient.label, untilMs: patient.dueMs };
    const [gap] = before;
    if (gap !== undefined && source.gaps === 'wait') {
      return { kind: 'wait', file, period: gap.label, untilMs: null };
    }
    return { kind: 'load', file };
  }
  return { kind: 'none' };
}

interface MissingPeriod {
  label: string;
  dueMs: number;
}

/** The periods that should be present by now and are not, in order. */
function listMissing(source: DeclaredSource, files: readonly SourceFile[], nowMs: number): MissingPeriod[] {
  if (source.files.unit === 'number') {
    const numbers = files.map(({ period }) => Number(period));
    return listMissingNumbers(source, files, {
      present: numbers,
      from: source.since === null ? Math.min(...numbers) : Number(source.since),
      label: labelNumber,
    });
  }
  const bases = new Set(files.map(({ period }) => baseOf(period)));
  const missing: MissingPeriod[] = [];
  if (source.rhythm !== null && source.since !== null) {
    const expected = listExpected(source.rhythm, source.files.unit, {
      fromDay: lastDayOf(source.since) ?? 0,
      throughDay: Math.floor(nowMs / DAY_MS) - 1,
    });
    for (const { label, lastDay } of expected) {
      if (bases.has(label) || source.except.has(label)) continue;
      missing.push({ label, dueMs: dueOf(lastDay, source.graceMs) });
      if (missing.length === MISSING_MAX) break;
    }
  }
  if (source.files.hasParts) {
    for (const base of bases) missing.push(...listMissingParts(source, files, base));
    missing.sort((one, other) => (one.label < other.label ? -1 : 1));
  }
  return missing;
}

function listMissingParts(source: DeclaredSource, files: readonly SourceFile[], base: string): MissingPeriod[] {
  const present = files
    .filter(({ period }) => baseOf(period) === base)
    .map(({ period }) => Number(period.split('/')[1]));
  return listMissingNumbers(source, files, { present, from: 1, label: (part) => labelPart(base, part) });
}

/** A number is missed once a higher one has been there for the time of grace. */
function listMissingNumbers(
  source: DeclaredSource,
  files: readonly SourceFile[],
  { present, from, label }: { present: readonly number[]; from: number; label: (number: number) => string },
): MissingPeriod[] {
  const missing: MissingPeriod[] = [];
  const known = new Set(present);
  const through = Math.max(...present);
  for (let number = from; number < through && missing.length < MISSING_MAX; number += 1) {
    if (known.has(number) || source.except.has(label(number))) continue;
    const later = files.filter(({ period }) => period > label(number)).map((file) => file.seen_ms);
    missing.push({ label: label(number), dueMs: Math.min(...later) + source.graceMs });
  }
  return missing;
}

function baseOf(period: string): string {
  return period.split('/')[0] ?? '';
}

interface Known {
  files: readonly SourceFile[];
  missing: readonly MissingPeriod[];
  newestSeen: string | null;
  newestLoaded: string | null;
  nowMs: number;
}

function findNext(
  source: DeclaredSource,
  { files, missing, newestSeen, newestLoaded, nowMs }: Known,
): Pick<SourceState, 'nextPeriod' | 'dueMs'> {
  const { rhythm, files: names, graceMs } = source;
  if (rhythm === null) return { nextPeriod: null, dueMs: null };
  // A skipped gap is not waited for.
  const after = (source.gaps === 'wait' ? newestLoaded : newestSeen) ?? '';
  const awaited = missing.find(({ label }) => label > after);
  if (awaited !== undefined) return { nextPeriod: awaited.label, dueMs: awaited.dueMs };
  if (names.unit === 'number') return findNextNumber(source, files, rhythm.stepDays);
  const today = Math.floor(nowMs / DAY_MS);
  const bases = new Set(files.map(({ period }) => baseOf(period)));
  const fromDay = Math.max(today, source.since === null ? 0 : (lastDayOf(source.since) ?? 0));
  const coming = listExpected(rhythm, names.unit, { fromDay, throughDay: fromDay + LOOK_AHEAD_DAYS });
  for (const { label, lastDay } of coming) {
    if (!bases.has(label) && !source.except.has(label)) return { nextPeriod: label, dueMs: dueOf(lastDay, graceMs) };
  }
  return { nextPeriod: null, dueMs: null };
}

/** Numbers name no day, so the next one is due a step of the rhythm after the last one was seen. */
function findNextNumber(
  { graceMs }: DeclaredSource,
  files: readonly SourceFile[],
  stepDays: number,
): Pick<SourceState, 'nextPeriod' | 'dueMs'> {
  const newest = findNewest(files);
  if (newest === null) return { nextPeriod: null, dueMs: null };
  return { nextPeriod: labelNumber(Number(newest.period) + 1), dueMs: newest.seen_ms + stepDays * DAY_MS + graceMs };
}
