/**
 * Why a call was refused, shown at the place of the fault: the code, its meaning, what to change, and the fields at
 * fault.
 */
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { html } from 'htm/preact';
import type { DescribedEndpoint } from '../../render/description/endpoints.ts';
import { GUIDES, isErrorCode } from '../../render/description/guide.ts';
import type { Refusal } from '../explorer/ask.ts';
import { renderDisclosure, renderNotice } from '../frame/components.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';
import { renderCode } from '../frame/wording.ts';
import type { ApiAnswer } from '../services.ts';
import { renderWords } from './words.ts';

export function renderRefusal(
  { code, message, param, requestId }: Refusal,
  { parameters }: DescribedEndpoint,
): unknown {
  const isField = parameters.some(({ name }) => name === param);
  const content = html`
    <p><strong>Refused: ${renderCode(code)}</strong>${
      param === undefined
        ? null
        : html` at ${isField ? html`<a href=${`#p-${param}`}><code>${param}</code></a>` : html`<code><bdi>${param}</bdi></code>`}`
    }</p>
    <p><bdi>${message}</bdi></p>
    ${isErrorCode(code) ? renderGuide(code) : null}
    <p class="hint">Request id <code class="small">${requestId}</code></p>
  `;
  return renderNotice('bad', content, 'alert');
}

function renderGuide(code: ErrorCode): unknown {
  const { why, remedy } = GUIDES[code];
  const { when, retry } = ERRORS[code];
  const advice = retry === 'later' ? 'The same call may succeed later.' : 'Repeating the call does not help.';
  return html`
    <p>${renderWords(remedy.join(' '))}</p>
    ${renderDisclosure(
      `What ${code} means`,
      html`
        <p>${renderWords(`${capitalize(when)}.`)} ${advice}</p>
        <ul>${why.map((reason) => html`<li key=${reason}>${renderWords(reason)}</li>`)}</ul>
      `,
    )}
  `;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The error of each parameter, by its name: every failure that `detail` lists, or the one that is named. */
export function readFaults(refusal: Refusal | null, answer: ApiAnswer | null): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  const { detail } = (answer?.body ?? {}) as { detail?: readonly { loc?: readonly unknown[]; msg?: unknown }[] };
  for (const { loc, msg } of Array.isArray(detail) ? detail : []) faults.set(String(loc?.[1]), String(msg));
  const { param, message } = refusal ?? {};
  if (param !== undefined && message !== undefined && !faults.has(param)) faults.set(param, message);
  return faults;
}

const COLUMNS: readonly TableColumn<ErrorCode>[] = [
  { label: 'Code', isHeader: true, style: 'name', cell: renderCode },
  { label: 'Status', cell: (code) => ERRORS[code].status },
  { label: 'When', style: 'words', cell: (code) => renderWords(`${capitalize(ERRORS[code].when)}.`) },
  { label: 'What to do', style: 'words', cell: (code) => renderWords(ERRORS[code].remedy) },
];

/** Every code with which the endpoint refuses a call. */
export function renderCodes(codes: readonly ErrorCode[]): unknown {
  const table = { label: 'Errors', columns: COLUMNS, rows: codes, keyOf: (code: ErrorCode) => code };
  return renderDisclosure(
    html`Errors <span class="silent">${codes.length}</span>`,
    renderTable({ ...table, narrow: 'lines' }),
  );
}
