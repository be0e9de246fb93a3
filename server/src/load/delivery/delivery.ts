/**
 * Goes through everything that a load is given, file by file, and decides the consequence of a file that is not what it
 * should be. Given alone, it ends the load; as a member of an archive or a folder it is one reject, and the rest loads
 * (docs/design/loads.md). No file is skipped in silence: it yields records or rejects, or says that it holds none, or
 * is an issue. It knows formats by their interface, and does not know what happens to records.
 */
import type { Instant } from '@tmds/contract/record';
import { OperatorError } from '../../base/errors.ts';
import type { Issue } from '../../record/document.ts';
import type { IssueExample } from '../../store/publish/findings.ts';
import {
  type Format,
  type FormatItem,
  placeOf,
  type ReadContext,
  type RegisterItem,
  type RejectItem,
  type SetFormat,
  type SetItem,
} from '../formats/format.ts';
import type { Head } from '../formats/head.ts';
import { recognizeHead } from '../formats/recognize.ts';
import type { KeptRows, SourceRow } from '../kept/kept.ts';
import { type NoteFile, type SourceEntry, UnreadableSource } from '../sources/files.ts';
import type { Source } from '../sources/source.ts';
import {
  type Contents,
  type ContentsOptions,
  hintAtFile,
  hintAtRecord,
  type Look,
  openContents,
  openLook,
} from './contents.ts';

export interface Delivery extends ContentsOptions {
  sources: readonly Source[];
  /** `--register CODE`, upper case. */
  register: string | null;
  /** The id of the load; an inspection has none. */
  loadId?: string;
  startedAt?: Instant;
  noteFrontier(instant: Instant): void;
  /** An inspection notes neither periods nor files. */
  notePeriod?(label: string): void;
  noteFile?: NoteFile;
  /** `place`: the file it came from, if one can be named. */
  noteIssue(issue: Issue, times: number, place?: IssueExample): void;
}

/** The items of a reader, one or more at a time. */
type ReadItem = FormatItem | readonly SetItem[];

type ReadFile<Item> = (entry: SourceEntry, context: ReadContext) => AsyncIterable<Item | RejectItem>;

/**
 * What `read` yields for each file, and a reject for each member that cannot be read. Throws `OperatorError` when a
 * file given alone cannot be read, and when a source holds nothing and does not say that this is intended.
 */
export async function* readDelivery<Item extends ReadItem>(
  delivery: Delivery,
  read: ReadFile<Item>,
): AsyncGenerator<Item | RejectItem> {
  let fileNumber = 0;
  yield* readFiles(delivery, (entry, contents) => {
    fileNumber += 1;
    return readFile(entry, { delivery, contents, read, fileNumber });
  });
}

/** What `readOne` yields for each file, in order. Each source is judged once all of it has been read. */
async function* readFiles<Item>(
  delivery: Delivery,
  readOne: (entry: SourceEntry, contents: Contents) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  checkRegister(delivery);
  for (const source of delivery.sources) {
    const contents = openContents(delivery);
    for await (const entry of source.entries(contents.accepts, delivery.noteFile)) {
      yield* readOne(entry, contents);
      contents.checkStart(source.name);
    }
    await endSource(source, contents, delivery.format);
  }
}

async function endSource(source: Source, contents: Contents, format: Format): Promise<void> {
  const unread = contents.findUnread();
  const entries = unread === null ? [] : source.entries((name) => name === unread);
  let hint = '';
  for await (const entry of entries) {
    hint = hintAtFile(await openLook(entry).peek(), format);
    break;
  }
  contents.end(source.name, hint);
}

/** Throws `OperatorError` when the operator names a register that files of the format are never of. */
function checkRegister({ format, register }: Delivery): void {
  if (register === null || format.register === null || register === format.register) return;
  throw new OperatorError(
    `--register says ${register}, but ${format.name} reads files of the register ${format.register}`,
  );
}

interface Reading<Item> {
  delivery: Delivery;
  contents: Contents;
  read: ReadFile<Item>;
  /** From 1, along the delivery. */
  fileNumber: number;
}

/** The outcome of one file. */
interface Yield {
  /** Records or rows. */
  records: number;
  rejects: number;
  foreign: RejectItem | null;
  /** The file says that it holds no records, or its content yields none. */
  isExplained: boolean;
}

async function* readFile<Item extends ReadItem>(
  given: SourceEntry,
  reading: Reading<Item>,
): AsyncGenerator<Item | RejectItem> {
  const { contents, read } = reading;
  const { format } = reading.delivery;
  const look = openLook(given);
  const found: Yield = { records: 0, rejects: 0, foreign: null, isExplained: false };
  try {
    if (given.refusal !== undefined) throw new OperatorError(`${given.name} ${given.refusal}`);
    for await (const item of read(look.entry, openContext(look.entry.name, reading, found))) {
      for (const each of listOf(item)) {
        if (each.kind !== 'reject') found.records += 1;
        else if (each.isForeign !== true) found.rejects += 1;
        else {
          each.reason += hintAtRecord(each, look.head(), format);
          found.foreign ??= each;
        }
      }
      contents.hasRecords ||= found.records + found.rejects > 0;
      yield item;
    }
    checkFile(look, found, { format, contents });
  } catch (error) {
    const refused = await explain(error, look, format);
    if (given.isMember !== true) throw refused;
    yield rejectMember(refused, look, { records: found.records, contents });
  } finally {
    contents.addFile(look.readBytes());
  }
}

function openContext(
  name: string,
  { delivery, contents, fileNumber }: Omit<Reading<unknown>, 'read'>,
  found: Yield,
): ReadContext {
  const { register, loadId, startedAt, noteFrontier, notePeriod, noteIssue } = delivery;
  return {
    register,
    fileNumber,
    ...(loadId === undefined ? {} : { loadId }),
    ...(startedAt === undefined ? {} : { startedAt }),
    noteFrontier,
    ...(notePeriod === undefined ? {} : { notePeriod }),
    noteIssue: (issue, times) => noteIssue(issue, times, placeOf(name)),
    noteNoRecords() {
      found.isExplained = true;
      contents.saysNone = true;
    },
    noteContent() {
      found.isExplained = true;
      contents.hasRecords = true;
    },
  };
}

function listOf(item: ReadItem): readonly (FormatItem | SetItem)[] {
  return 'kind' in item ? [item] : item;
}

/** A refusal whose message is complete. */
class RefusedFile extends OperatorError {}

/** Throws `OperatorError` when nothing in the file is of the format. */
function checkFile(look: Look, found: Yield, { format, contents }: { format: Format; contents: Contents }): void {
  const { name, isMember } = look.entry;
  if (found.records + found.rejects > 0 || found.isExplained) return;
  if (found.foreign !== null) {
    // The reason says already which format reads it.
    if (isMember !== true) throw new RefusedFile(`${name}: ${found.foreign.reason}`);
    contents.addRefusal(`${name}: ${found.foreign.reason}`);
    return;
  }
  if (hintAtFile(look.head(), format) !== '') throw new OperatorError(`${name} is not ${format.title}`);
  contents.addRecordless(name, describe(look));
}

function describe(look: Look): string {
  const head = look.head();
  if (head.text === '') return 'an empty file';
  const root = head.xml === null ? '' : ` with the root element ${head.xml.root.name}`;
  return `${recognizeHead(head).seen}${root}`;
}

/** Rethrows errors that are not the fault of the file. */
async function explain(error: unknown, look: Look, format: Format): Promise<OperatorError> {
  if (!(error instanceof OperatorError) || error instanceof UnreadableSource) throw error;
  // It was refused by its name.
  if (look.readBytes() === 0) await look.peek();
  if (error instanceof RefusedFile) return error;
  return new OperatorError(`${error.message}${hintAtFile(look.head(), format)}`, { cause: error });
}

function rejectMember(
  { message }: OperatorError,
  look: Look,
  { records, contents }: { records: number; contents: Contents },
): RejectItem {
  const { name } = look.entry;
  const rest = message.startsWith(name) ? message.slice(name.length) : `: ${message}`;
  const reason = /^[,:] /.test(rest) ? rest.slice(2) : `the file${rest}`;
  contents.addRefusal(`${name}: ${reason}`);
  const before = records === 0 ? '' : `; the first ${records} records of it are loaded, no more`;
  return { kind: 'reject', raw: look.head().bytes, reason: `${reason}${before}`, position: name };
}

/** Rejected rows, then the records that the delivery touches. Nothing is kept before the last file has been read. */
export async function* readSet(
  delivery: Delivery,
  format: SetFormat,
  opening: Promise<KeptRows>,
): AsyncGenerator<RegisterItem> {
  const kept = await opening;
  for await (const items of readDelivery(delivery, (...file) => format.readRows(...file))) {
    const rows: SourceRow[] = [];
    for (const item of 'kind' in items ? [items] : items) {
      if (item.kind === 'row') rows.push(item.row);
      else yield item;
    }
    if (rows.length > 0) await kept.add(rows);
  }
  yield* format.deriveRecords(kept, delivery);
}

/**
 * The files of a format of lines, and a reject for each member that is not such a file. Each has to be read before the
 * next.
 */
export async function* listLineFiles(delivery: Delivery): AsyncGenerator<SourceEntry | RejectItem> {
  yield* readFiles(delivery, (entry, contents) => listLineFile(entry, delivery, contents));
}

async function* listLineFile(
  given: SourceEntry,
  { format, allowEmpty }: Delivery,
  contents: Contents,
): AsyncGenerator<SourceEntry | RejectItem> {
  const look = openLook(given);
  try {
    if (given.refusal !== undefined) throw new OperatorError(`${given.name} ${given.refusal}`);
    if (!mayBeLines(await look.peek()))
      throw new OperatorError(`${given.name} is not made of lines that ${format.name} reads`);
    yield look.entry;
    contents.hasRecords ||= !look.isBlank();
    if (look.isBlank() && given.isMember === true && !allowEmpty) throw new OperatorError(`${given.name} is empty`);
  } catch (error) {
    const refused = await explain(error, look, format);
    if (given.isMember !== true) throw refused;
    yield rejectMember(refused, look, { records: 0, contents });
  } finally {
    contents.addFile(look.readBytes());
  }
}

/**
 * Whether a file may hold one record per line. A bad line costs only itself, so this is false only if none of the first
 * lines is an object and the file is of a known kind.
 */
function mayBeLines(head: Head): boolean {
  const lines = head.text.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  if (lines.some((line) => line.startsWith('{'))) return first.trim() !== '{';
  const isText = !/[\0-\x08]/.test(head.text) && !/^(?:[<[]|%PDF)/.test(head.text);
  return isText && (lines.length < 2 || recognizeHead(head).seen === 'text');
}
