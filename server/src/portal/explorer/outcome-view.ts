/** A page's words about its call in the explorer: why it was refused, and its cost. */
import { html } from 'htm/preact';
import { renderNotice } from '../frame/components.ts';
import { remedyOf, renderCode } from '../frame/error-codes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { nameOf } from '../keys/wording.ts';
import type { Outcome, Refusal } from './ask.ts';
import { labelOf, messageOf } from './labels.ts';
import { costsUnit } from './remembered-answers.ts';

export function renderRefused({ code, message, param, requestId }: Refusal): unknown {
  const told = html`
    <p><strong>Refused: ${renderCode(code)}</strong>${param === undefined ? null : renderParameter(param)}</p>
    <p>${messageOf({ message, param })}</p>
    <p class="hint">${remedyOf(code)} Request id <code class="small">${requestId}</code></p>
  `;
  return renderNotice('bad', told, 'alert');
}

function renderParameter(param: string): unknown {
  return html` at ${labelOf(param)} (<code><bdi>${param}</bdi></code>)`;
}

/** The key's counts were read after the call, so they include it. */
export function renderCost({ answer, at, repeated, key, againPath }: Outcome): unknown {
  const { status, headers } = answer;
  const row = key.products.find(({ product }) => product === 'records');
  const served = costsUnit(status);
  const left = repeated ? undefined : headers['x-ratelimit-remaining'];
  const link = html`<a href=${`/portal/keys/${key.id}`}><bdi>${nameOf(key)}</bdi></a>`;
  const used = row === undefined ? '' : `; ${describeUsed(row)} used this month`;
  const room = left === undefined ? '' : `, ${formatCount(Number(left))} calls left in this minute`;
  if (repeated && served) {
    return html`
      <p class="cost">
        This page cost nothing: it was requested with ${link} at ${renderInstant(at)}${used}.
        ${' '}<a href=${againPath} rel="nofollow">Ask again, for one unit</a>
      </p>
    `;
  }
  return html`
    <p class="cost">${served ? html`This page cost one unit of ${link}` : 'This cost nothing'}${used}${room}.</p>
  `;
}

function describeUsed({ used, quota }: { used: number; quota: number | null }): string {
  if (quota !== null) return `${formatCount(used)} of ${formatCount(quota)} units`;
  return `${formatCount(used)} ${used === 1 ? 'unit' : 'units'}`;
}
