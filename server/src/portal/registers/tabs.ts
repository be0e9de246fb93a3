/** The tabs of the registers: how complete they are, for those who may search their latest changes, and their dates. */

import type { MemberCall } from '../frame/call.ts';
import { renderTabs } from '../frame/components.ts';
import { mayOpen } from '../frame/roles.ts';

export function renderRegisterTabs({ person, isViewing }: MemberCall, here: 'coverage' | 'changes' | 'dates'): unknown {
  const maySearch = !isViewing && mayOpen(person, 'search');
  return renderTabs('Registers', [
    { label: 'How complete', href: '/portal/registers', isHere: here === 'coverage' },
    ...(maySearch ? [{ label: 'Latest changes', href: '/portal/feed', isHere: here === 'changes' }] : []),
    { label: 'How dates are computed', href: '/portal/dates-rules', isHere: here === 'dates' },
  ]);
}
