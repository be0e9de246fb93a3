/** How current each register is. */
import { html } from 'htm/preact';
import type { RegisterSummary } from '../../store/records/registers.ts';
import { renderEmpty } from '../frame/components.ts';
import { formatCount, renderFrontier, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';

export function renderRegisters(registers: readonly RegisterSummary[]): unknown {
  return html`
    <section>
      <h2>Registers</h2>
      ${registers.length === 0 ? renderEmpty('No register is served yet.') : renderRegisterTable(registers)}
    </section>
  `;
}

function renderRegisterTable(registers: readonly RegisterSummary[]): unknown {
  return renderTable<RegisterSummary>({
    label: 'Registers',
    isTall: true,
    rows: registers,
    keyOf: ({ jurisdiction_code }) => jurisdiction_code,
    columns: [
      { label: 'Register', isHeader: true, style: 'name', cell: ({ jurisdiction_code: code }) => renderLink(code) },
      { label: 'Records', style: 'number', cell: ({ record_count }) => formatCount(record_count) },
      { label: 'Current through', cell: ({ data_current_through }) => renderFrontier(data_current_through) },
      { label: 'Last load', cell: ({ last_load_finished_at }) => renderInstant(last_load_finished_at) },
    ],
  });
}

function renderLink(code: string): unknown {
  return html`<a href=${`/portal/registers/${encodeURIComponent(code)}`}>${nameAndCode(code)}</a>`;
}
