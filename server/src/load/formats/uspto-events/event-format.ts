/**
 * Shared by the two formats of events: the file around their entries, and the rows in which a statement is kept. A
 * statement that names hundreds of cases is kept once, with one short row for each case.
 */

import { createHash } from 'node:crypto';
import type { Issue } from '../../../record/document.ts';
import type { EventBody, MarksBody } from '../../../record/join-events.ts';
import type { SupplementRow } from '../../kept/kept-supplements.ts';
import { nodeText, type XmlNode } from '../../xml/xml-node.ts';
import type { Format, ReadContext } from '../format.ts';
import { compactDate } from '../reading.ts';
import { checkVersion } from '../uspto-apc/layout.ts';
import { checkRootName, isXmlName, readXmlRecords, type XmlRecordReader } from '../xml-records.ts';
import { type EventStatement, REGISTER } from './statement.ts';

/** The office's marker for a day on which nothing happened. */
const NO_DATA = 'N';

interface EventFormat {
  name: 'uspto-assignments' | 'uspto-ttab';
  title: string;
  root: string;
  /** Elements around the entries. */
  envelope: readonly string[];
  entry: string;
  /** `deliveredOn`: the transaction date of the file, as written. Throws `UnreadableRecord`. */
  read(node: XmlNode, deliveredOn: string | null): { statement: EventStatement; issues: Issue[] };
}

const HEADER = ['version', 'version-date', 'action-key-code'];
/** The layout that is read, of both formats. */
const VERSION = '1.0';

export function openEventFormat(format: EventFormat): Format {
  return {
    name: format.name,
    title: format.title,
    register: REGISTER,
    accepts: isXmlName,
    read: (entry, context) => readXmlRecords(entry, openEventReader(format, context, entry.name), context),
  };
}

function openEventReader(format: EventFormat, context: ReadContext, entryName: string): XmlRecordReader {
  let deliveredOn: string | null = null;
  return {
    selection: {
      records: new Set(['version-no', 'transaction-date', 'data-available-code', format.entry]),
      envelope: new Set([format.root, ...HEADER, ...format.envelope]),
      checkRoot(root) {
        checkRootName(root, [format.root], format.title, entryName);
      },
    },
    readRecord(node) {
      if (node.name === format.entry) {
        const { statement, issues } = format.read(node, deliveredOn);
        return { kind: 'supplement', rows: listRows(format.name, statement), issues };
      }
      if (node.name === 'version-no') checkVersion(node, VERSION, context);
      else if (node.name === 'transaction-date') {
        deliveredOn = nodeText(node);
        const day = compactDate(deliveredOn ?? '');
        if (day !== null) context.notePeriod?.(day);
      } else if (nodeText(node) === NO_DATA) context.noteNoRecords?.();
      return null;
    },
  };
}

/** The statement itself, and a row for each case, which leads from the record to it. */
function listRows(kind: EventFormat['name'], statement: EventStatement): SupplementRow[] {
  const { key, version, event, cases, isRemoved, isPartial } = statement;
  const part = `${REGISTER} ${kind} ${key}`;
  const links = cases.map((named): SupplementRow => {
    const body: MarksBody = { marks: named.marks };
    return { kind, key: `${key} ${named.part}`, part: named.part, link: part, version, body };
  });
  const body: EventBody = {
    event: { ...event },
    named: digestNames(links.map((link) => link.part)),
    ...(isRemoved ? { removed: true } : {}),
    ...(isPartial ? { partial: true } : {}),
  };
  return [{ kind, key: isPartial ? `${key} removal` : key, part, link: null, version, body }, ...links];
}

/** Independent of the order of names. */
function digestNames(names: readonly string[]): string {
  return createHash('sha256')
    .update([...names].sort().join('\n'))
    .digest('base64url');
}
