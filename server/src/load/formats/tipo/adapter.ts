/**
 * Data of the Taiwanese office, as XML: the index of a gazette of registrations, and application data, either as a
 * whole or as an answer of the office's service. Both identify marks by application number.
 */
import { OperatorError } from '../../../base/errors.ts';
import { nodeText } from '../element.ts';
import type { ReadContext } from '../format.ts';
import {
  noteCount,
  openXmlFormat,
  parseCount,
  type RecordItem,
  readersOf,
  type XmlFileReader,
} from '../xml-records.ts';
import { readApplication } from './application.ts';
import { readGazetteEntry } from './gazette.ts';
import { OFFICE } from './values.ts';

const ROOTS = ['RegContentList', 'tmarkappl', 'API'];

/** Elements in which an answer of the service describes itself. */
const REMARKS = ['status', 'message', 'top', 'skip', 'total-count'] as const;
/** Statuses of a successful answer. */
const SUCCESS = new Set(['', 'ok', 'success', '200']);

export const tipoFormat = openXmlFormat({
  name: 'tipo',
  title: 'TIPO gazette index or application data (Taiwan), XML',
  register: OFFICE,
  roots: ROOTS,
  envelope: [...ROOTS, 'version', 'order-by'],
  open: (context, entry) => openTipoFile(context, entry.name),
});

type Remarks = Partial<Record<(typeof REMARKS)[number], string>>;

function openTipoFile(context: ReadContext, entryName: string): XmlFileReader {
  const remarks: Remarks = {};
  let marks = 0;
  const count = (item: () => RecordItem): RecordItem => {
    marks += 1;
    return item();
  };
  return {
    elements: {
      RegContent: (node) => count(() => readGazetteEntry(node, OFFICE)),
      tmarkcontent: (node) => count(() => readApplication(node, OFFICE)),
      ...readersOf(REMARKS, (node) => {
        remarks[node.name as keyof Remarks] = nodeText(node) ?? '';
      }),
    },
    checkRoot(root) {
      const counted = root.attributes['total-count'];
      if (counted !== undefined) remarks['total-count'] = counted;
    },
    endFile: () => checkAnswer(entryName, { remarks, marks, context }),
  };
}

/** Throws `OperatorError` when a file without marks reports a failure, or claims to hold marks. */
function checkAnswer(
  entryName: string,
  { remarks, marks, context }: { remarks: Remarks; marks: number; context: ReadContext },
): void {
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
  noteCount(context, 'total-count', counted, marks);
}

/** The number of marks the file should hold. An answer in pages states its limit and its offset. */
function countAsked(remarks: Remarks): number | null {
  const total = parseCount(remarks['total-count']);
  if (total === null) return null;
  return Math.max(0, Math.min(parseCount(remarks.top) ?? total, total - (parseCount(remarks.skip) ?? 0)));
}
