/** How a mark's status is shown. */
import { type Level, renderBadge } from './components.ts';

const LEVELS: Readonly<Record<string, Level>> = {
  registered: 'good',
  pending: 'warn',
  cancelled: 'off',
  abandoned: 'off',
};

export function renderStatus(status: string): unknown {
  return renderBadge(LEVELS[status.toLowerCase()] ?? 'plain', status);
}
