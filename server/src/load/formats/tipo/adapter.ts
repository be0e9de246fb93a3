/**
 * Data of the Taiwanese office, as XML: the index of a gazette of registrations, and application data, either as a
 * whole or as an answer of the office's service. Both identify marks by application number.
 */
import { OperatorError } from '../../../base/errors.ts';
import { nodeText } from '../../xml/xml-node.ts';
import type { Format, ReadContext } from '../format.ts';
import { checkRootName, isXmlName, readXmlRecords, type XmlRecordReader } from '../xml-records.ts';
import { readApplication } from './application.ts';
import { readGazetteEntry } from './gazette.ts';
import { OFFICE } from './identity.ts';

const ROOTS = ['RegContentList', 'tmarkappl', 'API'];
const ENVELOPE = [...ROOTS, 'version', 'order-by'];

/** Elements in which an answer of the service describes itself. */
const REMARKS = ['status', 'message', 'top', 'skip', 'total-count'] as const;
/** Statuses of a successful answer. */
const SUCCESS = new Set(['', 'ok', 'success', '200']);

export const tipoFormat: Format = {
  name: 'tipo',
  title: 'TIPO gazette index or application data (Taiwan), XML',
  register: OFFICE,
  accepts: isXmlName,
  read: (entry, context) => readXmlRecords(entry, openMarkReader(entry.name, context), context),
};

type Remarks = Partial<Record<(typeof REMARKS)[number], string>>;

function openMarkReader(entryName: string, context: ReadContext): XmlRecordReader {
  const remarks: Remarks = {};
  let marks = 0;
  return {
    selection: {
      records: new Set(['RegContent', 'tmarkcontent', ...REMARKS]),
      envelope: new Set(ENVELOPE),
      checkRoot(root) {
        checkRootName(root, ROOTS, tipoFormat.title, entryName);
        const count = root.attributes['total-count'];
        if (count !== undefined) remarks['total-count'] = count;
      },
    },
    readRecord(node) {
      if (node.name === 'RegContent' || node.name === 'tmarkcontent') {
        marks += 1;
        return node.name === 'RegContent' ? readGazetteEntry(node, OFFICE) : readApplication(node, OFFICE);
      }
      remarks[node.name as keyof Remarks] = nodeText(node) ?? '';
      return null;
    },
    endFile() {
      checkAnswer(entryName, { remarks, marks, context });
    },
  };
}

interface Answer {
  remarks: Remarks;
  marks: number;
  context: ReadContext;
}

/** Throws `OperatorError` when a file without marks reports a failure, or claims to hold marks. */
function checkAnswer(entryName: string, { remarks, marks, context }: Answer): void {
  const { status = '', message = '' } = remarks;
  const doubtful = !SUCCESS.has(status.toLowerCase());
  const counted = countAsked(remarks);
  if (marks === 0) {
    if (doubtful) throw new OperatorError(`${entryName} holds no mark; the office says ${status}: ${message}`);
    if (counted === 0) context.noteNoRecords?.();
    else if (counted !== null) throw new OperatorError(`${entryName} counts ${counted} marks and holds none`);
    return;
  }
  if (doubtful) {
    context.noteIssue?.({ code: 'delivery_remark', path: 'API/status', value: `${status}: ${message}` }, 1);
  }
  if (counted === null || counted === marks) return;
  const value = `${counted} counted, ${marks} held`;
  context.noteIssue?.({ code: 'count_differs', path: 'total-count', value }, 1);
}

/** The number of marks the file should hold. An answer in pages states its limit and its offset. */
function countAsked(remarks: Remarks): number | null {
  const [total, top, skip] = (['total-count', 'top', 'skip'] as const).map((name) => {
    const text = remarks[name] ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : null;
  });
  if (total === null || total === undefined) return null;
  return Math.max(0, Math.min(top ?? total, total - (skip ?? 0)));
}
