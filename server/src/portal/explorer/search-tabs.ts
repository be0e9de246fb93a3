/** The tabs of search: by filters, and for names that are alike. */
import { renderTabs } from '../frame/components.ts';

export function renderSearchTabs(here: 'filters' | 'likeness'): unknown {
  return renderTabs('Kinds of search', [
    { label: 'By filters', href: '/portal/explorer', isHere: here === 'filters' },
    { label: 'Is it free?', href: '/portal/similar', isHere: here === 'likeness' },
  ]);
}
