/**
 * Answers of the Korean register's search services, as XML. An answer that reports a failed search is refused with the
 * service's own code; one that found nothing holds no records. If an answer has more or fewer marks than it counts, as
 * one page of a longer answer does, that raises an issue.
 */
import { OperatorError } from '../../../base/errors.ts';
import type { XmlNode } from '../../xml/xml-record.ts';
import { childText, nodeText } from '../element.ts';
import type { ReadContext } from '../format.ts';
import { noteCount, openXmlFormat, parseCount, readersOf, type XmlFileReader } from '../xml-records.ts';
import { OFFICE, readAnswer } from './record.ts';
import { ANSWER_SHAPES } from './shapes.ts';

/** Result codes of a successful search. */
const SUCCESS = new Set(['', '0', '00']);

/** The code of a search that found nothing. Other services of the government use it for a refused access. */
const NO_RESULT = '20';
const NO_RESULT_MESSAGE = /^no.?(?:result|data)/i;

/** Elements in which an answer counts its marks; older services put the last three into `count`. */
const COUNTS = ['TotalSearchCount', 'totalCount', 'numOfRows', 'pageNo'] as const;
type Counts = Partial<Record<(typeof COUNTS)[number], number | null>>;

export const kiprisFormat = openXmlFormat({
  name: 'kipris',
  title: 'KIPRIS answers (Korea), XML',
  register: OFFICE,
  roots: ['response', 'items', 'root'],
  // Collectors wrap saved answers in the last four; the applicant is the one they searched for.
  envelope: ['response', 'body', 'items', 'root', 'data', 'itemGrop', 'applicantId'],
  open: (context, entry) => openAnswerFile(context, entry.name),
});

function openAnswerFile(context: ReadContext, entryName: string): XmlFileReader {
  let marks = 0;
  let saysNone = false;
  const counts: Counts = {};
  const readMark = (node: XmlNode) => {
    marks += 1;
    return readAnswer(node, OFFICE);
  };
  return {
    elements: {
      ...Object.fromEntries(Object.keys(ANSWER_SHAPES).map((name) => [name, readMark])),
      ...readersOf(COUNTS, (node) => {
        counts[node.name as keyof Counts] = parseCount(nodeText(node));
      }),
      header(node) {
        saysNone = checkHeader(node, entryName);
      },
      count(node) {
        for (const name of COUNTS) counts[name] = parseCount(childText(node, name)) ?? counts[name] ?? null;
      },
    },
    endFile() {
      const { path, counted } = countAsked(counts);
      if (counted === null || counted === marks) {
        if (counted === 0 || (saysNone && marks === 0)) context.noteNoRecords?.();
        return;
      }
      if (marks === 0) throw new OperatorError(`${entryName} counts ${counted} marks and holds none`);
      noteCount(context, path, counted, marks);
    },
  };
}

/** Whether the answer says that nothing was found. Throws `OperatorError` for an answer that reports an error. */
function checkHeader(header: XmlNode, entryName: string): boolean {
  const code = childText(header, 'resultCode') ?? '';
  if (SUCCESS.has(code)) return false;
  const message = childText(header, 'resultMsg');
  if (code === NO_RESULT && (message === null || NO_RESULT_MESSAGE.test(message))) return true;
  const said = message === null ? '' : `: ${message.slice(0, 200)}`;
  throw new OperatorError(`${entryName} is an error answer with the code ${code}${said}`);
}

/** The number of marks that the answer should hold, and the element that says so. A page holds a part of all marks. */
function countAsked(counts: Counts): { path: string; counted: number | null } {
  const {
    TotalSearchCount: found = null,
    totalCount: total = null,
    numOfRows: rows = null,
    pageNo: page = null,
  } = counts;
  if (total === null) return { path: 'TotalSearchCount', counted: found };
  const counted = rows === null || page === null ? total : Math.max(0, Math.min(rows, total - (page - 1) * rows));
  return { path: 'totalCount', counted };
}
