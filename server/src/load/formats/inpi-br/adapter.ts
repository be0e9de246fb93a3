/**
 * The weekly journal of the Brazilian office (`revista`), and single processes (`processo`). Neither states a whole
 * mark, only what was published in a week: statements are kept and ordered by journal (`statements.ts`).
 */
import type { Issue } from '../../../record/document.ts';
import { labelNumber } from '../../../store/sync/source-files.ts';
import type { SourceEntry } from '../../sources/files.ts';
import type { IssueCode, ReadContext, RegisterItem, SetFormat, SetItem } from '../format.ts';
import { isXmlName, readXmlRecords } from '../xml-records.ts';
import { readProcess } from './record.ts';
import { buildStatementRow, CHAINED_PART, deriveProcess, ROOT_PART } from './statements.ts';
import { type Journal, listOtherAttributes, OFFICE, readJournal } from './values.ts';

const JOURNAL = 'revista';
const PROCESS = 'processo';
/** Bounds on what is kept at once. */
const ROWS_MAX = 500;
const LENGTH_MAX = 4 * 1024 * 1024;

export const inpiBrFormat: SetFormat = {
  name: 'inpi-br',
  title: 'INPI weekly journal of marks and single processes (Brazil), XML',
  register: OFFICE,
  accepts: isXmlName,
  rootPart: ROOT_PART,
  chainedPart: CHAINED_PART,
  // Statements are never replaced; they are put in order by the days of their journals.
  ordersRows: false,
  async *read(entry, context) {
    for await (const { item } of readEntry(entry, context)) yield item;
  },
  readsFiles: true,
  async *readRows(entry, context) {
    const { loadId = '', startedAt = '', fileNumber = 0 } = context;
    let items: SetItem[] = [];
    let length = 0;
    let count = 0;
    for await (const { item, journal } of readEntry(entry, context)) {
      context.noteContent?.();
      if (item.kind === 'reject') {
        yield [item];
        continue;
      }
      noteStrays(item.issues, context);
      count += 1;
      const place = `${String(fileNumber).padStart(8, '0')} ${String(count).padStart(12, '0')}`;
      const source = String(item.raw?.());
      const number = item.record.application_number ?? '';
      const { position } = item;
      const firstKept = `${startedAt} ${place}`;
      items.push({
        kind: 'row',
        row: buildStatementRow({ number, journal, loadId, place, firstKept, position, source }),
      });
      length += source.length;
      if (items.length < ROWS_MAX && length < LENGTH_MAX) continue;
      yield items;
      items = [];
      length = 0;
    }
    if (items.length > 0) yield items;
  },
  async *deriveRecords(kept, { loadId = '', register }) {
    await kept.settle();
    for await (const group of kept.groups()) yield* deriveProcess(group, loadId, register ?? OFFICE);
  },
};

/** Elements next to the processes. Issues of a process are raised again when it is derived. */
function noteStrays(issues: readonly Issue[], context: ReadContext): void {
  for (const issue of issues) if (issue.path.startsWith(`${JOURNAL}/`)) context.noteIssue?.(issue, 1);
}

interface JournalItem {
  item: RegisterItem;
  journal: Journal | null;
}

async function* readEntry(entry: SourceEntry, context: ReadContext): AsyncGenerator<JournalItem> {
  let journal: Journal | null = null;
  const frame: Parameters<typeof readXmlRecords>[1] = {
    title: inpiBrFormat.title,
    roots: [JOURNAL, PROCESS],
    envelope: [JOURNAL],
    open: () => ({
      elements: { [PROCESS]: (node) => readProcess(node, journal, context.register ?? OFFICE) },
      checkRoot(root) {
        if (root.name !== JOURNAL) return;
        journal = readJournal(root, entry.name);
        // A journal states its whole week.
        context.noteFrontier?.(`${journal.date}T00:00:00.000000Z`);
        context.notePeriod?.(labelNumber(Number(journal.number)));
        const code: IssueCode = 'unknown_element';
        for (const name of listOtherAttributes(root)) {
          context.noteIssue?.({ code, path: `${JOURNAL}@${name}`, value: root.attributes[name] ?? '' }, 1);
        }
      },
    }),
  };
  for await (const item of readXmlRecords(entry, frame, context)) {
    if (item.kind !== 'supplement') yield { item, journal };
  }
}
