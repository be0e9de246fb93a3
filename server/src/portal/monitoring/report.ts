/** Usage of one month by day and product: the report, its file, and the units as a chart and as a table. */

import { encodeRow } from '@tmds/contract/csv';
import { html } from 'htm/preact';
import type { Database } from '../../database/driver/db.ts';
import { type CustomerKey, listCustomerKeys } from '../../store/accounts/portal-keys.ts';
import {
  type DayUnits,
  findMonths,
  type KeyDayUnits,
  listDayUnits,
  listKeyDayUnits,
  listLastRefusals,
  listRefusalReasons,
  type RefusalReason,
  type RefusedCallRow,
} from '../../store/accounts/portal-reports.ts';
import type { Download } from '../frame/call.ts';
import { type Bar, renderDayChart, renderLegend } from '../frame/charts.ts';
import { renderDisclosure, renderEmpty } from '../frame/components.ts';
import { formatCount, formatDate, formatMonth } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { nameOf } from '../keys/terms.ts';

/** Months for which usage is kept, including the current one. */
const MONTHS_SHOWN = 24;

export interface Report {
  readonly keys: readonly CustomerKey[];
  readonly key: CustomerKey | null;
  readonly months: readonly string[];
  readonly month: string;
  readonly today: string;
  readonly days: readonly DayUnits[];
  readonly reasons: readonly RefusalReason[];
  readonly refusals: readonly RefusedCallRow[];
}

interface Named {
  readonly month: string | null;
  readonly keyId: string | null;
}

type Choice = Pick<Report, 'keys' | 'key' | 'months' | 'month' | 'today'>;

/** A month or key that does not exist counts as not named. */
async function readChoice(database: Database, customerId: string, named: Named): Promise<Choice> {
  const [keys, { current, today }] = await Promise.all([listCustomerKeys(database, customerId), findMonths(database)]);
  const months = listMonths(current);
  const month = months.find((name) => name === named.month) ?? current;
  return { keys, key: keys.find(({ id }) => id === named.keyId) ?? null, months, month, today };
}

export async function readReport(database: Database, customerId: string, named: Named): Promise<Report> {
  const choice = await readChoice(database, customerId, named);
  const scope = { customerId, keyId: choice.key?.id ?? null, month: choice.month };
  const [days, reasons, refusals] = await Promise.all([
    listDayUnits(database, scope),
    listRefusalReasons(database, scope),
    listLastRefusals(database, scope),
  ]);
  return { ...choice, days, reasons, refusals };
}

export interface KeyDays extends Pick<Report, 'keys' | 'month'> {
  readonly days: readonly KeyDayUnits[];
}

/** The units of the same month and keys, separately for each key. */
export async function readKeyDays(database: Database, customerId: string, named: Named): Promise<KeyDays> {
  const { keys, key, month } = await readChoice(database, customerId, named);
  return { keys, month, days: await listKeyDayUnits(database, { customerId, keyId: key?.id ?? null, month }) };
}

export function listMonths(current: string): string[] {
  const [year = 0, month = 1] = current.split('-').map(Number);
  return Array.from({ length: MONTHS_SHOWN }, (_, back) => {
    const count = year * 12 + month - 1 - back;
    return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`;
  });
}

const HEADER = ['day', 'key_id', 'key_name', 'product', 'units'];

export function buildUsageFile({ keys, month, days }: KeyDays): Download {
  const names = new Map(keys.map((key) => [key.id, nameOf(key)]));
  const rows = days.map(({ day, key_id, product, units }) => [
    day,
    key_id,
    names.get(key_id) ?? '',
    product,
    String(units),
  ]);
  const lines = [HEADER, ...rows].map(encodeRow);
  return { download: `usage-${month}.csv`, type: 'text/csv; charset=utf-8', chunks: [Buffer.from(lines.join(''))] };
}

export function renderUnits(
  { month, today, days }: Pick<Report, 'month' | 'today' | 'days'>,
  file: { readonly href: string; readonly label: string },
): unknown {
  const total = days.reduce((sum, { units }) => sum + units, 0);
  const products = [...new Set(days.map(({ product }) => product))].sort().reverse();
  const dates = listDates(month).filter((date) => date <= today);
  const bars: Bar[] = dates.map((date) => ({
    label: String(Number(date.slice(8))),
    title: formatDate(date),
    values: products.map((product) => days.find((row) => row.day === date && row.product === product)?.units ?? 0),
  }));
  if (total === 0) {
    return html`<section><h2>Calls by day</h2>${renderEmpty(`No call was served in ${formatMonth(month)}.`)}</section>`;
  }
  return html`
    <section>
      <h2>Calls by day</h2>
      <p>${formatCount(total)} units in ${formatMonth(month)}, by UTC day.${' '}
        <a href=${file.href} download>${file.label}</a></p>
      ${renderLegend(products)}
      ${renderDayChart(bars, products)}
      ${renderDisclosure('The same as a table', renderDayTable(bars, products))}
    </section>
  `;
}

function renderDayTable(bars: readonly Bar[], products: readonly string[]): unknown {
  return renderTable<Bar>({
    label: 'Calls by day',
    narrow: 'row',
    rows: bars,
    columns: [
      { label: 'Day', isHeader: true, cell: ({ title }) => title },
      ...products.map((product, position) => ({
        label: product,
        style: 'number' as const,
        cell: ({ values }: Bar) => formatCount(values[position] ?? 0),
      })),
    ],
  });
}

function listDates(month: string): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, position) => `${month}-${String(position + 1).padStart(2, '0')}`);
}
