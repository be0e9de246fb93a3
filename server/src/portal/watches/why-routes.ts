/** The page that says why a mark is not among the hits of a watch. It costs no unit. */
import type { WatchDiagnosis } from '@tmds/contract/diagnosis';
import { listRegisters } from '../../store/records/registers.ts';
import type { StoredWatch } from '../../store/watches/watches.ts';
import { type MemberCall, type Page, type PortalRoute, pageNotFound } from '../frame/call.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import type { PortalServices } from '../services.ts';
import { findOwn } from './own-watch.ts';
import { type AskedMark, renderWhy } from './why-page.ts';

/** The numbers by which a record is found, if what is typed is not its id. */
const NUMBERS = ['application_number', 'registration_number', 'international_registration_number'] as const;

export function listWhyRoutes(services: PortalServices): PortalRoute[] {
  return [buildMemberRoutes(services).show('/watches/:id/why', (call) => showWhy(call, services))];
}

async function showWhy(call: MemberCall, services: PortalServices): Promise<Page> {
  const watch = await findOwn(call, services);
  const registers = (await listRegisters(services.database)).map(({ jurisdiction_code: code }) => code);
  const typed = { register: call.query.get('register') ?? '', number: (call.query.get('number') ?? '').trim() };
  const asked = registers.includes(typed.register) ? typed : { ...typed, register: registers[0] ?? '' };
  const isAsked = call.query.has('number') && !call.fromElsewhere;
  const fault = isAsked && typed.number === '' ? 'Write its number or id.' : null;
  const diagnosis = isAsked && fault === null ? await findDiagnosis(call, services, watch, typed) : null;
  return renderWhy(call, { watch, registers, asked, diagnosis, fault });
}

/** Of the record with this id, or else with this number. */
async function findDiagnosis(
  call: MemberCall,
  { watches, findRecords }: PortalServices,
  watch: StoredWatch,
  { register, number }: AskedMark,
): Promise<WatchDiagnosis> {
  const { customer_id: customerId } = call.user;
  const diagnose = async (uid: string): Promise<WatchDiagnosis> => {
    const found = await watches.diagnose(customerId, watch.id, { jurisdiction_code: register, uid });
    if (found === null) throw pageNotFound();
    return found;
  };
  const ofId = await diagnose(number);
  if (ofId.verdict !== 'no_record') return ofId;
  for (const name of NUMBERS) {
    const query = new URLSearchParams({ jurisdiction: register, [name]: number }).toString();
    const [record] = (await findRecords(customerId, query, 1)) ?? [];
    if (record !== undefined) return await diagnose(record.uid);
  }
  return ofId;
}
