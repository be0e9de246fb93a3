/** Sets of the Australian office for tests: an invented mark in all tables, and a set read without a database. */
import { Readable } from 'node:stream';
import type { RegisterItem } from '../../src/load/formats/format.ts';
import { ipAustraliaFormat } from '../../src/load/formats/ip-australia/adapter.ts';
import { TABLES, type TableName } from '../../src/load/formats/ip-australia/tables.ts';
import type { CountedRows, KeptRows, RowGroup, SourceRow } from '../../src/load/kept/kept.ts';
import type { Issue } from '../../src/record/document.ts';
import { checkDocument } from './document.ts';
import { takeAll } from './formats.ts';

type Cells = Readonly<Record<string, string>>;
/** Cells by column; omitted columns are blank. */
export type AustralianTables = Readonly<Partial<Record<TableName, readonly Cells[]>>>;

export const NUMBER = '2345678';
const KEY = { ip_right_type: 'trade_mark', application_number: NUMBER };

export const row = (cells: Cells = {}): Cells => ({ ...KEY, ...cells });

export const AUSTRALIAN_MARK = {
  application: [
    row({
      ip_right_sub_type: 'trade_mark',
      status: 'registered',
      application_date: '2022-03-04',
      earliest_filed_date: '2021-10-05',
      priority_date: '2021-10-06',
      gained_registration_status_date: '2022-11-12',
      gained_enforceable_status_date: '2022-11-13',
      enforceable_from_date: '2022-03-05',
      deemed_retired_date: '2032-03-04',
    }),
  ],
  party_activity: [
    row({
      ...{ party_id: '71', party_role: 'owner', party_role_category: 'applicant', party_type: 'Organisation' },
      ...{ party_name: 'Quillfern Holdings Pty Ltd', abn: '12345678901.0', country_code: 'AU', state_code: 'NSW' },
      ...{ postcode: '2000', effective_from_date: '2023-01-01', is_current: 'TRUE', is_founding: 'FALSE' },
    }),
    row({
      ...{ party_id: '70', party_role: 'applicant', party_role_category: 'applicant', party_type: 'Individual' },
      ...{ party_name: 'Ada Quill', country_code: 'NZ', effective_from_date: '2022-03-04' },
      ...{ effective_to_date: '2023-01-01', is_current: 'FALSE', is_founding: 'TRUE' },
    }),
    row({
      ...{ party_id: '72', party_role: 'agent', party_role_category: 'applicant_agent', party_type: 'Organisation' },
      ...{ party_name: 'Fern & Penn', country_code: 'AU', effective_from_date: '2022-03-04', is_current: 'TRUE' },
    }),
    row({
      ...{ party_id: '73', party_role: 'opponent', party_role_category: 'opposition', party_type: 'Organisation' },
      ...{ party_name: 'Thornbush Ltd', country_code: 'GB', effective_from_date: '2022-09-01', is_current: 'FALSE' },
    }),
  ],
  application_links: [
    row({
      ...{ link_type: 'convention', linked_application_number: '88/765,432', linked_application_country: 'US' },
      ...{ link_date: '2021-10-06' },
    }),
    row({
      ...{ link_type: 'divisional_parent', linked_application_number: '2345000', linked_application_country: 'AU' },
      ...{ link_date: '2022-02-01' },
    }),
  ],
  application_events: [
    row({
      ...{ event_type: 'registered', event_category: 'registered', event_effective_date: '2022-11-12' },
      ...{ event_declared_date: '2022-11-14', is_standing: 'TRUE' },
    }),
    row({
      ...{ event_type: 'lapsed', event_category: 'lapsed', event_effective_date: '2022-10-01' },
      ...{ event_declared_date: '2022-10-02', is_standing: 'FALSE' },
    }),
    row({
      ...{ event_type: 'published_ipr_accepted', event_category: 'publish_accepted' },
      ...{ event_effective_date: '2022-07-08', event_declared_date: '2022-07-09', is_standing: 'TRUE' },
    }),
  ],
  application_classification: [
    row({
      ...{ classification_system: 'nice', classification: '9', classification_importance: 'primary' },
      ...{ classification_inventiveness: 'unknown', classification_source: 'human', classifying_country_code: 'AU' },
      ...{ classification_date: '2022-03-04', classification_system_version: '11', is_current: 'TRUE' },
      ...{ classification_area: '9', coarse_classification_area: 'goods' },
    }),
    row({
      ...{ classification_system: 'nice', classification: '35', classification_date: '2022-03-05' },
      ...{ classification_removal_date: '2022-06-07', is_current: 'FALSE' },
    }),
  ],
  application_description: [
    row({ description_type: 'trade_mark_word_mark_phrase', description_value: 'QUILLFERN "BLUE"' }),
    row({ description_type: 'trade_mark_word', description_value: 'QUILLFERN' }),
    row({ description_type: 'trade_mark_figurative' }),
    row({ description_type: 'trade_mark_image_words', description_value: 'FERN,QUILL' }),
  ],
} as const satisfies AustralianTables;

const encode = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The files of a set, each with all columns of its table. */
export function writeAustralianSet(tables: AustralianTables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => {
      const columns = TABLES.get(table)?.all ?? [];
      const lines = rows.map((cells) => columns.map((column) => encode(cells[column] ?? '')).join(','));
      return [`${table}.csv`, `${[columns.join(','), ...lines].join('\n')}\n`];
    }),
  );
}

/** What a load reads from these files. Issues of the set follow the records'. */
export async function readAustralianSet(
  files: Readonly<Record<string, string>>,
  loadId = 'load',
): Promise<{ items: RegisterItem[]; issues: Issue[]; periods: string[] }> {
  const rows = new Map<string, SourceRow>();
  const superseded: CountedRows[] = [];
  const issues: Issue[] = [];
  const periods: string[] = [];
  const items: RegisterItem[] = [];
  const context = {
    register: null,
    loadId,
    noteIssue: (issue: Issue) => void issues.push(issue),
    notePeriod: (label: string) => void periods.push(label),
  };
  for (const [name, text] of Object.entries(files)) {
    const entry = { name, stream: Readable.from([Buffer.from(text)]) };
    for (const item of (await takeAll(ipAustraliaFormat.readRows(entry, context))).flat()) {
      if (item.kind !== 'row') {
        items.push(item);
        continue;
      }
      const { table, key } = item.row;
      const place = `${table} ${key}`;
      if (rows.has(place)) superseded.push({ source_table: table, rows: 1, example: key });
      rows.set(place, item.row);
    }
  }
  const kept: KeptRows = {
    add: async () => {},
    settle: async () => ({ waiting: [], superseded }),
    async *groups() {
      const groups = new Map<string, RowGroup>();
      for (const { table, part, removed, version, body } of rows.values()) {
        const root = part ?? '';
        const group = groups.get(root) ?? { root, rows: [] };
        group.rows.push({ table, part: root, removed, version, cells: JSON.parse(body) });
        groups.set(root, group);
      }
      yield* [...groups.values()].sort((one, other) => (one.root < other.root ? -1 : 1));
    },
  };
  items.push(...(await takeAll(ipAustraliaFormat.deriveRecords(kept, context))));
  for (const item of items) {
    if (item.kind !== 'record') continue;
    checkDocument(item.record);
    issues.push(...item.issues);
  }
  return { items, issues, periods };
}
