/** The history of a mark: publications apart from all other events. */
import { newestFirst } from '../history.ts';
import { type Publication, type RecordEvent, stated } from '../payload.ts';
import { cell, flagCell, listRows, type MarkRows, restOf, statedDate } from './rows.ts';

const PUBLISHED = 'publish_';

export function readEvents(rows: MarkRows): { events: RecordEvent[]; publications: Publication[] } {
  const events: RecordEvent[] = [];
  const publications: RecordEvent[] = [];
  for (const row of listRows(rows, 'application_events')) {
    const code = cell(row, 'event_category');
    const isStanding = flagCell(rows, row, 'is_standing');
    const effective = statedDate(row, 'event_effective_date');
    const event = stated<RecordEvent>({
      kind: 'history',
      code,
      type: cell(row, 'event_type'),
      date: effective ?? statedDate(row, 'event_declared_date'),
      // What the office has undone afterwards did not happen.
      removed: isStanding === false ? true : null,
      details: restOf(row),
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
