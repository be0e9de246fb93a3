/** Usage by month: units, refused calls and their reasons. */
import type { PortalRoute } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { renderMonitoring } from './monitoring-page.ts';
import { readKeyDays, readReport } from './report.ts';
import { buildUsageFile } from './usage-file.ts';

export function listMonitoringRoutes({ database }: PortalServices): PortalRoute[] {
  return [
    {
      method: 'GET',
      url: '/monitoring',
      viewable: true,
      members: async ({ user, query }) => {
        const named = { month: query.get('month'), keyId: query.get('key') };
        return renderMonitoring(await readReport(database, user.customer_id, named));
      },
    },
    {
      method: 'GET',
      url: '/monitoring/usage.csv',
      viewable: true,
      members: async ({ user, query }) => {
        const named = { month: query.get('month'), keyId: query.get('key') };
        return buildUsageFile(await readKeyDays(database, user.customer_id, named));
      },
    },
  ];
}
