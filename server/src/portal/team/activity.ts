/** The activity concerning keys and people of a customer, newest first, page by page. */
import { html } from 'htm/preact';
import { AUDIT_PAGE, type AuditPosition, listCustomerAudit } from '../../store/accounts/portal-keys.ts';
import { renderActivity } from '../frame/audit-table.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderHeading, renderPager } from '../frame/components.ts';
import type { PortalServices } from '../services.ts';
import { renderTeamTabs } from './tabs.ts';

export async function showActivity(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const before = parsePosition(call.query.get('before'));
  const found = await listCustomerAudit(database, { customerId: call.user.customer_id, keyId: null, before });
  const lines = found.slice(0, AUDIT_PAGE);
  const last = found.length > AUDIT_PAGE ? lines.at(-1) : undefined;
  const body = html`
    ${renderHeading('Activity')}
    ${renderTeamTabs('activity')}
    ${renderActivity(lines)}
    ${
      last === undefined
        ? null
        : renderPager([{ label: 'Older', href: `/portal/team/activity?before=${last.at}_${last.audit_id}` }])
    }
  `;
  return { title: 'Activity', body, section: 'team' };
}

const POSITION = /^(?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The last line of the previous page. */
export function parsePosition(text: string | null): AuditPosition | null {
  const { at = '', id = '' } = POSITION.exec(text ?? '')?.groups ?? {};
  return Number.isNaN(Date.parse(at)) ? null : { at, audit_id: id };
}
