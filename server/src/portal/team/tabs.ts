/** The tabs of a team: its people, and their activity. */
import { renderTabs } from '../frame/components.ts';

export function renderTeamTabs(here: 'people' | 'activity'): unknown {
  return renderTabs('Team', [
    { label: 'People', href: '/portal/team', isHere: here === 'people' },
    { label: 'Activity', href: '/portal/team/activity', isHere: here === 'activity' },
  ]);
}
