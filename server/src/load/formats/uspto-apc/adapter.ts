/**
 * USPTO trademark-applications-daily XML, daily and annual files alike. Every case-file is the full current state of
 * one case. The group a case-file is in (`action-key`) says only why it was sent, so it is ignored. A file without data
 * has no case-files and loads as empty.
 */
import type { Instant } from '@tmds/contract/record';
import { compactDate } from '../dates.ts';
import { nodeText } from '../element.ts';
import { openXmlFormat } from '../xml-records.ts';
import { OFFICE, readFileHeader } from './cases.ts';
import { readCaseFile } from './record.ts';

/** The layout that is read; files before November 2004 have others. */
const VERSION = '2.0';

export const usptoApcFormat = openXmlFormat({
  name: 'uspto-apc',
  title: 'USPTO trademark-applications-daily XML',
  register: OFFICE,
  roots: ['trademark-applications-daily', 'case-file'],
  // None of these changes the meaning of the case-files in it.
  envelope: [
    'trademark-applications-daily',
    'version',
    'version-date',
    'application-information',
    'file-segments',
    'file-segment',
    'action-keys',
    'action-key',
  ],
  open: (context) => ({
    elements: {
      'case-file': (node) => readCaseFile(node, OFFICE),
      ...readFileHeader(VERSION, context),
      'creation-datetime'(node) {
        const frontier = parseCreation(nodeText(node));
        if (frontier !== null) context.noteFrontier?.(frontier);
      },
    },
  }),
});

/**
 * `YYYYMMDDHHMM` without a zone. Read as UTC it is a few hours before the actual time in the United States, so the
 * frontier may promise too little but never too much.
 */
export function parseCreation(text: string | null): Instant | null {
  const [, day = '', hour, minute] = /^(\d{8})([01]\d|2[0-3])([0-5]\d)$/.exec(text ?? '') ?? [];
  const date = compactDate(day);
  return date === null ? null : `${date}T${hour}:${minute}:00.000000Z`;
}
