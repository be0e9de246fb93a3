/** A page's words about its call in the explorer: why it was refused, and its cost. */
import type { Product } from '@tmds/contract/enums';
import { html } from 'htm/preact';
import { renderActions, renderDisclosure, renderLinkButton, renderNotice } from '../frame/components.ts';
import { remedyOf, renderCode } from '../frame/error-codes.ts';
import { formatCount, formatDate, renderInstant } from '../frame/pieces.ts';
import { nameOf } from '../keys/wording.ts';
import type { Outcome, Refusal } from './ask.ts';
import { messageOf } from './labels.ts';
import { costsUnit } from './remembered-answers.ts';

/** A click that mends what was refused. */
export interface Repair {
  readonly title: string;
  readonly href: string;
}

/** A refusal in the words of the pages, and what mends it. */
export interface Explained {
  readonly message: unknown;
  readonly repairs: readonly Repair[];
}

/** What the API says for programs, its code and the request id, is folded away for those who help. */
export function renderRefused(refusal: Refusal, explained: Explained = explainRefusal(refusal, null)): unknown {
  const { code, message, param, requestId } = refusal;
  const reason = html`
    <p><strong>${explained.message}</strong></p>
    ${
      explained.repairs.length === 0
        ? null
        : renderActions(
            explained.repairs.map(({ title, href }) => renderLinkButton(title, href, 'second', { rel: 'nofollow' })),
          )
    }
    ${renderDisclosure(
      'For support',
      html`
        <p class="hint">
          ${renderCode(code)}${param === undefined ? null : html` at <code><bdi>${param}</bdi></code>`}: ${message}
          ${' '}${remedyOf(code)} Request id <code class="small">${requestId}</code>
        </p>
      `,
    )}
  `;
  return renderNotice('bad', reason, 'alert');
}

/** The quota's end, as the message states it. */
const INSTANT = /\b(\d{4}-\d\d-\d\d)T\d\d:/;

/** Refusals that any page can get. `again`: the address that asks once more; null if the page has none. */
export function explainRefusal({ code, message, param }: Refusal, again: string | null): Explained {
  const retry = again === null ? [] : [{ title: 'Try again', href: again }];
  switch (code) {
    case 'quota_exceeded': {
      const resets = INSTANT.exec(message)?.[1];
      const until = resets === undefined ? '' : ` They start again on ${formatDate(resets)}.`;
      return {
        message: `All units of this month are used.${until} Ask your account manager for more.`,
        repairs: [{ title: 'See usage', href: '/portal/usage' }],
      };
    }
    case 'cursor_invalid':
    case 'cursor_query_mismatch':
      return { message: 'This page of the list is no longer available. Begin at the first page.', repairs: [] };
    case 'not_found':
      return { message: 'We have no such record.', repairs: [] };
    case 'rate_limited':
      return { message: 'Too many searches in one minute. Wait a moment, then try again.', repairs: retry };
    case 'key_revoked':
    case 'unauthorized':
    case 'product_not_enabled':
      return {
        message: 'The key of this page can no longer be used.',
        repairs: [{ title: 'See the keys', href: '/portal/keys' }],
      };
    case 'query_timeout':
      return { message: 'This takes too long to answer.', repairs: retry };
    case 'internal_error':
    case 'unavailable':
      return { message: 'The service could not answer just now.', repairs: retry };
    default:
      return { message: html`<bdi>${messageOf({ message, param })}</bdi>`, repairs: [] };
  }
}

/** The key's counts were read after the call, so they include it. */
export function renderCost({ answer, at, repeated, key, againPath }: Outcome, paidFor: Product = 'records'): unknown {
  const { status, headers } = answer;
  const row = key.products.find(({ product }) => product === paidFor);
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
