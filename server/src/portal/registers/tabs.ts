/** The tabs of the registers: how complete they are, and their latest changes, for those who may search. */

import type { MemberCall } from '../frame/call.ts';
import { renderTabs } from '../frame/components.ts';
import { mayOpen } from '../frame/roles.ts';

export function renderRegisterTabs({ person, isViewing }: MemberCall, here: 'coverage' | 'changes'): unknown {
  if (isViewing || !mayOpen(person, 'search')) return null;
  return renderTabs('Registers', [
    { label: 'How complete', href: '/portal/registers', isHere: here === 'coverage' },
    { label: 'Latest changes', href: '/portal/feed', isHere: here === 'changes' },
  ]);
}
