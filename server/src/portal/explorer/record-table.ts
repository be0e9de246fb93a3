/** A table of records, in the results of a search and on the page of changes. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { renderDay } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';

/** How the records of a table open: the key they are charged to, and the page they lead back to. */
export interface Opening {
  readonly keyId: string;
  /** Null when the address of the page is too long to pass on. */
  readonly from: string | null;
}

type HeadingOf = (field: 'updated_at' | 'application_date' | 'registration_date', label: string) => unknown;

export function renderRecordTable(items: readonly TrademarkDetail[], opening: Opening, heading: HeadingOf): unknown {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Records">
      <table class="records" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col">Mark</th>
            <th scope="col">Register</th>
            <th scope="col">Number</th>
            <th scope="col">Status</th>
            <th scope="col">Classes</th>
            <th scope="col">Owner</th>
            ${heading('application_date', 'Filed')}
            ${heading('registration_date', 'Registered')}
            ${heading('updated_at', 'Changed')}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${items.map((record) => renderRow(record, opening))}
        </tbody>
      </table>
    </div>
  `;
}

function recordPath({ jurisdiction_code: register, uid }: TrademarkDetail, { keyId, from }: Opening): string {
  const query = new URLSearchParams({ key: keyId, ...(from === null ? {} : { from }) });
  return `/portal/explorer/records/${encodeURIComponent(register)}/${encodeURIComponent(uid)}?${query.toString()}`;
}

/** On narrow screens CSS lays the rows out as cards, which drops the implicit roles of a table, so they are stated. */
function renderRow(record: TrademarkDetail, opening: Opening): unknown {
  const owners = record.owner_names ?? [];
  const classes = record.nice_classes ?? [];
  return html`
    <tr role="row" key=${`${record.jurisdiction_code}/${record.uid}`}>
      <th role="rowheader" scope="row" class="name mark">
        <a href=${recordPath(record, opening)} dir="auto">
          ${record.mark_name ?? html`<span class="silent">${record.mark_feature ?? 'no text'}</span>`}
        </a>
      </th>
      <td role="cell" title=${record.jurisdiction_code}>${registerName(record.jurisdiction_code)}</td>
      <td role="cell"><code>${record.application_number ?? record.registration_number ?? record.uid}</code></td>
      <td role="cell"><span class=${`status ${record.status.toLowerCase()}`}>${record.status}</span></td>
      <td role="cell" class="classes">
        ${classes.length > 6 ? `${classes.slice(0, 6).join(', ')} … (${classes.length})` : classes.join(', ')}
      </td>
      <td role="cell" class="name">
        ${owners[0] === undefined ? html`<span class="silent">–</span>` : html`<bdi>${owners[0]}</bdi>`}
        ${owners.length > 1 ? html` <span class="silent">+${owners.length - 1}</span>` : null}
      </td>
      <td role="cell" class="date" data-label="filed">${record.application_date ?? html`<span class="silent">–</span>`}</td>
      <td role="cell" class="date" data-label="registered">
        ${record.registration_date ?? html`<span class="silent">–</span>`}
      </td>
      <td role="cell" class="date" data-label="changed">
        ${renderDay(record.updated_at)}</td>
    </tr>
  `;
}
