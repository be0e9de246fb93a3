/**
 * The flags of commands. Flags of filters and controls derive from the contract, so that a new filter is a flag, is in
 * the help and is completed by shells.
 */
import { DATES_ENDPOINTS } from '@tmds/contract/dates';
import { EXPORT_CONTROLS, RECORD_HISTORY_PARAMETERS, SIMILAR_CONTROLS } from '@tmds/contract/extras';
import {
  FILTERS,
  isListForm,
  type ParameterDefinition,
  type ParameterForm,
  SEARCH_CONTROLS,
} from '@tmds/contract/parameters';

export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  readonly description: string;
  /** What its value is, such as `DATE`; null if it takes none. */
  readonly value: string | null;
  readonly choices?: readonly string[];
  /** Several values, separated by commas or in several flags. */
  readonly isList?: boolean;
  readonly isFile?: boolean;
}

export type FlagTable = Readonly<Record<string, Flag>>;

const PLACEHOLDERS: Readonly<Record<ParameterForm['form'], string>> = {
  choice: 'WORD',
  integer: 'N',
  codes: 'CODE,…',
  enums: 'WORD,…',
  nice_classes: 'CLASS,…',
  vienna_codes: 'CODE,…',
  number: 'NUMBER',
  numbers: 'NUMBER,…',
  register_texts: 'CODE:TEXT,…',
  name: 'TEXT',
  name_fragment: 'TEXT',
  date: 'DATE',
  instant: 'INSTANT',
  cursor: 'CURSOR',
  text: 'TEXT',
};

export function toFlagName(parameter: string): string {
  return parameter.replaceAll('_', '-');
}

function derive(parameter: string, { value, description, example }: ParameterDefinition): Flag {
  const shown = example === '' || 'values' in value ? description : `${description} Example: ${example}`;
  return {
    name: toFlagName(parameter),
    description: shown,
    value: PLACEHOLDERS[value.form],
    ...(value.form === 'choice' || value.form === 'enums' ? { choices: value.values } : {}),
    ...(isListForm(value) ? { isList: true } : {}),
  };
}

function deriveAll(table: Readonly<Record<string, ParameterDefinition>>): FlagTable {
  return Object.fromEntries(Object.entries(table).map(([name, definition]) => [name, derive(name, definition)]));
}

/** By the names of the parameters. */
export const FILTER_FLAGS = deriveAll(FILTERS);

const { sort, order, count, expand } = deriveAll(SEARCH_CONTROLS);
export const SEARCH_FLAGS = { sort, order, count } as FlagTable;
/** `fields` of an export; its other flags are those of a search. */
export const EXPORT_FLAGS = { fields: deriveAll(EXPORT_CONTROLS).fields } as FlagTable;
/** Records of several registers. */
export const LIST_FLAGS: FlagTable = {
  numbers: {
    name: 'numbers',
    value: 'CODE:NUMBER,…',
    isList: true,
    description: 'Find many by their numbers, 500 a unit, such as US:97123456,EM:018000001.',
  },
  ids: { name: 'ids', value: 'CODE:UID,…', isList: true, description: 'Find many by their UIDs, 500 a unit.' },
};
export const EXPAND_FLAG = { expand } as FlagTable;

const { from, to, event } = deriveAll(DATES_ENDPOINTS.due_dates.parameters);
export const DUE_FLAGS = { from, to, event } as FlagTable;

const { strategies, classes, limit } = deriveAll(SIMILAR_CONTROLS);
export const SIMILAR_FLAGS = { strategies, classes, limit } as FlagTable;

const { field, cause } = deriveAll(RECORD_HISTORY_PARAMETERS);
export const EVENT_FLAGS = { field, cause } as FlagTable;

export const COMMON_FLAGS: FlagTable = {
  base_url: { name: 'base-url', value: 'URL', description: "The service, with the product's path; or TMDS_BASE_URL." },
  json: { name: 'json', value: null, description: 'Write JSON lines to a terminal, too, and failures as JSON.' },
  quiet: { name: 'quiet', value: null, description: 'No notes.' },
  help: { name: 'help', value: null, description: 'Show the flags of the command.' },
};

export const MAX_FLAG: FlagTable = {
  max: { name: 'max', value: 'N', description: 'At most this many; a page of up to 500 costs a unit. Default: 100.' },
};

export const FEED_FLAGS: FlagTable = {
  since: {
    name: 'since',
    value: 'INSTANT',
    description: 'From this instant on, such as 2026-01-01. Default with --follow: from now on.',
  },
  cursor: { name: 'cursor', value: 'CURSOR', description: 'Continue from here, with the same --since.' },
  keep: {
    name: 'keep',
    value: 'FILE',
    isFile: true,
    description: 'Keep the position in this file; the next run continues from there.',
  },
  max: { name: 'max', value: 'N', description: 'Stop after this many. Default: at the end of the feed.' },
  follow: { name: 'follow', value: null, description: 'Go on without an end, and wait out failures that pass.' },
  poll_seconds: { name: 'poll-seconds', value: 'N', description: 'With --follow: time between polls. Default: 60.' },
};
