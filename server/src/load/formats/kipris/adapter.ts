/**
 * Answers of the Korean register's search services, as XML. An answer that reports a failed search is refused with the
 * service's own code; one that found nothing holds no records. If an answer has more or fewer marks than it counts, as
 * one page of a longer answer does, that raises an issue.
 */
import { OperatorError } from '../../../base/errors.ts';
import { childText, nodeText, type XmlNode } from '../../xml/xml-node.ts';
import type { Format, ReadContext } from '../format.ts';
import { checkRootName, isXmlName, readXmlRecords, type XmlRecordReader } from '../xml-records.ts';
import { readAnswer } from './record.ts';
import { ANSWER_SHAPES } from './shapes.ts';

const REGISTER = 'KR';
const ROOTS = ['response', 'items', 'root'];

/** Collectors wrap saved answers in `root`, `data` and `itemGrop`; the applicant is the one they searched for. */
const ENVELOPE = ['response', 'body', 'items', 'root', 'data', 'itemGrop', 'applicantId'];

/** Result codes of a successful search. */
const SUCCESS = new Set(['', '0', '00']);

/** The code of a search that found nothing. Other services of the government use it for a refused access. */
const NO_RESULT = '20';
const NO_RESULT_MESSAGE = /^no.?(?:result|data)/i;

/** Elements in which an answer counts its marks; older services put the last three into `count`. */
const COUNTS = ['TotalSearchCount', 'totalCount', 'numOfRows', 'pageNo'] as const;
type Counts = Partial<Record<(typeof COUNTS)[number], number | null>>;

export const kiprisFormat: Format = {
  name: 'kipris',
  title: 'KIPRIS answers (Korea), XML',
  register: REGISTER,
  accepts: isXmlName,
  read: (entry, context) => readXmlRecords(entry, openAnswerReader(entry.name, context), context),
};

function openAnswerReader(entryName: string, context: ReadContext): XmlRecordReader {
  let marks = 0;
  let saysNone = false;
  const counts: Counts = {};
  return {
    selection: {
      records: new Set([...Object.keys(ANSWER_SHAPES), 'header', 'count', ...COUNTS]),
      envelope: new Set(ENVELOPE),
      checkRoot: (root) => checkRootName(root, ROOTS, kiprisFormat.title, entryName),
    },
    readRecord(node) {
      if (node.name in ANSWER_SHAPES) {
        marks += 1;
        return readAnswer(node, REGISTER);
      }
      if (node.name === 'header') saysNone = checkHeader(node, entryName);
      else if (node.name !== 'count') counts[node.name as keyof Counts] = parseCount(nodeText(node));
      else for (const name of COUNTS) counts[name] = parseCount(childText(node, name)) ?? counts[name] ?? null;
      return null;
    },
    endFile() {
      const { path, counted } = countAsked(counts);
      if (counted === null || counted === marks) {
        if (counted === 0 || (saysNone && marks === 0)) context.noteNoRecords?.();
        return;
      }
      if (marks === 0) throw new OperatorError(`${entryName} counts ${counted} marks and holds none`);
      const value = `${counted} counted, ${marks} held`;
      context.noteIssue?.({ code: 'count_differs', path, value }, 1);
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

function parseCount(text: string | null): number | null {
  const digits = text?.trim() ?? '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
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
