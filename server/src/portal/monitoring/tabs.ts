/** The tabs of usage: now, by month, and each of the calls. */
import { renderTabs } from '../frame/components.ts';

export function renderMonitoringTabs(here: 'usage' | 'months' | 'log'): unknown {
  return renderTabs('Usage', [
    { label: 'Now', href: '/portal/usage', isHere: here === 'usage' },
    { label: 'By month', href: '/portal/monitoring', isHere: here === 'months' },
    { label: 'Call log', href: '/portal/log', isHere: here === 'log' },
  ]);
}
