/** The call log: every call of the customer's keys in the last 30 days, by filter, newest first. */

import type { PortalRoute } from '../frame/call.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import type { PortalServices } from '../services.ts';
import { readLog } from './log.ts';
import { renderLogPage } from './log-page.ts';

export function listLogRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildMemberRoutes(services);
  return [show('/log', async (call) => renderLogPage(await readLog(call, services)), true)];
}
