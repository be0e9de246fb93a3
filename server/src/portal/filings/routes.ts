/** Filings that an office should show: the list, a new one, and the end of one. Every change is audited. */
import { dayAfter } from '../../due/watched-dates.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import { countOpenFilings, dismissFiling, insertFiling, OPEN_FILINGS_MAX } from '../../store/dates/filings.ts';
import { listCurrentRecords } from '../../store/records/current-records.ts';
import { findWatch } from '../../store/watches/watches.ts';
import {
  actorOf,
  type MemberCall,
  type Page,
  type PortalAnswer,
  type PortalRoute,
  pageNotFound,
} from '../frame/call.ts';
import { doAlone } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { formatCount } from '../frame/pieces.ts';
import type { PortalServices } from '../services.ts';
import { renderAllFilings, renderNewFiling } from './filing-pages.ts';
import { readAsked, readFiling } from './new-filing.ts';
import { readFilings } from './shown-filings.ts';

const FILINGS_SHOWN = 200;
const KEPT = ['register', 'uid', 'watch', 'filing', 'filed', 'days'];

export function listFilingRoutes(services: PortalServices): PortalRoute[] {
  const { show, change } = buildMemberRoutes(services);
  return [
    show('/filings', showFilings),
    show('/new-filing', (call) => showNew(call, services, null)),
    change('/new-filing', '/new-filing', KEPT, add),
    change('/filings/:id/dismiss', '/filings', [], dismiss),
  ];
}

async function showFilings(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const filings = await readFilings(database, call.user.customer_id, 'all', FILINGS_SHOWN + 1);
  return renderAllFilings(call, { filings, max: FILINGS_SHOWN });
}

async function showNew(call: MemberCall, services: PortalServices, fault: string | null): Promise<Page> {
  const { database, clock, sendsMail } = services;
  const asked = readAsked(call);
  if (asked === null) throw pageNotFound();
  const [record] = await listCurrentRecords(database, [{ jurisdiction_code: asked.register, uid: asked.uid }]);
  return renderNewFiling(call, { asked, record: record ?? null, today: dayAfter(clock, 0), sendsMail, fault });
}

async function add(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { database, clock } = services;
  const { customer_id, user_id } = call.user;
  const asked = readAsked(call);
  if (asked === null) throw pageNotFound();
  const typed = readFiling(call.form, dayAfter(clock, 0));
  if ('fault' in typed) return showNew(call, services, typed.fault);
  const { register, uid } = asked;
  const outcome = await doAlone(call, database, async (tx) => {
    if ((await countOpenFilings(tx, customer_id)) >= OPEN_FILINGS_MAX) {
      return { fault: `At most ${formatCount(OPEN_FILINGS_MAX)} filings can be waited for. Dismiss one first.` };
    }
    const watch = asked.watch === '' ? null : await findWatch(tx, customer_id, asked.watch);
    const watch_id = watch?.watch_id ?? null;
    await insertFiling(tx, { customer_id, user_id, watch_id, jurisdiction_code: register, uid, ...typed });
    const change = {
      filing: typed.filing,
      record: `${register} ${uid}`,
      filed: typed.filed_on,
      warning: typed.warn_on,
    };
    await insertAudit(tx, { actor: actorOf(call), action: 'filing.add', customer_id, key_id: null, change });
    return { to: '/portal/filings?done=filing_added' };
  });
  return 'fault' in outcome ? showNew(call, services, outcome.fault) : outcome;
}

async function dismiss(call: MemberCall, { database }: PortalServices): Promise<PortalAnswer> {
  const { customer_id } = call.user;
  return doAlone(call, database, async (tx) => {
    const dismissed = await dismissFiling(tx, customer_id, call.params.id ?? '');
    if (dismissed === null) throw pageNotFound();
    const change = { filing: dismissed.filing, record: `${dismissed.jurisdiction_code} ${dismissed.uid}` };
    await insertAudit(tx, { actor: actorOf(call), action: 'filing.dismiss', customer_id, key_id: null, change });
    return { to: '/portal/filings?done=filing_dismissed' };
  });
}
