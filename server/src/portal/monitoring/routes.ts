/** Usage by month: units, refused calls and their reasons. */
import type { MemberCall, PortalRoute } from '../frame/call.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import type { PortalServices } from '../services.ts';
import { renderMonitoring } from './monitoring-page.ts';
import { readKeyDays, readReport } from './report.ts';
import { buildUsageFile } from './usage-file.ts';

export function listMonitoringRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildMemberRoutes(services);
  const namedIn = ({ query }: MemberCall) => ({ month: query.get('month'), keyId: query.get('key') });
  const { database } = services;
  return [
    show(
      '/monitoring',
      async (call) => renderMonitoring(await readReport(database, call.user.customer_id, namedIn(call))),
      true,
    ),
    show(
      '/monitoring/usage.csv',
      async (call) => buildUsageFile(await readKeyDays(database, call.user.customer_id, namedIn(call))),
      true,
    ),
  ];
}
