/** `/portal/components`, for those who build pages; a service that is no demonstration has no such page. */
import type { PortalRoute } from '../frame/call.ts';
import { renderComponents } from './components-page.ts';

export function listComponentRoutes({ isDemo }: { readonly isDemo: boolean }): PortalRoute[] {
  return isDemo ? [{ method: 'GET', url: '/components', open: async () => renderComponents() }] : [];
}
