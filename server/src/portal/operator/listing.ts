/** Shared parts of the lists on the operators' pages: their filters, and the positions that are no instant. */

import { html } from 'htm/preact';
import { renderButton } from '../frame/components.ts';
import { renderField, renderSelect } from '../frame/fields.ts';
import { formatMonth } from '../frame/pieces.ts';

interface FilterText {
  readonly id: string;
  readonly label: string;
  readonly value: string | null;
  readonly type?: 'text' | 'search' | 'date';
  readonly offered?: readonly string[];
}

interface FilterChoice {
  readonly id: string;
  readonly label: string;
  readonly any?: string;
  readonly choices: readonly (string | { readonly value: string; readonly label: string })[];
  readonly chosen: string | null;
}

export function renderFilter(path: string, fields: readonly (FilterText | FilterChoice)[]): unknown {
  return html`
    <form method="get" action=${path} class="row">
      ${fields.map((field) => ('choices' in field ? renderChoice(field) : renderText(field)))}
      ${renderButton('Show', 'second')}
    </form>
  `;
}

function renderText({ id, label, value, type = 'text', offered = [] }: FilterText): unknown {
  const list = offered.length === 0 ? null : `${id}-names`;
  return html`
    ${renderField({ id, label, attributes: { type, value: value ?? '', spellcheck: false, list } })}
    ${list === null ? null : html`<datalist id=${list}>${offered.map((name) => html`<option value=${name}></option>`)}</datalist>`}
  `;
}

function renderChoice({ id, label, any, choices, chosen }: FilterChoice): unknown {
  const named = choices.map((choice) => (typeof choice === 'string' ? { value: choice, label: choice } : choice));
  const all = any === undefined ? named : [{ value: '', label: any }, ...named];
  return renderSelect({ id, label, choices: all, chosen: chosen ?? '' });
}

export function nameMonths(months: readonly string[]): { readonly value: string; readonly label: string }[] {
  return months.map((value) => ({ value, label: formatMonth(value) }));
}

export function readText(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)?.trim() ?? '';
  return text === '' ? null : text;
}

export function readChoice<Name extends string>(
  query: URLSearchParams,
  name: string,
  names: readonly Name[],
): Name | null {
  return names.find((each) => each === query.get(name)) ?? null;
}

const BYTES = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** `1.5 GB` */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${BYTES.format(bytes / 1024 ** step)} ${units[step]}`;
}

/** The values after which a page continues, as a parameter of the next one. */
export function encodePosition(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** Null for a text that `encodePosition` did not make, or that PostgreSQL could not compare. */
export function decodePosition(text: string | null): unknown[] | null {
  if (text === null) return null;
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(values)) return null;
    return values.some((each) => typeof each === 'string' && each.includes('\0')) ? null : values;
  } catch {
    return null;
  }
}
