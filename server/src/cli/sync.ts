/**
 * `tmds sync`: keeps the registers current from the declared sources, continuously or once. With `--once` it reports
 * what it did; otherwise it logs like a server.
 */
import type { Command } from 'commander';
import { failureForLog, OperatorError } from '../base/errors.ts';
import { buildLog } from '../base/log.ts';
import { NoAnswer } from '../base/no-answer.ts';
import { openProgress, type Progress } from '../load/findings/progress.ts';
import { LOAD_POOL_MIN } from '../load/run.ts';
import { traceLoad } from '../monitor/traces.ts';
import { holdDuty } from '../store/duties/duties.ts';
import { dropOtherChecks, listSourceChecks } from '../store/sync/source-checks.ts';
import type { Note } from '../sync/collect.ts';
import type { DeclaredSource } from '../sync/declared/source.ts';
import { readSourcesFile } from '../sync/declared/sources-file.ts';
import type { WatchLoad } from '../sync/load-file.ts';
import { retryFile, skipFile } from '../sync/operator.ts';
import { type Rehearsal, rehearse } from '../sync/rehearsal.ts';
import { type RoundOptions, runRound, type SourceResult } from '../sync/round.ts';
import { runSchedule } from '../sync/schedule.ts';
import { type CommandContext, type CommandServices, Interrupted, oneLine } from './context.ts';

interface SyncFlags {
  once: boolean;
  dryRun: boolean;
  json: boolean;
  attached: boolean;
  skip?: string[];
  retry?: string[];
}

export function registerSyncCommand(program: Command, context: CommandContext): void {
  const collect = (value: string, before: string[] = []): string[] => [...before, value];
  program
    .command('sync')
    .description('fetch what the declared sources (TMDS_SOURCES) publish, and load it in the order of its periods')
    .argument('[source...]', 'only these; default: all that are declared')
    .option('--once', 'check each source once, then end; default: continue until SIGINT or SIGTERM', false)
    .option('--dry-run', 'show what would be fetched and loaded, and do nothing', false)
    .option('--skip <file>', 'leave out a file that failed or came late, then check once; may be repeated', collect)
    .option('--retry <file>', 'fetch and load this file again, then check once; may be repeated', collect)
    .option('--json', 'what was done as one JSON document; without --once, a JSON object for each line', false)
    .option('--attached', 'end when standard input ends', false)
    .action((names: string[], flags: SyncFlags) => runSync(context, names, flags));
}

async function runSync(context: CommandContext, names: readonly string[], flags: SyncFlags): Promise<void> {
  const readDeclared = async (): Promise<DeclaredSource[]> => await readSourcesFile(context.readConfig().sourcesFile);
  const declared = await readDeclared();
  const chosen = chooseSources(declared, names);
  const isOnce = flags.once || flags.dryRun || flags.skip !== undefined || flags.retry !== undefined;
  if (isOnce) {
    await context.withDatabase('sync', async (services) => {
      context.giveWay();
      if (flags.dryRun) await rehearseAll(context, services, chosen, flags);
      else await checkOnce(context, services, { declared, chosen, flags });
    });
    return;
  }
  try {
    const work = context.withDatabase('sync', (services) => {
      context.giveWay();
      return keepCurrent(context, services, { readDeclared, names, flags });
    });
    await (flags.attached ? Promise.race([work, inputEnded()]) : work);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}

/** Resolves when the process at the other end of standard input is gone. */
async function inputEnded(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.stdin
      .resume()
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
  });
}

function chooseSources(declared: readonly DeclaredSource[], names: readonly string[]): DeclaredSource[] {
  const unknown = names.find((name) => declared.every((source) => source.name !== name));
  if (unknown !== undefined) {
    const known = declared.map(({ name }) => name).join(', ') || 'none';
    throw new OperatorError(`there is no source ${unknown}; declared: ${known}`, { exitStatus: 2 });
  }
  return declared.filter(({ name }) => names.length === 0 || names.includes(name));
}

interface Once {
  declared: readonly DeclaredSource[];
  chosen: readonly DeclaredSource[];
  flags: SyncFlags;
}

async function checkOnce(context: CommandContext, services: CommandServices, once: Once): Promise<void> {
  const { flags, chosen, declared } = once;
  const notes: Note[] = [];
  const note = (each: Note): void => {
    notes.push(each);
    if (!flags.json) context.print(`${each.source}: ${oneLine(each.text)}`);
  };
  const signal = new AbortController().signal;
  const base = await openRound(services, { note, signal, log: services.log, version: context.version });
  const showLoads = (): Progress => openProgress(services.clock, process.stderr);
  const outcome = await holdDuty(base.db, 'sync', async ({ isHeld }) => {
    const decision = { ...base, sources: chosen };
    for (const name of flags.skip ?? []) await skipFile(name, decision);
    for (const name of flags.retry ?? []) await retryFile(name, decision);
    const results = await runRound(chosen, {
      ...base,
      declared,
      accepted: new Set(flags.retry ?? []),
      isHeld,
      openProgress: showLoads,
    });
    await dropOtherChecks(
      base.db,
      declared.map(({ name }) => name),
    );
    return results;
  });
  if (!outcome.held) throw new OperatorError('another sync is running; it does the same work, so try again later');
  if (flags.json) context.print(JSON.stringify({ sources: outcome.result, notes }));
  else if (notes.every(({ event }) => event === 'passed')) context.print('nothing new');
  endWith(context, outcome.result);
}

/** Throws `OperatorError` if a source could not be brought up to date. */
function endWith(context: CommandContext, results: readonly SourceResult[]): void {
  const failed = results.filter(({ failure, stopped }) => failure !== null || stopped).map(({ source }) => source);
  if (failed.length > 0) throw new OperatorError(`not brought up to date: ${failed.join(', ')}`);
  if (results.some(({ loaded }) => loaded.some(({ rejected }) => rejected > 0))) context.exitStatus = 3;
}

async function openRound(
  { config, clock, connectUnlimited }: CommandServices,
  { note, signal, log, version }: Pick<RoundOptions, 'note' | 'signal' | 'log'> & { version: string },
): Promise<Omit<RoundOptions, 'declared' | 'accepted' | 'isHeld'>> {
  // One connection more than a load needs: it holds the turn.
  const db = await connectUnlimited(LOAD_POOL_MIN + 1);
  const { tracesEndpoint: endpoint, tracesShare: share, dataDir } = config;
  const tracing = { endpoint, share, version, clock, log };
  const watchLoad: WatchLoad = (format, run) => traceLoad(tracing, format, run);
  return { db, clock, log, signal, note, dataDir, watchLoad, payloads: config.payloads };
}

async function keepCurrent(
  context: CommandContext,
  services: CommandServices,
  given: { readDeclared: () => Promise<DeclaredSource[]>; names: readonly string[]; flags: SyncFlags },
): Promise<void> {
  const { config, clock } = services;
  // A service logs; the log of a command holds warnings only.
  const log = buildLog({ level: config.logLevel, format: config.logFormat });
  // Files that every check skips are logged once.
  const passed = new Set<string>();
  const note = (each: Note): void => {
    if (given.flags.json) context.print(JSON.stringify(each));
    const line = `${each.source} ${each.text}`;
    if (each.event === 'passed' && passed.has(line)) return;
    if (each.event === 'passed') passed.add(line);
    const { level, text, ...facts } = each;
    log[level](facts, text);
  };
  const signal = new AbortController().signal;
  const base = await openRound(services, { note, signal, log, version: context.version });
  await runSchedule({
    clock,
    signal,
    random: Math.random,
    readSources: async () => chooseSources(await given.readDeclared(), given.names),
    readChecked: async () =>
      new Map((await listSourceChecks(base.db)).map(({ source, checked_ms }) => [source, checked_ms])),
    check: async (due) => {
      const declared = await given.readDeclared();
      const held = await holdDuty(base.db, 'sync', async ({ isHeld }) => {
        await runRound(due, { ...base, declared, accepted: new Set(), isHeld });
        await dropOtherChecks(
          base.db,
          declared.map(({ name }) => name),
        );
      });
      return held.held;
    },
    onFailure: (error) => {
      const level = error instanceof NoAnswer ? 'warn' : 'error';
      log[level](failureForLog(error), 'the sources could not be checked; they will be in a minute');
    },
  });
}

async function rehearseAll(
  context: CommandContext,
  { database, clock }: CommandServices,
  chosen: readonly DeclaredSource[],
  flags: SyncFlags,
): Promise<void> {
  const note = ({ source, text }: Note): void => context.note(`${source}: ${oneLine(text)}`);
  const options = { db: database, clock, signal: new AbortController().signal, note };
  const found: Rehearsal[] = [];
  for (const source of chosen) found.push(await rehearse(source, options));
  if (flags.json) {
    context.print(JSON.stringify({ sources: found }));
    return;
  }
  for (const { source, fetch, load, waits, late } of found) {
    const none = fetch.length + load.length + late.length === 0 && waits === null;
    for (const name of fetch) context.print(`${source}: would fetch ${oneLine(name)}`);
    for (const name of load) context.print(`${source}: would load ${oneLine(name)}`);
    for (const name of late) context.print(`${source}: would not load ${oneLine(name)}, which is late`);
    if (waits !== null) context.print(`${source}: ${oneLine(waits)}`);
    if (none) context.print(`${source}: nothing new`);
  }
}
