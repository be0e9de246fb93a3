/**
 * Statements about a process, kept between loads. A journal states what happened in a week, so journals that arrive out
 * of order have to be reordered: every statement is kept unchanged, and a load merges the statements about a process
 * from its own earliest one onwards, with all later ones that are known. The result is merged onto the stored record,
 * which holds what came before. So the order of loads does not matter.
 *
 * A process outside of a journal has no day. It counts from its first load on, after every journal that was known then.
 * Invariant: a statement that is loaded again keeps its place, so it changes nothing.
 */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Issue, NormalizedRecord } from '../../../record/document.ts';
import { mergeRecords } from '../../../record/merge.ts';
import { normalizeRecord, RecordRejection } from '../../../record/normalize.ts';
import type { RowGroup, SourceRow } from '../../kept/kept.ts';
import { digestSource } from '../../sources/files.ts';
import { readXml } from '../../xml/xml.ts';
import type { XmlNode } from '../../xml/xml-record.ts';
import { NOT_STATED } from '../document.ts';
import type { RegisterItem } from '../format.ts';
import { UnreadableRecord } from '../xml-records.ts';
import { readProcess } from './record.ts';
import type { Journal } from './values.ts';

export const ROOT_PART = 'process ';
/** No part leads on to others. */
export const CHAINED_PART = 'none ';

interface Statement {
  number: string;
  /** Null outside of a journal. */
  journal: Journal | null;
  /** The load that last brought it. */
  loadId: string;
  /** Rises along the load: the order among statements of one journal. */
  place: string;
  /** When a load first brought it, and its place there; empty if a version of the service from before kept it. */
  firstKept: string;
  /** For messages: file and line. */
  position: string;
  /** The raw element of the file. */
  source: string;
}

function orderOf({ date, number }: Journal): string {
  return `${date} ${number.padStart(6, '0')}`;
}

/** The same statement of the same journal is one row, wherever it is in the file and however it is indented. */
export function buildStatementRow({ number, journal, firstKept, ...statement }: Statement): SourceRow {
  const digest = hash('sha256', statement.source.replace(/\s+/g, ' '));
  return {
    table: 'processo',
    key: `${number}\t${journal?.number ?? ''}\t${digest}`,
    part: `${ROOT_PART}${number}`,
    link: null,
    removed: false,
    version: firstKept,
    body: JSON.stringify({
      ...(journal === null ? {} : { journal: journal.number, date: journal.date }),
      ...statement,
    }),
  };
}

function listStatements({ root, rows }: RowGroup): Statement[] {
  return rows.map(({ cells, version }) => {
    const { journal, date, loadId = '', place = '', position = '', source = '' } = cells;
    return {
      number: root.slice(ROOT_PART.length),
      journal: journal === undefined || date === undefined ? null : { number: journal, date },
      loadId,
      place,
      firstKept: version ?? '',
      position,
      source,
    };
  });
}

/**
 * The statements of a load about a process: one item for each, so that each is counted. The last item holds them all
 * and the others are empty, because their statements may belong between stored ones.
 */
export async function* deriveProcess(group: RowGroup, loadId: string, register: string): AsyncGenerator<RegisterItem> {
  const statements = listStatements(group);
  const ordered = orderStatements(statements);
  const first = ordered.findIndex((statement) => statement.loadId === loadId);
  const texts = first === -1 ? [] : ordered.slice(first);
  const version = texts.findLast(({ journal }) => journal !== null)?.journal?.date ?? null;
  const sourceDigest = digestStatements(ordered);
  let merged: NormalizedRecord | null = null;
  let open: RecordItem | null = null;
  for (const statement of texts) {
    const { position, source } = statement;
    const isOwn = statement.loadId === loadId;
    const read = await readStatement(statement, register);
    if ('reason' in read) {
      // One of an earlier load has been rejected by that load.
      if (isOwn) yield { kind: 'reject', raw: source, reason: read.reason, position };
      continue;
    }
    merged = merged === null ? read.record : mergeRecords(merged, read.record);
    if (!isOwn) continue;
    if (open !== null) yield open;
    const record = { ...read.record, ...NOTHING, source_version: version };
    open = { kind: 'record', record, issues: read.issues, position, raw: () => source, sourceDigest };
  }
  if (open !== null && merged !== null) yield { ...open, record: { ...merged, source_version: version } };
}

/** The content of a part that says only which mark it belongs to. */
const NOTHING = { ...NOT_STATED, status: 'Unknown', payload: null } as const;

/** Computed from everything known about the process, in whatever order loads brought it. */
function digestStatements(ordered: readonly Statement[]): string {
  const texts = ordered.map(
    ({ journal, source }) => `${journal === null ? '' : orderOf(journal)} ${source.replace(/\s+/g, ' ')}`,
  );
  return digestSource(texts.sort().join('\n'));
}

/** Journals by their days; a statement outside of journals after the last of those that were kept before it. */
function orderStatements(statements: readonly Statement[]): Statement[] {
  const dated = sortBy(
    statements.filter(({ journal }) => journal !== null),
    ({ journal, place }) => `${journal === null ? '' : orderOf(journal)} ${place}`,
  );
  const undated = sortBy(
    statements.filter(({ journal }) => journal === null),
    ({ firstKept }) => firstKept,
  );
  return undated.reduce((ordered, statement) => {
    const before = ordered.findLastIndex(({ firstKept }) => firstKept <= statement.firstKept);
    return ordered.toSpliced(before + 1, 0, statement);
  }, dated);
}

function sortBy(statements: readonly Statement[], keyOf: (statement: Statement) => string): Statement[] {
  return statements
    .map((statement) => ({ statement, key: keyOf(statement) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ statement }) => statement);
}

type RecordItem = Extract<RegisterItem, { kind: 'record' }>;
type ReadStatement = { record: NormalizedRecord; issues: Issue[] } | { reason: string };

async function readStatement({ journal, source, position }: Statement, register: string): Promise<ReadStatement> {
  try {
    const { record, issues } = readProcess(await parseElement(source, position), journal, register);
    return { record: normalizeRecord(record), issues };
  } catch (error) {
    if (!(error instanceof UnreadableRecord || error instanceof RecordRejection)) throw error;
    return { reason: error.message };
  }
}

/** An element of a file is also an element on its own. */
async function parseElement(source: string, position: string): Promise<XmlNode> {
  const entry = { name: position, stream: Readable.from([Buffer.from(source)]) };
  const selection = { records: new Set(['processo']), envelope: new Set<string>(), checkRoot: () => {} };
  for await (const item of readXml(entry, selection)) {
    if (item.kind === 'element') return item.node;
    if (item.kind === 'reject') throw new UnreadableRecord(`${item.name} ${item.reason}`);
  }
  throw new Error(`${position}: a kept statement is not a processo`);
}
