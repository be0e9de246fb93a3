/** The history of a mark: publications apart from all other events. */
import { newestFirst, type Publication, type RecordEvent, stated } from '../document.ts';
import type { MarkRows } from './rows.ts';

const PUBLISHED = 'publish_';

export function readEvents(rows: MarkRows): { events: RecordEvent[]; publications: Publication[] } {
  const events: RecordEvent[] = [];
  const publications: RecordEvent[] = [];
  for (const row of rows.list('application_events')) {
    const code = row.text('event_category');
    const isStanding = row.flag('is_standing');
    const effective = row.statedDay('event_effective_date');
    const event = stated<RecordEvent>({
      kind: 'history',
      code,
      type: row.text('event_type'),
      date: effective ?? row.statedDay('event_declared_date'),
      // What the office has undone afterwards did not happen.
      removed: isStanding === false ? true : null,
      details: row.rest(),
    });
    const isPublication = code?.toLowerCase().startsWith(PUBLISHED) === true && isStanding !== false;
    (isPublication ? publications : events).push(event);
  }
  return {
    events: newestFirst(events),
    publications: newestFirst(publications).map(({ code, type, date, details }) =>
      stated<Publication>({ kind: type, section: code, date, details }),
    ),
  };
}
