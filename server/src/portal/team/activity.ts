/** Everything that was done to keys and people of a customer, newest first, page by page. */
import { html } from 'htm/preact';
import { AUDIT_PAGE, type AuditPosition, listCustomerAudit } from '../../store/accounts/portal-keys.ts';
import { renderActivity } from '../frame/audit-table.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';

export async function showActivity(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const before = parsePosition(call.query.get('before'));
  const found = await listCustomerAudit(database, { customerId: call.user.customer_id, keyId: null, before });
  const lines = found.slice(0, AUDIT_PAGE);
  const last = found.length > AUDIT_PAGE ? lines.at(-1) : undefined;
  const body = html`
    <p class="trail"><a href="/portal/team">Team</a></p>
    <h1>Activity</h1>
    ${renderActivity(lines)}
    ${
      last === undefined
        ? null
        : html`<p><a href=${`/portal/team/activity?before=${last.at}_${last.audit_id}`}>Older</a></p>`
    }
  `;
  return { title: 'Activity', body, section: 'team', wide: true };
}

const POSITION = /^(?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The last line of the page before. */
export function parsePosition(text: string | null): AuditPosition | null {
  const { at = '', id = '' } = POSITION.exec(text ?? '')?.groups ?? {};
  return Number.isNaN(Date.parse(at)) ? null : { at, audit_id: id };
}
