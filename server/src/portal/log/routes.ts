/** The call log: every call of the customer's keys in the last 30 days, by filter, newest first. */
import type { PortalRoute } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { readLog } from './log.ts';
import { renderLogPage } from './log-page.ts';

export function listLogRoutes(services: PortalServices): PortalRoute[] {
  return [
    {
      method: 'GET',
      url: '/log',
      viewable: true,
      members: async (call) => renderLogPage(await readLog(call, services)),
    },
  ];
}
