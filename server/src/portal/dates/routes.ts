/** The page of rules from which dates follow; the same for everybody. */
import type { PortalRoute } from '../frame/call.ts';
import { DATES_RULES } from './rule-view.ts';
import { renderRules } from './rules-page.ts';

export function listDatesRoutes(): PortalRoute[] {
  const url = DATES_RULES.replace('/portal', '');
  return [{ method: 'GET', url, viewable: true, members: async (call) => renderRules(call) }];
}
