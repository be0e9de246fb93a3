/** The dockets of a customer, the form for a new one, and what is remembered of them. */
import { html } from 'htm/preact';
import { MEMORY_DAYS } from '../../store/accounts/docket-memory.ts';
import { DOCKET_DAYS } from '../../store/accounts/dockets.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderEmpty, renderFault, renderHeading, renderTrail } from '../frame/components.ts';
import { fileField, textField } from '../frame/field-kinds.ts';
import { declareForm, NO_FIELDS, renderForm } from '../frame/forms.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderListing } from '../frame/table.ts';
import { EXCEL_TYPE } from '../spreadsheet/excel.ts';
import type { SheetRead } from '../spreadsheet/read-excel.ts';
import { UPLOAD_BYTES_MAX } from '../upload.ts';
import type { Docket } from './results.ts';

export const UPLOAD = declareForm({
  docket: fileField({
    label: 'File',
    hint: `Excel (.xlsx) or CSV of up to ${UPLOAD_BYTES_MAX / 1024 / 1024} MB. The upload is free.`,
    attributes: { accept: `.xlsx,.csv,.tsv,.txt,text/csv,${EXCEL_TYPE}`, required: true },
  }),
  sheet: textField({
    label: 'Sheet (Excel only)',
    hint: 'The name of the sheet with the list. Left empty: the first sheet with a list.',
    attributes: { maxlength: 31 },
    read: (text) => text.trim() || null,
  }),
});

export function joinSheets(read: SheetRead | null): unknown {
  if (read === null) return null;
  const { sheet, others } = read;
  const named = others.slice(0, SHEETS_SHOWN);
  const more = others.length - named.length;
  return html`
    <p>
      From the sheet “<bdi>${sheet}</bdi>”.
      ${
        others.length === 0
          ? null
          : html` Not read: ${named.map((name, at) => html`${at === 0 ? null : ', '}“<bdi>${name}</bdi>”`)}${more > 0 ? ` and ${more} more` : null}. To compare another sheet, upload the file again and name the sheet.`
      }
    </p>
  `;
}

const SHEETS_SHOWN = 10;

/** Remembered rows are counted up to this many. */
export const REMEMBERED_SHOWN = 10_000;

function renderMemory(remembered: number): unknown {
  if (remembered === 0) return null;
  const count = remembered > REMEMBERED_SHOWN ? `More than ${formatCount(REMEMBERED_SHOWN)}` : formatCount(remembered);
  return html`
    <p class="hint">
      ${count} ${remembered === 1 ? 'row is' : 'rows are'} remembered to show what has changed the next time.${' '}
      <a href="/portal/reconcile/memory">What is remembered</a>
    </p>
  `;
}

/** `remembered`: rows of earlier dockets that are remembered, counted up to one more than are shown. */
export function renderDockets(
  call: MemberCall,
  dockets: readonly Docket[],
  { remembered, fault }: { readonly remembered: number; readonly fault: string | null },
): Page {
  const body = html`
    <section>
      ${renderHeading('Compare your docket with the registers')}
      <p>
        Upload a list of your marks as Excel or CSV: a row for each mark, with its register, a number in any usual form,
        and any other data that you keep about it. You get back which rows are found, and where they differ from the
        register.
      </p>
      ${renderFault(fault)}
      <div class="narrow">${renderForm(call, UPLOAD, { action: '/portal/reconcile', label: 'Upload' })}</div>
      <p class="hint">
        Only people of ${call.user.customer} see it. It is deleted ${DOCKET_DAYS} day after the upload, or earlier when
        you delete it, and it is in no backup. The call log lists its calls without the numbers. A watch that you create
        from it stays, with the records it found and the name of the file.
      </p>
      ${renderMemory(remembered)}
      <h2>Recent uploads (kept ${24 * DOCKET_DAYS} hours)</h2>
      ${renderListing({
        label: 'Dockets',
        rows: dockets,
        empty:
          'No uploads yet. Choose a file above; its columns are recognized, and nothing is charged before you confirm.',
        columns: [
          {
            label: 'File',
            cell: ({ docket_id: id, name }) => html`<a href=${`/portal/reconcile/${id}`}><bdi>${name}</bdi></a>`,
          },
          { label: 'Rows', style: 'number', cell: ({ rows }) => formatCount(rows) },
          { label: 'Uploaded', style: 'date', cell: ({ created_at: at }) => renderInstant(at) },
          { label: 'State', cell: describeState },
        ],
      })}
    </section>
  `;
  return { title: 'Dockets', body, section: 'reconcile', ...(fault === null ? {} : { status: 422 }) };
}

export function describeState({ is_running: isRunning, parts, parts_done: done, failure }: Docket): string {
  if (done === parts) return 'compared';
  if (isRunning) return 'being compared';
  if (failure !== null || done > 0) return 'interrupted';
  return 'not compared yet';
}

export function renderMemoryPage(call: MemberCall, isHeld: boolean): Page {
  const back = '/portal/reconcile';
  return buildFormPage(
    {
      title: 'What is remembered of dockets',
      section: 'reconcile',
      trail: renderTrail({ label: 'Dockets', href: back }),
    },
    html`<p>
        When you compare a docket, its rows can be remembered, so that the next upload shows what has changed. For each
        row that is: a fingerprint of its register and number, its result, a fingerprint of what was found, the day, and
        what you marked and noted. Numbers, marks and names are not kept; the fingerprints are made with a key
        of ${call.user.customer} and cannot be turned back into them.
      </p>
      <p>
        None of it is in a backup or in a log. A row is forgotten ${MEMORY_DAYS} days after the last docket that had
        it.
      </p>
      ${
        isHeld
          ? html`
              <p>
                Deleting it takes effect at once and cannot be undone. Dockets that are still here keep their marks and
                notes until they go; the next upload is compared as if it were the first.
              </p>
              ${renderForm(call, NO_FIELDS, {
                action: '/portal/reconcile/memory',
                label: 'Delete what is remembered',
                kind: 'danger',
                back,
              })}
            `
          : renderEmpty('Nothing is remembered.')
      }`,
  );
}
