/** USPTO assignment files, daily ones and the file of all years alike. */
import { openEventFormat } from '../uspto-events/event-format.ts';
import { ASSIGNMENTS, readAssignment } from './entry.ts';

export const usptoAssignmentsFormat = openEventFormat({
  name: ASSIGNMENTS,
  title: 'USPTO assignment XML',
  root: 'trademark-assignments',
  envelope: ['assignment-information'],
  entry: 'assignment-entry',
  read: readAssignment,
});
