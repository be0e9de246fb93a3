/** The audit of all changes, by filter, newest first: who did what, when and from where. */

import { html } from 'htm/preact';
import type { Queryable } from '../../database/driver/db.ts';
import { findCustomerById } from '../../store/accounts/customers.ts';
import {
  type AuditFilter,
  listAuditNames,
  listWholeAudit,
  type WholeAuditLine,
} from '../../store/accounts/operator-audit.ts';
import { findOwnedKey } from '../../store/accounts/operator-customers.ts';
import { AUDIT_PAGE } from '../../store/accounts/portal-keys.ts';
import { ACTION_WORDS, renderDetails } from '../frame/audit-table.ts';
import type { Page, PortalRoute, SignedInCall } from '../frame/call.ts';
import { renderHeading } from '../frame/components.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { cutPage, linkTo, readPosition, renderFurther } from '../frame/paging.ts';
import { renderInstant } from '../frame/pieces.ts';
import { renderListing } from '../frame/table.ts';
import type { PortalServices } from '../services.ts';
import { readText, renderFilter } from './listing.ts';

export function listAuditRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildOperatorRoutes(services);
  return [show('/audit', showAudit)];
}

/** The pages of customers and keys lead here by id; the fields show the name, where there is one. */
async function nameIds(filter: AuditFilter, database: Queryable): Promise<AuditFilter> {
  const { customer, key } = filter;
  const [owner, owned] = await Promise.all([
    customer === null ? null : findCustomerById(database, customer),
    key === null ? null : findOwnedKey(database, key.replace(/^tmds_/, '')),
  ]);
  return { ...filter, customer: owner?.name ?? customer, key: owned === null ? key : `tmds_${owned.id}` };
}

function readDay(query: URLSearchParams, name: string): string | null {
  const day = /^\d{4}-\d\d-\d\d$/.exec(query.get(name) ?? '')?.[0] ?? null;
  return day === null || new Date(Date.parse(day)).toJSON()?.slice(0, 10) !== day ? null : day;
}

const WHAT = Object.entries(ACTION_WORDS).map(([value, label]) => ({ value, label }));

async function showAudit({ query }: SignedInCall, { database }: PortalServices): Promise<Page> {
  const wanted = {
    actor: readText(query, 'who'),
    action: readText(query, 'what'),
    customer: readText(query, 'customer'),
    key: readText(query, 'key'),
    from: readDay(query, 'from'),
    to: readDay(query, 'to'),
  };
  const [found, names] = await Promise.all([
    listWholeAudit(database, wanted, readPosition(query)),
    listAuditNames(database, wanted.customer),
  ]);
  const { actor, action, customer, key, from, to } = await nameIds(wanted, database);
  const asked = { who: actor, what: action, customer, key, from, to };
  const { rows, further } = cutPage(found, AUDIT_PAGE, ({ at, audit_id }) =>
    linkTo('/portal/operator/audit', { ...asked, before: `${at}_${audit_id}` }),
  );
  const body = html`
    ${renderHeading('Audit')}
    ${renderFilter('/portal/operator/audit', [
      { id: 'who', label: 'Who', value: actor, offered: names.operators },
      { id: 'what', label: 'What', any: 'Anything', choices: WHAT, chosen: action },
      { id: 'customer', label: 'Customer', value: customer, offered: names.customers },
      { id: 'key', label: 'Key', value: key, offered: names.keys },
      { id: 'from', label: 'From', value: from, type: 'date' },
      { id: 'to', label: 'To', value: to, type: 'date' },
    ])}
    <p class="hint">A name, or a part of one; keys also by id. Days are in UTC.</p>
    ${renderListing({
      label: 'Audit',
      rows,
      empty: 'No activity matches.',
      columns: [
        { label: 'When', cell: ({ at }) => renderInstant(at, 'second') },
        { label: 'What', cell: (line) => ACTION_WORDS[line.action] ?? line.action, style: 'short' },
        { label: 'Details', cell: ({ change }) => renderDetails(change), style: 'name' },
        { label: 'Customer', cell: renderCustomerLink, style: 'name' },
        { label: 'Key', cell: renderKeyLink },
        { label: 'Who', cell: (line) => html`<bdi>${line.actor}</bdi>`, style: 'name' },
        { label: 'From', cell: ({ address }) => (address === null ? null : html`<code>${address}</code>`) },
      ],
    })}
    ${renderFurther(further, 'Older')}
  `;
  return { title: 'Operator: audit', body, section: 'operator/audit' };
}

function renderCustomerLink({ customer_id, customer }: WholeAuditLine): unknown {
  if (customer_id === null) return null;
  return html`<a href=${`/portal/operator/customers/${customer_id}`}><bdi>${customer ?? customer_id}</bdi></a>`;
}

function renderKeyLink({ key_id }: WholeAuditLine): unknown {
  return key_id === null ? null : html`<a href=${`/portal/operator/keys/${key_id}`}><code>${key_id}</code></a>`;
}
