/** The arguments of `tmds-client reconcile`: their allowed values, and how they decide the reading of a docket. */
import { parseArgs } from 'node:util';
import { DELIMITERS, type Delimiter } from '@tmds/contract/csv';
import { findMappingFault, guessMapping } from '@tmds/contract/docket/columns';
import { DAY_ORDERS, type DayOrder } from '@tmds/contract/docket/dates';
import { ENCODINGS, type Encoding } from '@tmds/contract/docket/encoding';
import { DOCKET_FIELDS, type DocketField, type Mapping } from '@tmds/contract/docket/fields';
import { OUTPUT_FORMATS, type OutputFormat } from '@tmds/contract/docket/output';
import { readRegister } from '@tmds/contract/docket/registers';
import type { Reading } from '@tmds/contract/docket/rows';
import { judgeDayOrders, listUndecided, type Survey } from '@tmds/contract/docket/survey';

const FIELD_NAMES = Object.keys(DOCKET_FIELDS) as DocketField[];

export const USAGE = `tmds-client reconcile FILE [options]

  Compares a docket, a CSV file with a row for each mark, with the registers: found, not found, ambiguous, and every
  difference with the register's value and its date.

  --map FIELD=COLUMN,…  which column holds what, by the name in its head or its position from 1, in addition to what is
                        guessed; FIELD= holds nothing. Fields:
                        ${FIELD_NAMES.slice(0, 6).join(', ')},
                        ${FIELD_NAMES.slice(6).join(', ')}
  --head LINE           the line that names the columns, among the first 20 rows; 0 if none does; default: found
  --register CODE       the register of rows that name none, such as EM
  --dates dmy|mdy       what comes first in dates such as 03/04/2026, if the column does not show it
  --plan                say what each column holds and how many units it costs, and compare nothing
  --out FILE            write the rows there; default: standard output
  --format csv|ndjson   your columns followed by ours (the default), or an object for each row
  --base-url URL        the service, with the product's path; or TMDS_BASE_URL
  --encoding NAME       ${ENCODINGS.join(', ')}; default: detected
  --delimiter NAME      comma, semicolon, tab or bar; default: detected
  --json                print the summary, or the plan, as one JSON object
  --quiet               no progress
  --help, --version

Exit status: 0 every row is found and equal, 1 failed, 2 wrong usage, 3 rows differ, or are not found, ambiguous or
invalid, 5 it cannot go on until somebody acts: a file is not there, or the key is refused.

The API key is read from TMDS_API_KEY, or from the file named by TMDS_API_KEY_FILE.
`;

const OPTIONS = {
  map: { type: 'string', multiple: true },
  head: { type: 'string' },
  register: { type: 'string' },
  dates: { type: 'string' },
  plan: { type: 'boolean' },
  out: { type: 'string' },
  format: { type: 'string' },
  'base-url': { type: 'string' },
  encoding: { type: 'string' },
  delimiter: { type: 'string' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

/** For completion by shells. */
export const FLAG_NAMES = Object.entries(OPTIONS).map(([name, { type }]) => ({ name, takesValue: type === 'string' }));

export class UsageError extends Error {}

export type Flags = ReturnType<typeof parseFlags>['values'];

export function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export interface DocketOptions {
  readonly file: string;
  readonly maps: readonly string[];
  /** Undefined: to be found. */
  readonly headLine: number | undefined;
  readonly register: string | null;
  readonly dates: DayOrder | null;
  readonly encoding: Encoding | undefined;
  readonly delimiter: Delimiter | undefined;
  readonly format: OutputFormat;
}

const DELIMITER_NAMES = ['comma', 'semicolon', 'tab', 'bar'] as const;

function choose<Value extends string>(name: string, text: string | undefined, values: readonly Value[]): Value | null {
  if (text === undefined) return null;
  const chosen = values.find((value) => value === text);
  if (chosen === undefined) throw new UsageError(`--${name} takes ${values.join(', ')}, not "${text}"`);
  return chosen;
}

export function readOptions(values: Flags, positionals: readonly string[]): DocketOptions {
  const [command, file, ...rest] = positionals;
  if (command !== 'reconcile') {
    throw new UsageError(command === undefined ? 'the command is missing' : `"${command}" is not a command`);
  }
  if (file === undefined) throw new UsageError('the file is missing');
  if (rest.length > 0) throw new UsageError(`unexpected argument "${rest[0]}"`);
  const register = values.register === undefined ? null : readRegister(values.register);
  if (register === null && values.register !== undefined) {
    throw new UsageError(`--register takes the code of a register such as EM, not "${values.register}"`);
  }
  const delimiter = choose('delimiter', values.delimiter, DELIMITER_NAMES);
  return {
    file,
    maps: (values.map ?? []).flatMap((text) => text.split(',')),
    headLine: readHeadLine(values.head),
    register,
    dates: choose('dates', values.dates, DAY_ORDERS),
    encoding: choose('encoding', values.encoding, ENCODINGS) ?? undefined,
    delimiter: delimiter === null ? undefined : DELIMITERS[DELIMITER_NAMES.indexOf(delimiter)],
    format: choose('format', values.format, OUTPUT_FORMATS) ?? 'csv',
  };
}

function readHeadLine(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,7}$/.test(text)) throw new UsageError(`--head takes the number of a line, or 0, not "${text}"`);
  return Number(text);
}

/** What the columns hold: as guessed, unless the arguments say otherwise. Throws `UsageError`. */
function readMapping(survey: Pick<Survey, 'head' | 'sample'>, maps: readonly string[]): Mapping {
  const mapping: Partial<Record<DocketField, number>> = {
    ...guessMapping(
      survey.head,
      survey.sample.map(({ cells }) => cells),
    ),
  };
  for (const text of maps) {
    const [name = '', column = ''] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
    const field = FIELD_NAMES.find((each) => each === name.trim());
    if (field === undefined) {
      throw new UsageError(`--map takes FIELD=COLUMN with one of the fields ${FIELD_NAMES.join(', ')}, not "${text}"`);
    }
    const wanted = column.trim();
    delete mapping[field];
    if (wanted === '') continue;
    const position = findColumn(survey.head, wanted);
    // A column that is given for one field no longer counts as guessed for another.
    for (const other of FIELD_NAMES) if (mapping[other] === position) delete mapping[other];
    mapping[field] = position;
  }
  return mapping;
}

function findColumn(head: readonly string[], wanted: string): number {
  const named = head.findIndex((name) => name.toLowerCase() === wanted.toLowerCase());
  if (named >= 0) return named;
  const position = /^\d{1,3}$/.test(wanted) ? Number(wanted) : 0;
  if (position >= 1 && position <= head.length) return position - 1;
  throw new UsageError(`--map names the column "${wanted}", which the file does not have: ${head.join(', ')}`);
}

/** How the rows are read. Throws `UsageError` that says which argument is missing. */
export function buildReading(survey: Survey, options: DocketOptions): Reading {
  if (survey.headLine === 0 && options.headLine === undefined) {
    const shown = survey.sample[0]?.cells.join(', ').slice(0, 200) ?? '';
    throw new UsageError(
      `no row names the columns; the first one is: ${shown}. Say which line does with --head, or that none does with --head 0`,
    );
  }
  const mapping = readMapping(survey, options.maps);
  const rows = survey.sample.map(({ cells }) => cells);
  const fault = findMappingFault(mapping, options.register, rows);
  if (fault !== null) {
    throw new UsageError(`${fault} Use --map or --register. The columns are: ${survey.head.join(', ')}`);
  }
  const undecided = options.dates === null ? listUndecided(survey.dates, listDateColumns(mapping)) : [];
  if (undecided.length > 0) {
    const names = undecided.map((column) => survey.head[column]).join(', ');
    throw new UsageError(`${names} may have the day or the month first: say which by --dates dmy or --dates mdy`);
  }
  const dayOrders = judgeDayOrders(survey.dates, options.dates);
  return { head: survey.head, mapping, register: options.register, dayOrders };
}

function listDateColumns(mapping: Mapping): number[] {
  const { application_date, registration_date, next_renewal, renewal_date, expiry_date } = mapping;
  const columns = [application_date, registration_date, next_renewal, renewal_date, expiry_date];
  return columns.filter((column) => column !== undefined);
}
