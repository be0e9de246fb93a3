/** The page of usage: units, calls, and what needs attention of keys and webhooks. */

import type { PortalRoute } from '../frame/call.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import type { PortalServices } from '../services.ts';
import { readUsage } from './usage.ts';
import { renderUsage } from './usage-page.ts';

export function listUsageRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildMemberRoutes(services);
  return [show('/usage', async ({ user }) => renderUsage(await readUsage(services, user.customer_id)), true)];
}
