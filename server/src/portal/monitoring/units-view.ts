/** Units by day and product, as a chart and as a table. */
import { html } from 'htm/preact';
import { formatCount } from '../frame/pieces.ts';
import { type Bar, renderDayChart } from './charts.ts';
import type { Report } from './report.ts';

/** `file` is where the same is as CSV. */
export function renderUnits(
  { month, today, days }: Pick<Report, 'month' | 'today' | 'days'>,
  file: { readonly href: string; readonly label: string },
): unknown {
  const total = days.reduce((sum, { units }) => sum + units, 0);
  const products = [...new Set(days.map(({ product }) => product))].sort().reverse();
  const dates = listDates(month).filter((date) => date <= today);
  const bars: Bar[] = dates.map((date) => ({
    label: String(Number(date.slice(8))),
    title: date,
    values: products.map((product) => days.find((row) => row.day === date && row.product === product)?.units ?? 0),
  }));
  if (total === 0) {
    return html`<section><h2>Calls by day</h2><p class="empty">No call was served in ${month}.</p></section>`;
  }
  return html`
    <section>
      <h2>Calls by day</h2>
      <p>${formatCount(total)} units in ${month}, by UTC day.
        ${' '}<a href=${file.href} download>${file.label}</a></p>
      <ul class="legend" aria-hidden="true">
        ${products.map(
          (product, position) => html`<li key=${product} class=${`series-${position + 1}`}>${product}
          </li>`,
        )}
      </ul>
      ${renderDayChart(bars, products)}
      <details>
        <summary>The same as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              ${products.map((product) => html`<th key=${product} scope="col" class="number">${product}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${bars.map(
              ({ title, values }) => html`
                <tr key=${title}>
                  <th scope="row">${title}</th>
                  ${values.map((value) => html`<td class="number">${formatCount(value)}</td>`)}
                </tr>
              `,
            )}
          </tbody>
        </table>
      </details>
    </section>
  `;
}

function listDates(month: string): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, position) => `${month}-${String(position + 1).padStart(2, '0')}`);
}
