/**
 * USPTO trademark-applications-daily XML, daily and annual files alike. Every case-file is the full current state of
 * one case. The group a case-file is in (`action-key`) says only why it was sent, so it is ignored. A file without data
 * has no case-files and loads as empty.
 */
import type { Instant } from '@tmds/contract/record';
import { nodeText } from '../../xml/xml-node.ts';
import type { Format, ReadContext } from '../format.ts';
import { compactDate } from '../reading.ts';
import { checkRootName, isXmlName, readXmlRecords, type XmlRecordReader } from '../xml-records.ts';
import { checkVersion } from './layout.ts';
import { readCaseFile } from './record.ts';

const REGISTER = 'US';
/** The office's marker for a day on which nothing happened. */
const NO_DATA = 'N';

/** The layout that is read; files before November 2004 have others. */
const VERSION = '2.0';

const ROOTS = ['trademark-applications-daily', 'case-file'];

/** Elements around the case-files that do not change their meaning. */
const ENVELOPE = [
  'trademark-applications-daily',
  'version',
  'version-date',
  'application-information',
  'file-segments',
  'file-segment',
  'action-keys',
  'action-key',
];

export const usptoApcFormat: Format = {
  name: 'uspto-apc',
  title: 'USPTO trademark-applications-daily XML',
  register: REGISTER,
  accepts: isXmlName,
  read: (entry, context) => readXmlRecords(entry, openCaseReader(context), context),
};

function openCaseReader(context: ReadContext): XmlRecordReader {
  return {
    selection: {
      records: new Set(['case-file', 'version-no', 'creation-datetime', 'data-available-code']),
      envelope: new Set(ENVELOPE),
      checkRoot: (root, entryName) => checkRootName(root, ROOTS, usptoApcFormat.title, entryName),
    },
    readRecord(node) {
      if (node.name === 'case-file') return readCaseFile(node, REGISTER);
      if (node.name === 'version-no') {
        checkVersion(node, VERSION, context);
        return null;
      }
      if (node.name === 'data-available-code') {
        if (nodeText(node) === NO_DATA) context.noteNoRecords?.();
        return null;
      }
      const frontier = parseCreation(nodeText(node));
      if (frontier !== null) context.noteFrontier?.(frontier);
      return null;
    },
  };
}

/**
 * `YYYYMMDDHHMM` without a zone. Read as UTC it is a few hours before the actual time in the United States, so the
 * frontier may promise too little but never too much.
 */
export function parseCreation(text: string | null): Instant | null {
  const match = /^(\d{8})([01]\d|2[0-3])([0-5]\d)$/.exec(text ?? '');
  const date = match === null ? null : compactDate(match[1] ?? '');
  return date === null || match === null ? null : `${date}T${match[2]}:${match[3]}:00.000000Z`;
}
