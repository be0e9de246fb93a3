/**
 * The command `tmds-client`: reads its arguments, compares a docket, writes and reports. The key comes from the
 * environment or a file, because every user of the machine can see arguments.
 */
import { CsvFault } from '@tmds/contract/csv';
import { DOCKET_FIELDS, type DocketField } from '@tmds/contract/docket/fields';
import { DocketFault, type Survey, surveyDocket } from '@tmds/contract/docket/survey';
import { describeSearchCoverage } from '@tmds/contract/search-coverage';
import { TrademarkClient } from '../client.ts';
import type { Environment } from '../config.ts';
import { BLOCKED, isBlocked } from '../replica/faults.ts';
import { formatCount, type Terminal } from '../replica/progress.ts';
import { describeFileFault, isMissing, MissingFile, readSecret } from '../replica/settings.ts';
import { describeFailure, renderFailure } from '../shell/failures.ts';
import { openFileTarget, type Target } from '../shell/target.ts';
import { VERSION } from '../version.ts';
import { buildReading, type DocketOptions, type Flags, parseFlags, readOptions, USAGE, UsageError } from './options.ts';
import { type Compared, countCalls, type Docket, findKnownThrough, openFile, reconcileFile } from './run.ts';

const EXIT = { done: 0, failed: 1, usage: 2, differs: 3, blocked: BLOCKED } as const;

/** A rate limit is waited out; a minute later there is room again. */
const RETRIES = 10;

/** Runs the command; never throws. @param signal ends it; an incomplete file is removed */
export async function runClientCommand(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  let address = environment.TMDS_BASE_URL;
  try {
    const { values, positionals } = parseFlags(args);
    if (values.help || values.version) {
      terminal.out(values.help ? USAGE : `${VERSION}\n`);
      return EXIT.done;
    }
    const options = readOptions(values, positionals);
    address = values['base-url'] ?? address;
    const client = new TrademarkClient({ apiKey: await readSecret(environment, 'TMDS_API_KEY'), baseUrl: address });
    return await runReconcile(client, options, values, terminal, signal);
  } catch (error) {
    const isUsage = !isBlocked(error) && (error instanceof UsageError || error instanceof TypeError);
    const message = describeFailure(error, address);
    if (args.includes('--json')) terminal.err(renderFailure(error, message));
    else terminal.err(`tmds-client: ${message}\n${isUsage ? 'Try: tmds-client reconcile --help\n' : ''}`);
    if (isBlocked(error)) return EXIT.blocked;
    return isUsage ? EXIT.usage : EXIT.failed;
  }
}

async function runReconcile(
  client: TrademarkClient,
  options: DocketOptions,
  values: Flags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const open = openFile(options.file);
  const given = {
    ...(options.encoding === undefined ? {} : { encoding: options.encoding }),
    ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
    ...(options.headLine === undefined ? {} : { headLine: options.headLine }),
  };
  const survey = await readSurvey(options.file, () => surveyDocket(open, given));
  const docket = { open, form: survey, reading: buildReading(survey, options) };
  const callOptions = { signal, maxRetries: RETRIES };
  const knownThrough = await findKnownThrough(client, callOptions);
  if (values.plan) {
    const units = 1 + (await countCalls(docket, knownThrough));
    terminal.out(
      values.json ? `${JSON.stringify({ ...planOf(docket, survey), units })}\n` : describePlan(docket, survey, units),
    );
    return EXIT.done;
  }
  const target = await openTarget(values.out, terminal);
  const say = (text: string): void => {
    if (!values.quiet) terminal.err(terminal.live ? `\r${text}` : `${text}\n`);
  };
  try {
    const { tally, calls, coverage } = await reconcileFile(
      docket,
      { client, options: callOptions, knownThrough },
      { format: options.format, write: target.write },
      ({ rows }) => say(`${formatCount(rows)} of ${formatCount(survey.rows)} rows`),
    );
    if (terminal.live && !values.quiet) terminal.err('\n');
    await target.keep();
    const summary = describeTally({ tally, calls: calls + 1, coverage }, survey.rows, values.json === true);
    if (values.out === undefined) terminal.err(summary);
    else terminal.out(summary);
    return tally.isClean ? EXIT.done : EXIT.differs;
  } catch (error) {
    await target.discard();
    throw error;
  }
}

/** A fault of the file is reported with its name. */
async function readSurvey(file: string, survey: () => Promise<Survey>): Promise<Survey> {
  try {
    return await survey();
  } catch (error) {
    if (isMissing(error)) throw new MissingFile(describeFileFault(file, error));
    if (error instanceof CsvFault || error instanceof DocketFault) throw new Error(`${file}: ${error.message}`);
    throw error;
  }
}

async function openTarget(out: string | undefined, terminal: Terminal): Promise<Target> {
  if (out === undefined) {
    return { write: async (text) => terminal.out(text), keep: async () => {}, discard: async () => {} };
  }
  return await openFileTarget(out);
}

const FIELD_NAMES = Object.keys(DOCKET_FIELDS) as DocketField[];

function planOf({ reading }: Docket, { head, headLine, rows, encoding, delimiter }: Survey) {
  const { mapping, register } = reading;
  const columns = FIELD_NAMES.flatMap((field) => {
    const position = mapping[field];
    return position === undefined ? [] : [[field, head[position] ?? ''] as const];
  });
  return { rows, encoding, delimiter, head_line: headLine, register, columns: Object.fromEntries(columns) };
}

function describePlan(docket: Docket, survey: Survey, units: number): string {
  const { columns, register } = planOf(docket, survey);
  const lines = Object.entries(columns).map(([field, column]) => `  ${field.padEnd(20)} ${column}`);
  const rest =
    register !== null
      ? [`  rows without a register are of ${register}`]
      : columns.register === undefined
        ? ['  the register precedes each number']
        : [];
  const cost = `${formatCount(survey.rows)} rows, ${formatCount(units)} units, of which this plan has spent one`;
  return `${[...lines, ...rest, cost].join('\n')}\n`;
}

function describeTally({ tally, calls: units, coverage }: Compared, rows: number, isJson: boolean): string {
  const { counts, differences, notCompared } = tally;
  if (isJson)
    return `${JSON.stringify({ rows, ...counts, differences, not_compared: notCompared, units, coverage })}\n`;
  const fields = Object.entries(differences).map(([field, count]) => `${field} ${formatCount(count)}`);
  const lines = [
    `${formatCount(rows)} rows: ${formatCount(counts.found)} equal, ${formatCount(counts.different)} different, ` +
      `${formatCount(counts.not_found)} not found, ${formatCount(counts.ambiguous)} ambiguous, ` +
      `${formatCount(counts.invalid)} invalid`,
    ...(fields.length === 0 ? [] : [`differences: ${fields.join(', ')}`]),
    ...(notCompared === 0 ? [] : [`${formatCount(notCompared)} cells could not be compared; each says why`]),
    ...(coverage === null ? [] : describeSearchCoverage(coverage)),
    `${formatCount(units)} units`,
  ];
  return `${lines.join('\n')}\n`;
}
