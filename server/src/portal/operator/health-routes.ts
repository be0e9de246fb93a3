/** The operators' overview, what is dismissed from it, and the checks of `tmds doctor`. */

import { judgeDisk } from '../../database/embedded/disk-space.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import { dismiss, listDismissals, recallMatter } from '../../store/accounts/dismissals.ts';
import { countAccounts, listNearQuota } from '../../store/accounts/operator-customers.ts';
import { listOpenRejects } from '../../store/publish/findings.ts';
import { listLoads } from '../../store/publish/loads.ts';
import { listRegisterRhythms } from '../../store/records/registers.ts';
import { listSourceReports } from '../../store/sync/source-reports.ts';
import { checkFeed } from '../../upkeep/health/feed-health.ts';
import { actorOf, type Page, type PortalAnswer, type PortalRoute, type SignedInCall } from '../frame/call.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import type { PortalServices } from '../services.ts';
import { listConcerns } from './attention.ts';
import { NOTE_MAX } from './attention-view.ts';
import { renderDoctor } from './doctor-page.ts';
import { renderHealth } from './health-page.ts';
import type { HealthState } from './health-state.ts';

/** Older loads no longer need attention. */
const LOADS_JUDGED = 10;
/** From this share of a quota on, its customer is listed. */
const QUOTA_PERCENT = 80;
const QUOTAS_SHOWN = 20;

export function listHealthRoutes(services: PortalServices): PortalRoute[] {
  const { show, change } = buildOperatorRoutes(services);
  return [
    show('', (call) => showHealth(call, services, null)),
    change('/attention/dismiss', '', ['matter', 'note'], dismissMatter),
    change('/attention/recall', '', [], showAgain),
    show('/doctor', async () => renderDoctor(await services.operations.examine())),
  ];
}

async function readState({ database, clock, operations, changeHorizonSeconds }: PortalServices): Promise<HealthState> {
  const nowMs = clock.nowMs();
  const [health, totals, registers, sources, loads, feed, openRejects, quotas] = await Promise.all([
    operations.readHealth(),
    countAccounts(database),
    listRegisterRhythms(database),
    listSourceReports(database, { source: null, nowMs }),
    listLoads(database, { limitMax: LOADS_JUDGED }),
    checkFeed(database, { horizonSeconds: changeHorizonSeconds }),
    listOpenRejects(database, { register: null, limitMax: LOADS_JUDGED }),
    listNearQuota(database, { percent: QUOTA_PERCENT, limitMax: QUOTAS_SHOWN + 1 }),
  ]);
  const low = health.disk === null ? null : judgeDisk(health.disk.folder, health.disk);
  return {
    nowMs,
    health,
    totals,
    registers,
    sources,
    loads,
    openRejects,
    nearQuota: quotas.slice(0, QUOTAS_SHOWN),
    isQuotaCut: quotas.length > QUOTAS_SHOWN,
    wrong: low === null ? feed : [low, ...feed],
  };
}

async function showHealth(call: SignedInCall, services: PortalServices, fault: string | null): Promise<Page> {
  const state = await readState(services);
  const dismissals = await listDismissals(services.database, listConcerns(state));
  return renderHealth(call, state, { dismissals, fault });
}

/** Dismisses a matter in the state that the page showed, and in no other. */
async function dismissMatter(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const { form } = call;
  const note = (form.get('note') ?? '').replace(/\s+/g, ' ').trim();
  const concern = listConcerns(await readState(services)).find(({ matter }) => matter === form.get('matter'));
  const outcome = await doOnce(call, services.database, async (tx) => {
    if (note === '' || note.length > NOTE_MAX) return { fault: `Write a note of 1 to ${NOTE_MAX} characters.` };
    if (concern === undefined || concern.state !== form.get('state')) return CHANGED;
    const { matter, state, text, audited } = concern;
    const actor = actorOf(call);
    await dismiss(tx, { matter, state, note, actor: call.person.email });
    const change = { matter: audited ?? text, note };
    await insertAudit(tx, { actor, action: 'attention.dismiss', customer_id: null, key_id: null, change });
    return { to: '/portal/operator?done=matter_dismissed' };
  });
  return 'fault' in outcome ? showHealth(call, services, outcome.fault) : outcome;
}

const CHANGED: Fault = {
  fault: 'That has changed since. It is listed here as it is now, if it still needs attention.',
};

async function showAgain(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const matter = call.form.get('matter') ?? '';
  const outcome = await doOnce(call, services.database, async (tx) => {
    if (!(await recallMatter(tx, matter))) return { fault: 'That is no longer dismissed.' };
    const entry = { action: 'attention.recall', customer_id: null, key_id: null, change: { matter } };
    await insertAudit(tx, { actor: actorOf(call), ...entry });
    return { to: '/portal/operator?done=matter_back' };
  });
  return 'fault' in outcome ? showHealth(call, services, outcome.fault) : outcome;
}
