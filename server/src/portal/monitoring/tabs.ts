/** The ways through what is known of a customer's calls: the units they cost, and each of them. */
import { renderTabs } from '../frame/components.ts';

export function renderMonitoringTabs(here: 'usage' | 'log'): unknown {
  return renderTabs('Monitoring', [
    { label: 'Usage', href: '/portal/monitoring', isHere: here === 'usage' },
    { label: 'Call log', href: '/portal/log', isHere: here === 'log' },
  ]);
}
