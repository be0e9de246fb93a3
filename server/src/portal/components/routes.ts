/** `/portal/components`, for developers of pages; only a demonstration service has this page. */
import type { PortalRoute } from '../frame/call.ts';
import { renderComponents } from './components-page.ts';

export function listComponentRoutes({ isDemo }: { readonly isDemo: boolean }): PortalRoute[] {
  return isDemo ? [{ method: 'GET', url: '/components', open: async () => renderComponents() }] : [];
}
