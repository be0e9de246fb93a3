/**
 * The operators' pages: everything that the commands for customers, keys, usage, registers, sources, loads and checks
 * do, by the same functions and in the same words. Every route here is for operators alone; to everybody else it does
 * not exist.
 */
import type { PortalRoute } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { listAuditRoutes } from './audit-page.ts';
import { listCustomerRoutes } from './customer-routes.ts';
import { listHealthRoutes } from './health.ts';
import { listKeyRoutes } from './key-routes.ts';
import { listLoadRoutes } from './load-routes.ts';
import { listRegisterRoutes } from './registers-page.ts';
import { listSourceRoutes } from './sources.ts';
import { listUsageRoutes } from './usage-page.ts';

export function listOperatorRoutes(services: PortalServices, forgetAnswers: (keyId: string) => void): PortalRoute[] {
  return [
    ...listHealthRoutes(services),
    ...listCustomerRoutes(services),
    ...listKeyRoutes(services, forgetAnswers),
    ...listUsageRoutes(services),
    ...listRegisterRoutes(services),
    ...listSourceRoutes(services),
    ...listLoadRoutes(services),
    ...listAuditRoutes(services),
  ];
}
