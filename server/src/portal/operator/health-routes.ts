/** The operators' overview and the checks of `tmds doctor`. */
import { countAccounts } from '../../store/accounts/operator-customers.ts';
import { judgeDisk } from '../../store/health/disk-space.ts';
import { checkFeed } from '../../store/health/feed-health.ts';
import { listLoads } from '../../store/publish/loads.ts';
import { listOpenRejects } from '../../store/publish/open-rejects.ts';
import { listRegisterRhythms } from '../../store/records/registers.ts';
import { listSourceReports } from '../../store/sync/source-reports.ts';
import type { Page, PortalRoute } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { renderDoctor } from './doctor-page.ts';
import { show } from './handling.ts';
import { renderHealth } from './health-page.ts';

/** Older loads no longer need attention. */
const LOADS_JUDGED = 10;

export function listHealthRoutes(services: PortalServices): PortalRoute[] {
  return [
    show(services, '', () => showHealth(services)),
    show(services, '/doctor', async () => renderDoctor(await services.operations.examine())),
  ];
}

async function showHealth({ database, clock, operations, changeHorizonSeconds }: PortalServices): Promise<Page> {
  const nowMs = clock.nowMs();
  const [health, totals, registers, sources, loads, feed, openRejects] = await Promise.all([
    operations.readHealth(),
    countAccounts(database),
    listRegisterRhythms(database),
    listSourceReports(database, { source: null, nowMs }),
    listLoads(database, { limitMax: LOADS_JUDGED }),
    checkFeed(database, { horizonSeconds: changeHorizonSeconds }),
    listOpenRejects(database, { register: null, limitMax: LOADS_JUDGED }),
  ]);
  const low = health.disk === null ? null : judgeDisk(health.disk.folder, health.disk);
  return renderHealth({
    nowMs,
    health,
    totals,
    registers,
    sources,
    loads,
    openRejects,
    wrong: low === null ? feed : [low, ...feed],
  });
}
