/** Reads claims of priority. A number is kept as written; the office of first filing is a country code. */
import { listChildren } from '../../xml/xml-node.ts';
import { type Priority, stated } from '../payload.ts';
import { type Reading, readAttribute } from '../reading.ts';
import { brazilianDate } from './values.ts';

export function readPriorities(reading: Reading): Priority[] {
  return listChildren(reading.root, 'prioridade-unionista/prioridade').map((node) => {
    const date = readAttribute(reading, node, 'data');
    return stated<Priority>({
      number: readAttribute(reading, node, 'numero'),
      country: readAttribute(reading, node, 'pais'),
      date: date === null ? null : (brazilianDate(date) ?? date),
    });
  });
}
