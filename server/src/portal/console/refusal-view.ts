/** Why a call was refused, where it happened: the code, what it means, what to change, and the fields at fault. */
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { html } from 'htm/preact';
import type { DescribedEndpoint } from '../../render/description/endpoints.ts';
import { GUIDES, isErrorCode } from '../../render/description/guide.ts';
import type { Refusal } from '../explorer/ask.ts';
import { renderCode } from '../frame/error-codes.ts';
import type { ApiAnswer } from '../services.ts';
import { renderWords } from './words.ts';

export function renderRefusal(
  { code, message, param, requestId }: Refusal,
  { parameters }: DescribedEndpoint,
): unknown {
  const isField = parameters.some(({ name }) => name === param);
  return html`
    <div class="notice bad" role="alert">
      <p><strong>Refused: ${renderCode(code)}</strong>${
        param === undefined
          ? null
          : html` at ${isField ? html`<a href=${`#p-${param}`}><code>${param}</code></a>` : html`<code><bdi>${param}</bdi></code>`}`
      }</p>
      <p><bdi>${message}</bdi></p>
      ${isErrorCode(code) ? renderGuide(code) : null}
      <p class="hint">Request id <code class="small">${requestId}</code></p>
    </div>
  `;
}

function renderGuide(code: ErrorCode): unknown {
  const { why, remedy } = GUIDES[code];
  return html`
    <p>${renderWords(remedy.join(' '))}</p>
    <details>
      <summary>What ${code} means</summary>
      <p>${capitalize(ERRORS[code].when)}.${
        ERRORS[code].retry === 'later' ? ' The same call may succeed later.' : ' Repeating the call does not help.'
      }</p>
      <ul>${why.map((reason) => html`<li key=${reason}>${renderWords(reason)}</li>`)}</ul>
    </details>
  `;
}

function capitalize(text: string): string {
  return renderable(text.charAt(0).toUpperCase() + text.slice(1));
}

const renderable = (text: string): string => text.replaceAll('`', '');

/** What is wrong with each parameter, by its name: every failure that `detail` lists, or the one that is named. */
export function readFaults(refusal: Refusal | null, answer: ApiAnswer | null): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  const { detail } = (answer?.body ?? {}) as { detail?: readonly { loc?: readonly unknown[]; msg?: unknown }[] };
  for (const { loc, msg } of Array.isArray(detail) ? detail : []) faults.set(String(loc?.[1]), String(msg));
  const { param, message } = refusal ?? {};
  if (param !== undefined && message !== undefined && !faults.has(param)) faults.set(param, message);
  return faults;
}

/** Every code with which the endpoint refuses a call. */
export function renderCodes(codes: readonly ErrorCode[]): unknown {
  return html`
    <details>
      <summary>Errors <span class="silent">${codes.length}</span></summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Errors">
        <table class="cards" role="table">
          <thead role="rowgroup">
            <tr role="row"><th scope="col">Status</th><th scope="col">Code</th><th scope="col">When, and what to do</th></tr>
          </thead>
          <tbody role="rowgroup">
            ${codes.map(
              (code) => html`
                <tr role="row" key=${code}>
                  <td role="cell" data-label="Status">${ERRORS[code].status}</td>
                  <td role="cell" data-label="Code">${renderCode(code)}</td>
                  <td role="cell" data-label="When, and what to do" class="words">
                    <span>${capitalize(ERRORS[code].when)}. ${renderWords(ERRORS[code].remedy)}</span>
                  </td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    </details>
  `;
}
