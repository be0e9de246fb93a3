/** Routes for members of a customer, as the pages of keys, webhooks and watches declare them. */
import type { PortalServices } from '../services.ts';
import type { MemberCall, PortalAnswer, PortalRoute, PublicCall } from './call.ts';

export type MemberHandling = (call: MemberCall, services: PortalServices) => Promise<PortalAnswer>;

interface MemberRoutes {
  /** `viewable`: operators who view a customer see the page too. */
  readonly show: (url: string, handler: MemberHandling, viewable?: boolean) => PortalRoute;
  /** `page`: where the form is, `:id` being that of the path; `keeps`: the fields that are shown again. */
  readonly change: (
    url: string,
    page: string,
    keeps: readonly string[],
    handler: MemberHandling,
  ) => Extract<PortalRoute, { readonly method: 'POST' }>;
}

export function buildMemberRoutes(services: PortalServices): MemberRoutes {
  return {
    show: (url, handler, viewable = false) => ({
      method: 'GET',
      url,
      viewable,
      members: (call) => handler(call, services),
    }),
    change: (url, page, keeps, handler) => ({
      method: 'POST',
      url,
      form: { page: ({ params }: PublicCall) => page.replace(':id', encodeURIComponent(params.id ?? '')), keeps },
      members: (call) => handler(call, services),
    }),
  };
}
