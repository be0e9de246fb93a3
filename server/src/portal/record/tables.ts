/** Lists of a payload as tables with columns for what most entries state; the rest of an entry is beside it. */
import { html } from 'htm/preact';
import { Members } from '../frame/payload-reader.ts';
import { renderLeft } from './generic-view.ts';

/** The members of an entry that have columns, with their headings. */
export type Columns = Readonly<Record<string, string>>;

export function renderTable(label: string, columns: Columns, entries: readonly unknown[]): unknown {
  const rows = entries.map((entry) => {
    const members = new Members(entry);
    const cells = Object.fromEntries(Object.keys(columns).map((name) => [name, members.text(name)]));
    return { cells, left: renderFurther(members) };
  });
  const names = Object.keys(columns).filter((name) => rows.some(({ cells }) => cells[name] !== null));
  const hasMore = rows.some(({ left }) => left !== null);
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${label}>
      <table>
        <thead>
          <tr>
            ${names.map((name) => html`<th key=${name} scope="col">${columns[name]}</th>`)}
            ${hasMore ? html`<th scope="col"><span class="unseen">Further</span></th>` : null}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ cells, left }) => html`
              <tr>
                ${names.map(
                  (name) => html`
                    <td key=${name} class=${name === 'date' ? 'date' : 'words'} dir="auto">${cells[name]}</td>
                  `,
                )}
                ${hasMore ? html`<td>${left}</td>` : null}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

function renderFurther(members: Members): unknown {
  if (members.left().length === 0) return null;
  return html`<details class="further"><summary>Further</summary>${renderLeft(members)}</details>`;
}
