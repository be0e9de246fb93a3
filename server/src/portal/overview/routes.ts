/** The overview: a person's first page. */
import type { PortalRoute } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { readOverview } from './overview.ts';
import { renderOverview } from './overview-page.ts';

export function listOverviewRoutes(services: PortalServices): PortalRoute[] {
  return [
    {
      method: 'GET',
      url: '/',
      viewable: true,
      members: async ({ user }) => renderOverview(await readOverview(services, user.customer_id)),
    },
  ];
}
