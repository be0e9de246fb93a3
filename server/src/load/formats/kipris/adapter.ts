/**
 * Answers of the Korean register's search services, as XML. An answer that reports a failed search is refused with the
 * service's own code; one that found nothing holds no records. If an answer has more or fewer marks than it counts, as
 * one page of a longer answer does, that raises an issue.
 */
import { OperatorError } from '../../../base/errors.ts';
import { childText, type XmlNode } from '../../xml-node.ts';
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

export const kiprisFormat: Format = {
  name: 'kipris',
  title: 'KIPRIS answers (Korea), XML',
  register: REGISTER,
  accepts: isXmlName,
  read: (entry, context) => readXmlRecords(entry, openAnswerReader(entry.name, context), context),
};

function openAnswerReader(entryName: string, context: ReadContext): XmlRecordReader {
  let marks = 0;
  /** The marks that the answer should hold, by its own count; null when it states none. */
  let counted: number | null = null;
  return {
    selection: {
      records: new Set([...Object.keys(ANSWER_SHAPES), 'header', 'count', 'TotalSearchCount']),
      envelope: new Set(ENVELOPE),
      checkRoot: (root) => checkRootName(root, ROOTS, kiprisFormat.title, entryName),
    },
    readRecord(node) {
      if (node.name === 'header') checkHeader(node, entryName);
      else if (node.name === 'count') counted = countOfPage(node);
      else if (node.name === 'TotalSearchCount') counted = parseCount(node.text);
      else {
        marks += 1;
        return readAnswer(node, ANSWER_SHAPES[node.name as keyof typeof ANSWER_SHAPES], REGISTER);
      }
      return null;
    },
    endFile() {
      if (counted === null || counted === marks) {
        if (counted === 0) context.noteNoRecords?.();
        return;
      }
      if (marks === 0) throw new OperatorError(`${entryName} counts ${counted} marks and holds none`);
      const value = `${counted} counted, ${marks} held`;
      context.noteIssue?.({ code: 'count_differs', path: 'TotalSearchCount', value }, 1);
    },
  };
}

function checkHeader(header: XmlNode, entryName: string): void {
  const code = childText(header, 'resultCode') ?? '';
  if (SUCCESS.has(code)) return;
  const message = childText(header, 'resultMsg');
  const said = message === null ? '' : `: ${message.slice(0, 200)}`;
  throw new OperatorError(`${entryName} is an error answer with the code ${code}${said}`);
}

function parseCount(text: string | null): number | null {
  const digits = text?.trim() ?? '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
}

/** The number of marks that belong on this page of a longer answer. */
function countOfPage(node: XmlNode): number | null {
  const total = parseCount(childText(node, 'totalCount'));
  const rows = parseCount(childText(node, 'numOfRows'));
  const page = parseCount(childText(node, 'pageNo'));
  if (total === null || rows === null || page === null) return total;
  return Math.max(0, Math.min(rows, total - (page - 1) * rows));
}
