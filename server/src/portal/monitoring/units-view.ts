/** Units by day and product, as a chart and as a table. */

import { html } from 'htm/preact';
import { type Bar, renderDayChart, renderLegend } from '../frame/charts.ts';
import { renderDisclosure, renderEmpty } from '../frame/components.ts';
import { formatCount, formatDate, formatMonth } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import type { Report } from './report.ts';

/** `file`: the address of the same data as CSV. */
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
