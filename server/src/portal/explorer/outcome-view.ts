/** A page's words about its call in the explorer: its cost, and why it was refused, with the clicks that mend it. */

import type { Product } from '@tmds/contract/enums';
import { CONTAINS_SCOPE_MAX } from '@tmds/contract/limits';
import { FILTERS, type FilterName, isListForm, type ParameterForm } from '@tmds/contract/parameters';
import { html } from 'htm/preact';
import { renderActions, renderDisclosure, renderLinkButton, renderNotice } from '../frame/components.ts';
import { formatCount, formatDate, renderInstant } from '../frame/pieces.ts';
import { remedyOf, renderCode } from '../frame/wording.ts';
import { nameOf } from '../keys/terms.ts';
import type { Outcome, Refusal } from './ask.ts';
import { costsUnit } from './remembered-answers.ts';
import type { LinkWith, SearchPairs } from './search-pairs.ts';
import { labelOf, messageOf } from './search-words.ts';

export interface Repair {
  readonly title: string;
  readonly href: string;
}

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

interface RefusedSearch {
  readonly pairs: SearchPairs;
  readonly registers: readonly string[];
  readonly linkWith: LinkWith;
  readonly again: string;
}

const PARTS = { mark: 'a mark', owner: 'an owner’s name', representative: 'a representative’s name' } as const;
const NAME_PART = /^(?<name>mark|owner|representative)_name_(?:contains|startswith)$/;

export function explainSearch(refusal: Refusal, search: RefusedSearch): Explained {
  const { code, param = '' } = refusal;
  const { pairs, linkWith, again } = search;
  if (param === 'cursor') {
    return {
      message: 'This page of the results is no longer available.',
      repairs: [{ title: 'Show the first page', href: linkWith({ cursor: null }) }],
    };
  }
  if (code === 'query_too_broad') return explainBroad(param, search);
  if (code === 'query_timeout') {
    const isNarrow = pairs.some(([name]) => name === 'jurisdiction');
    const { message, repairs } = explainRefusal(refusal, again);
    return { message, repairs: isNarrow ? repairs : [...narrow(search), ...repairs] };
  }
  if (code === 'unknown_parameter' || code === 'reserved_parameter') {
    return {
      message: html`This page has no field “<bdi>${param}</bdi>”.`,
      repairs: [{ title: 'Search without it', href: linkWith({ [param]: null }) }],
    };
  }
  const stated = pairs.filter(([name]) => name === param).map(([, value]) => value);
  if (stated.length === 0) return explainRefusal(refusal, again);
  const wrong = stated.length === 1 ? listWrong(param, stated[0] ?? '') : [];
  const message =
    wrong.length === 0 ? messageOf(refusal) : `${quoteAll(wrong)} cannot be searched for as “${labelOf(param)}”.`;
  return { message: html`<bdi>${message}</bdi>`, repairs: listRepairs(param, stated, search) };
}

function explainBroad(param: string, search: RefusedSearch): Explained {
  const name = NAME_PART.exec(param)?.groups?.name as keyof typeof PARTS | undefined;
  const message =
    name === undefined
      ? 'This search covers too much. Choose registers or a class.'
      : `Choose up to ${CONTAINS_SCOPE_MAX} registers to search part of ${PARTS[name]}.`;
  return { message, repairs: narrow(search) };
}

function narrow({ registers, linkWith }: RefusedSearch): Repair[] {
  const largest = registers.slice(0, CONTAINS_SCOPE_MAX);
  if (largest.length < 2) return [];
  const title = `Search the ${largest.length} largest registers`;
  return [{ title, href: linkWith({ jurisdiction: largest.join(','), cursor: null }) }];
}

function listRepairs(param: string, stated: readonly string[], { linkWith }: RefusedSearch): Repair[] {
  const without = { title: `Search without “${labelOf(param)}”`, href: linkWith({ [param]: null, cursor: null }) };
  const [first = '', ...others] = stated;
  if (others.length > 0) {
    return [{ title: `Keep only “${first}”`, href: linkWith({ [param]: first, cursor: null }) }, without];
  }
  return [...dropWrong(param, first, linkWith), without];
}

function quoteAll(values: readonly string[]): string {
  return `“${values.join('”, “')}”`;
}

function listWrong(param: string, value: string): string[] {
  const form = FILTERS[param as FilterName]?.value as ParameterForm | undefined;
  if (form === undefined || !isListForm(form)) return [];
  const values = value.split(',').map((each) => each.trim());
  return values.filter((each) => each !== '' && !canBeRead(form, each));
}

function dropWrong(param: string, value: string, linkWith: LinkWith): Repair[] {
  const wrong = listWrong(param, value);
  const values = value.split(',').map((each) => each.trim());
  const right = values.filter((each) => each !== '' && !wrong.includes(each));
  if (right.length === 0 || right.length === values.length) return [];
  const title = wrong.length === 0 ? 'Search without the empty value' : `Search without ${quoteAll(wrong)}`;
  return [{ title, href: linkWith({ [param]: right.join(','), cursor: null }) }];
}

function canBeRead(form: ParameterForm, value: string): boolean {
  if (form.form === 'enums') return form.values.some((known) => known.toLowerCase() === value.toLowerCase());
  if (form.form === 'nice_classes') return /^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= 45;
  return form.form === 'codes' ? /^[A-Za-z0-9]{1,5}$/.test(value) : true;
}
