/**
 * The answer of a call: status, cost, why it was refused, the body as tables and as JSON, headers, and further links.
 */
import { STATUS_CODES } from 'node:http';
import { html } from 'htm/preact';
import type { ApiRequest } from '../../render/description/api-request.ts';
import { type DescribedEndpoint, ENDPOINTS_DESCRIBED } from '../../render/description/endpoints.ts';
import { HEADERS } from '../../render/description/headers.ts';
import type { Outcome, Refusal } from '../explorer/ask.ts';
import { renderCost } from '../explorer/outcome-view.ts';
import { renderBadge, renderEmpty, renderPager } from '../frame/components.ts';
import { formatCount } from '../frame/pieces.ts';
import { consolePath } from '../request/request-view.ts';
import type { ApiAnswer } from '../services.ts';
import { renderJsonBody } from './json-view.ts';
import { renderRefusal } from './refusal-view.ts';
import { renderSchemaLink } from './schema-page.ts';
import { type LinkRecord, renderTables } from './table-view.ts';

export interface Answered {
  readonly answer: ApiAnswer;
  readonly refusal: Refusal | null;
  /** Null for a call without a key. */
  readonly outcome: Outcome | null;
}

/** The stamps: `asked` is this call's, `stamp` goes into new links. */
export function renderAnswer(
  request: ApiRequest,
  answered: Answered,
  { asked, stamp }: { readonly asked: string; readonly stamp: string },
): unknown {
  const { answer, refusal, outcome } = answered;
  const { status, headers, body, bytes } = answer;
  const keyId = outcome?.key.id ?? '';
  const next = followCursor(request, body, { keyId, asked: stamp });
  const isServed = refusal === null;
  return html`
    ${refusal === null ? null : renderRefusal(refusal, request.endpoint)}
    <p role="status">
      ${renderBadge(isServed ? 'good' : 'bad', `${status} ${STATUS_CODES[status] ?? ''}`)}
      ${' '}<span class="role">${formatCount(bytes)} bytes</span>
    </p>
    ${outcome === null ? html`<p class="cost">This call is free.</p>` : renderCost(outcome)}
    ${status === 304 ? renderEmpty('Nothing has changed since the ETag that was sent, so there is no body.') : null}
    ${next === null ? null : renderPager([{ label: 'Next page', href: next, rel: 'next nofollow' }], 'One unit.')}
    <div class="beside">
      ${isServed && body !== null ? renderBodyTables(request, body, { keyId, asked: stamp }) : null}
      ${body === null ? null : renderBody(request, answered, asked)}
    </div>
    ${renderHeaders(headers)}
  `;
}

type Link = Parameters<typeof consolePath>[1];

function renderBodyTables(request: ApiRequest, body: unknown, link: Link): unknown {
  const linkRecord = buildRecordLink(request, link);
  const tables = renderTables(body, linkRecord);
  return html`
    <section aria-labelledby="answer-table">
      <h2 id="answer-table">Table</h2>
      ${tables}
      ${hasRecords(body, linkRecord) ? html`<p class="hint">“Look up” asks for the record with its payload, for one unit.</p>` : null}
    </section>
  `;
}

function hasRecords(body: unknown, linkRecord: LinkRecord): boolean {
  const lists = Object.values(body as object).filter(Array.isArray);
  return lists.flat().some((row) => typeof row === 'object' && row !== null && linkRecord(row) !== null);
}

function renderBody(request: ApiRequest, { answer, outcome, refusal }: Answered, asked: string): unknown {
  const file = consolePath(request, { keyId: outcome?.key.id ?? '', asked }).replace('?', '/answer?');
  return html`
    <section aria-labelledby="answer-json">
      <h2 id="answer-json">JSON</h2>
      ${renderJsonBody(answer.body)}
      ${
        outcome === null || refusal !== null
          ? null
          : html`<p><a rel="nofollow" href=${file} download>The answer as a file</a>, at no cost for a few minutes</p>`
      }
      ${refusal === null ? html`<p class="hint">Its members: ${renderSchemaLink(request.endpoint.schema)}</p>` : null}
    </section>
  `;
}

function followCursor(request: ApiRequest, body: unknown, link: Link): string | null {
  const cursor = (body as { next_cursor?: unknown } | null)?.next_cursor;
  if (typeof cursor !== 'string') return null;
  return consolePath({ ...request, values: new Map([...request.values, ['cursor', cursor]]) }, link);
}

const LOOKUP = ENDPOINTS_DESCRIBED.find(({ name }) => name === 'lookup') as DescribedEndpoint;

function buildRecordLink({ values }: ApiRequest, link: Link): LinkRecord {
  return (row) => {
    const register = row.jurisdiction_code ?? values.get('jurisdiction_code');
    if (typeof register !== 'string' || typeof row.uid !== 'string') return null;
    const named = new Map([
      ['jurisdiction_code', register],
      ['uid', row.uid],
      ['expand', 'payload'],
    ]);
    return consolePath({ endpoint: LOOKUP, values: named, more: '' }, link);
  };
}

/** The headers that the description promises, with their meaning. */
function renderHeaders(headers: ApiAnswer['headers']): unknown {
  const shown = Object.entries(HEADERS).flatMap(([name, { description }]) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [{ name, value, description }];
  });
  if (shown.length === 0) return null;
  return html`
    <section aria-labelledby="answer-headers">
      <h2 id="answer-headers">Headers</h2>
      <dl class="members">
        ${shown.map(
          ({ name, value, description }) => html`
            <div key=${name}>
              <dt>${name}</dt>
              <dd><code>${value}</code> <span class="role">${description}</span></dd>
            </div>
          `,
        )}
      </dl>
    </section>
  `;
}
