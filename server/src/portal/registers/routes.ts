/** The conclusions from a register's silence about a change: all registers, and one with its periods. */

import { describeCoverage } from '../../render/coverage.ts';
import { listRegisterFacts } from '../../store/records/coverage.ts';
import { listRegisterRhythms } from '../../store/records/registers.ts';
import { type MemberCall, type Page, type PortalRoute, pageNotFound } from '../frame/call.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import type { PortalServices } from '../services.ts';
import { renderRegister, renderRegisters } from './registers-page.ts';

export function listRegisterPageRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildMemberRoutes(services);
  return [show('/registers', showRegisters, true), show('/registers/:code', showRegister, true)];
}

async function showRegisters(call: MemberCall, { database, clock }: PortalServices): Promise<Page> {
  const nowMs = clock.nowMs();
  const [facts, rhythms] = await Promise.all([
    listRegisterFacts(database, { register: null, nowMs }),
    listRegisterRhythms(database),
  ]);
  const byCode = new Map(rhythms.map((rhythm) => [rhythm.jurisdiction_code, rhythm]));
  const lines = facts.map((each) => {
    const report = describeCoverage(each, nowMs);
    return { ...report, rhythm: byCode.get(report.jurisdiction_code) ?? null };
  });
  return renderRegisters(call, lines);
}

async function showRegister(call: MemberCall, { database, clock }: PortalServices): Promise<Page> {
  const nowMs = clock.nowMs();
  const [facts] = await listRegisterFacts(database, { register: call.params.code ?? '', nowMs });
  if (facts === undefined) throw pageNotFound();
  return renderRegister(call, describeCoverage(facts, nowMs));
}
