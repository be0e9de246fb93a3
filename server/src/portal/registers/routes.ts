/** The conclusions from a register's silence about a change: all registers, and one with its periods. */
import { describeCoverage } from '../../render/coverage.ts';
import { listRegisterFacts } from '../../store/records/coverage.ts';
import { type Page, type PortalRoute, pageNotFound } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { renderRegister, renderRegisters } from './registers-page.ts';

export function listRegisterPageRoutes(services: PortalServices): PortalRoute[] {
  return [
    { method: 'GET', url: '/registers', viewable: true, members: () => showRegisters(services) },
    {
      method: 'GET',
      url: '/registers/:code',
      viewable: true,
      members: ({ params }) => showRegister(params.code ?? '', services),
    },
  ];
}

async function showRegisters({ database, clock }: PortalServices): Promise<Page> {
  const nowMs = clock.nowMs();
  const facts = await listRegisterFacts(database, { register: null, nowMs });
  return renderRegisters(facts.map((each) => describeCoverage(each, nowMs)));
}

async function showRegister(code: string, { database, clock }: PortalServices): Promise<Page> {
  const nowMs = clock.nowMs();
  const [facts] = await listRegisterFacts(database, { register: code, nowMs });
  if (facts === undefined) throw pageNotFound();
  return renderRegister(describeCoverage(facts, nowMs));
}
