/** The dockets of a customer, and the form for a new one. */
import { html } from 'htm/preact';
import { DOCKET_DAYS } from '../../store/accounts/dockets.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderActions, renderButton, renderEmpty, renderFault, renderHeading } from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { formatCount, formFields, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { UPLOAD_BYTES_MAX } from '../upload.ts';
import type { Docket } from './stored-docket.ts';

export function renderDockets(call: MemberCall, dockets: readonly Docket[], fault: string | null): Page {
  const body = html`
    <section>
      ${renderHeading('Compare your docket with the registers')}
      <p>
        Upload a list of your marks as CSV: a row for each mark, with its register, a number in any usual form, and
        any other data that you keep about it. You get back which rows are found, and where they differ from the
        register.
      </p>
      ${renderFault(fault)}
      <form method="post" action="/portal/reconcile" enctype="multipart/form-data" class="stack narrow">
        ${formFields(call)}
        ${renderField({
          id: 'docket',
          label: 'File',
          hint: `CSV of up to ${UPLOAD_BYTES_MAX / 1024 / 1024} MB whose first row names the columns. The upload is free.`,
          attributes: { type: 'file', accept: '.csv,.tsv,.txt,text/csv', required: true },
        })}
        ${renderActions(renderButton('Upload'))}
      </form>
      <p class="hint">
        Only people of ${call.user.customer} see it. It is deleted ${DOCKET_DAYS} day after the upload, or earlier when
        you delete it, and it is in no backup. The call log lists its calls without the numbers. A watch that you create
        from it stays, with the records it found and the name of the file.
      </p>
      <h2>Recent uploads (kept ${24 * DOCKET_DAYS} hours)</h2>
      ${dockets.length === 0 ? renderEmpty('No lists yet.') : renderList(dockets)}
    </section>
  `;
  return { title: 'Dockets', body, section: 'reconcile', ...(fault === null ? {} : { status: 422 }) };
}

function renderList(dockets: readonly Docket[]): unknown {
  return renderTable({
    label: 'Dockets',
    rows: dockets,
    keyOf: ({ docket_id: id }) => id,
    columns: [
      {
        label: 'File',
        isHeader: true,
        cell: ({ docket_id: id, name }) => html`<a href=${`/portal/reconcile/${id}`}><bdi>${name}</bdi></a>`,
      },
      { label: 'Rows', style: 'number', cell: ({ rows }) => formatCount(rows) },
      { label: 'Uploaded', style: 'date', cell: ({ created_at: at }) => renderInstant(at) },
      { label: 'State', cell: describeState },
    ],
  });
}

export function describeState({ is_running: isRunning, parts, parts_done: done, failure }: Docket): string {
  if (done === parts) return 'compared';
  if (isRunning) return 'being compared';
  if (failure !== null || done > 0) return 'interrupted';
  return 'not compared yet';
}
