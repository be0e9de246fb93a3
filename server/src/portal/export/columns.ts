/**
 * The columns of an exported search for people: those of the table of results first, with heads in words, then
 * everything else that a record states, then links; or, if a person chose the columns of the table, just those and the
 * links. Names are written as the source spells them where the record has its document, and otherwise as the API has
 * them.
 */

import type { TrademarkDetail } from '@tmds/contract/record';
import { DEFAULT_COLUMNS, listGoods } from '../explorer/record-table.ts';
import { spellNames } from '../frame/party-names.ts';
import { registerName } from '../frame/registers.ts';
import { titleOfField } from '../frame/wording.ts';
import { findOfficePage } from '../record/offices.ts';
import { columnsOf, dayCell, type FileColumn, type SharedColumn, shareWith } from '../spreadsheet/excel.ts';

export interface ExportedRecords {
  readonly linkRecord: (record: TrademarkDetail) => string;
  readonly languages: readonly string[];
}

type ExportColumn = SharedColumn<TrademarkDetail, ExportedRecords>;
const column = columnsOf<TrademarkDetail, ExportedRecords>();

type FieldOf<Value> = {
  [Field in keyof TrademarkDetail]-?: NonNullable<TrademarkDetail[Field]> extends Value ? Field : never;
}[keyof TrademarkDetail];

const text = (field: FieldOf<string>, head = titleOfField(field), width = 18): ExportColumn =>
  column(head, width, (record) => record[field] ?? null);

const list = (field: FieldOf<readonly (string | number)[]>, head = titleOfField(field)): ExportColumn =>
  column(head, 20, (record) => record[field]?.join('; ') ?? null);

const codes = (field: FieldOf<readonly string[]>, head = titleOfField(field)): ExportColumn =>
  column(head, 20, (record) => record[field]?.map(registerName).join('; ') ?? null);

/** Instants are days too: people do not need their microseconds. */
const day = (field: FieldOf<string>, head = titleOfField(field)): ExportColumn =>
  column(head, 14, (record) => dayCell(record[field] ?? null));

const names = (field: 'owner_names' | 'representative_names', head = titleOfField(field)): ExportColumn =>
  column(head, 36, (record) => spellNames(record, field)?.join('; ') ?? null);

const MARK = text('mark_name', 'Mark', 36);

/** The columns of the table, by their names there. A picture is no cell. */
const OF_TABLE: Readonly<Record<string, ExportColumn>> = {
  register: column('Register', 18, ({ jurisdiction_code: code }) => registerName(code)),
  office: column('Office', 18, ({ office }) => (office === null ? null : registerName(office))),
  number: column('Number', 18, (record) => record.application_number ?? record.registration_number ?? record.uid),
  status: text('status', 'Status', 12),
  kind: text('kind_of_mark', 'Kind'),
  feature: text('mark_feature', 'Feature'),
  classes: list('nice_classes', 'Classes'),
  goods: column('Goods', 60, ({ payload }, { languages }) =>
    listGoods(payload, languages)
      .map(({ text: goods }) => goods)
      .join('\n'),
  ),
  owner: names('owner_names'),
  representative: names('representative_names'),
  filed: day('application_date', 'Filed'),
  registered: day('registration_date', 'Registered'),
  expires: day('expiry_date', 'Expires'),
  changed: day('updated_at', 'Changed'),
};

const pick = (...columns: readonly string[]): ExportColumn[] => columns.flatMap((name) => OF_TABLE[name] ?? []);

const LINKS: readonly ExportColumn[] = [
  column('Record', 14, (record, { linkRecord }) => ({ text: 'Open record', href: linkRecord(record) })),
  column('Office page', 18, (record) => {
    const page = findOfficePage(record);
    return page === null ? null : { text: page.name, href: page.address };
  }),
];

const EVERYTHING: readonly ExportColumn[] = [
  MARK,
  ...pick(...DEFAULT_COLUMNS, 'expires', 'changed'),
  text('application_number'),
  text('registration_number'),
  text('tm5_status', undefined, 30),
  day('status_date', 'Status since'),
  ...pick('kind', 'feature', 'office'),
  codes('owner_countries'),
  ...pick('representative'),
  day('publication_date', 'Published'),
  day('opposition_period_end', 'Opposition period ends'),
  day('renewal_date', 'Last renewal'),
  day('termination_date', 'Ended'),
  day('external_update_date'),
  list('vienna_codes'),
  list('international_registration_numbers'),
  list('priority_numbers'),
  codes('designated_countries'),
  day('record_update_date', 'Batch of this service'),
  day('first_seen_at', 'First seen'),
  text('jurisdiction_code', 'Register code', 8),
  text('uid', 'Record id', 24),
  ...LINKS,
];

/** `chosen`: names of columns of the table; null for everything. */
export function listExportColumns(
  chosen: readonly string[] | null,
  exported: ExportedRecords,
): FileColumn<TrademarkDetail>[] {
  const columns = chosen === null ? EVERYTHING : [MARK, ...pick(...chosen), ...LINKS];
  return shareWith(columns, exported);
}
