/** The page of usage: units, calls, and what needs attention of keys and webhooks. */
import type { PortalRoute } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { readUsage } from './usage.ts';
import { renderUsage } from './usage-page.ts';

export function listUsageRoutes(services: PortalServices): PortalRoute[] {
  return [
    {
      method: 'GET',
      url: '/usage',
      viewable: true,
      members: async ({ user }) => renderUsage(await readUsage(services, user.customer_id)),
    },
  ];
}
