/**
 * Renders the client's types of filters and fields, each with a comment from the contract's tables, so that editors
 * show the documentation. `npm run docs` writes the files, and a test checks that they are up to date.
 */
import { DATES_ENDPOINTS } from '@tmds/contract/dates';
import { EXPORT_CONTROLS, HISTORY_CONTROLS, RECORD_HISTORY_PARAMETERS, SIMILAR_CONTROLS } from '@tmds/contract/extras';
import { CHANGES_PARAMETERS, FILTERS, type ParameterDefinition, SEARCH_CONTROLS } from '@tmds/contract/parameters';
import { CONTENT_FIELDS, SERVICE_FIELDS } from '@tmds/contract/record';

const LINE_MAX = 120;

function comment(text: string): string {
  const line = `  /** ${text} */`;
  if (line.length <= LINE_MAX) return line;
  const lines = ['  /**'];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last === '  /**' || last.length + word.length + 1 > LINE_MAX) lines.push(`   * ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return [...lines, '   */'].join('\n');
}

function renderParameters(table: string, entries: Record<string, ParameterDefinition>): string {
  const fields = Object.entries(entries).map(([name, { description, example }]) => {
    const text = example === '' ? description : `${description} Example: \`${example}\``;
    return `${comment(text)}\n  ${name}?: Values<typeof ${table}>['${name}'];`;
  });
  return fields.join('\n');
}

/** `client/src/parameters.ts` */
export function renderParameterTypes(): string {
  const { since: _required, ...changes } = CHANGES_PARAMETERS;
  const { since: _alsoRequired, ...history } = HISTORY_CONTROLS;
  const due = Object.fromEntries(
    Object.entries<ParameterDefinition>(DATES_ENDPOINTS.due_dates.parameters).filter(
      ([name]) => !(name in FILTERS) && name !== 'from' && name !== 'to',
    ),
  );
  const { mark: _ownType, ...similar } = SIMILAR_CONTROLS;
  const { format: _onlyOne, fields: _typed, ...exported } = EXPORT_CONTROLS;
  return `/** Written by \`npm run docs\` from the contract's tables of parameters; not to be edited. */
import type { DATES_ENDPOINTS } from '@tmds/contract/dates';
import type {
  EXPORT_CONTROLS,
  HISTORY_CONTROLS,
  RECORD_HISTORY_PARAMETERS,
  SIMILAR_CONTROLS,
} from '@tmds/contract/extras';
import type { CHANGES_PARAMETERS, FILTERS, SEARCH_CONTROLS } from '@tmds/contract/parameters';
import type { Values } from './values.ts';

/** The filters of a search (specification 4.3). A list, as an array or comma-separated text, is any-of. */
export interface SearchFilters {
${renderParameters('FILTERS', FILTERS)}
}

/** What shapes a search page without selecting records. */
export interface SearchControls {
${renderParameters('SEARCH_CONTROLS', SEARCH_CONTROLS)}
}

/** A page of the change feed, but for \`since\`. */
export interface ChangesControls {
${renderParameters('CHANGES_PARAMETERS', changes)}
}

/** A page of the history, but for \`since\` and the filters of a search. */
export interface HistoryControls {
${renderParameters('HISTORY_CONTROLS', history)}
}

/** A list of dates, but for the filters of a search. */
export interface DueControls {
${renderParameters('DATES_ENDPOINTS.due_dates.parameters', due)}
}

/** A page of the history of one record. */
export interface RecordHistoryControls {
${renderParameters('RECORD_HISTORY_PARAMETERS', RECORD_HISTORY_PARAMETERS)}
}

/** A whole search as a stream, but for its fields and the filters. */
export interface ExportControls {
${renderParameters('EXPORT_CONTROLS', exported)}
}

/** A search for marks whose names are alike, but for \`mark\` and the filters of a search. */
export interface SimilarControls {
${renderParameters('SIMILAR_CONTROLS', similar)}
}
`;
}

/** `client/src/record.ts` */
export function renderRecordTypes(): string {
  const content = Object.entries(CONTENT_FIELDS).map(([name, { description, nullable }]) => {
    const text = nullable ? `${description} Null where the register is silent.` : description;
    return `${comment(text)}\n  ${name}: contract.TrademarkDetail['${name}'];`;
  });
  const service = Object.entries(SERVICE_FIELDS).map(
    ([name, description]) => `${comment(description)}\n  ${name}: contract.TrademarkDetail['${name}'];`,
  );
  return `/** Written by \`npm run docs\` from the contract's table of fields; not to be edited. */
import type * as contract from '@tmds/contract/record';

/** One record as delivered (specification 2.2). Every key is present; \`payload\` only with \`expand: 'payload'\`. */
export interface TrademarkDetail {
${[...content, ...service].join('\n')}
  /** The full normalized document; \`{}\` where the source states none. */
  payload?: contract.Payload;
}
`;
}
