/** Files of the USPTO's Trademark Trial and Appeal Board, daily ones and the file of all years alike. */
import { openEventFormat } from '../uspto-events/event-format.ts';
import { readProceeding, TTAB } from './proceeding.ts';

export const usptoTtabFormat = openEventFormat({
  name: TTAB,
  title: 'USPTO TTAB proceedings XML',
  root: 'ttab-proceedings',
  envelope: ['proceeding-information'],
  entry: 'proceeding-entry',
  read: readProceeding,
});
