/** The tabs of monitoring: the units of a customer's calls, each of the calls, and the registers. */
import { renderTabs } from '../frame/components.ts';

export function renderMonitoringTabs(here: 'usage' | 'log' | 'registers'): unknown {
  return renderTabs('Monitoring', [
    { label: 'Usage', href: '/portal/monitoring', isHere: here === 'usage' },
    { label: 'Call log', href: '/portal/log', isHere: here === 'log' },
    { label: 'Registers', href: '/portal/registers', isHere: here === 'registers' },
  ]);
}
