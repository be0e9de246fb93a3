/**
 * The columns of an exported search for people: those of the table of results first, with heads in words, then
 * everything else that a record states, then links. Names are written as the source spells them where the record has
 * its document, and otherwise as the API has them.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { normalizeName } from '@tmds/contract/text';
import { titleOfField } from '../frame/field-names.ts';
import { Members, textOf } from '../frame/payload-reader.ts';
import { registerName } from '../frame/registers.ts';
import { SEARCHED_AS } from '../record/names.ts';
import { findOfficePage } from '../record/offices.ts';
import type { SheetCell } from '../spreadsheet/excel.ts';

/** The address of the page of a record. */
export type LinkRecord = (record: TrademarkDetail) => string;

interface ExportColumn {
  readonly head: string;
  readonly width: number;
  /** A date is `{ day }`. */
  readonly cell: (record: TrademarkDetail, linkRecord: LinkRecord) => SheetCell;
}

type FieldOf<Value> = {
  [Field in keyof TrademarkDetail]-?: NonNullable<TrademarkDetail[Field]> extends Value ? Field : never;
}[keyof TrademarkDetail];

const text = (field: FieldOf<string>, head = titleOfField(field), width = 18): ExportColumn => ({
  head,
  width,
  cell: (record) => record[field] ?? null,
});

const list = (field: FieldOf<readonly (string | number)[]>, head = titleOfField(field)): ExportColumn => ({
  head,
  width: 20,
  cell: (record) => record[field]?.join('; ') ?? null,
});

const codes = (field: FieldOf<readonly string[]>, head = titleOfField(field)): ExportColumn => ({
  head,
  width: 20,
  cell: (record) => record[field]?.map(registerName).join('; ') ?? null,
});

/** Instants are days too: people do not need their microseconds. */
const day = (field: FieldOf<string>, head = titleOfField(field)): ExportColumn => ({
  head,
  width: 14,
  cell: (record) => {
    const value = record[field];
    return value === null || value === undefined ? null : { day: value.slice(0, 10) };
  },
});

const names = (field: 'owner_names' | 'representative_names', head = titleOfField(field)): ExportColumn => ({
  head,
  width: 36,
  cell: (record) => spellNames(record, field)?.join('; ') ?? null,
});

export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  text('mark_name', 'Mark', 36),
  { head: 'Register', width: 18, cell: ({ jurisdiction_code: code }) => registerName(code) },
  {
    head: 'Number',
    width: 18,
    cell: (record) => record.application_number ?? record.registration_number ?? record.uid,
  },
  text('status', 'Status', 12),
  list('nice_classes', 'Classes'),
  names('owner_names'),
  day('application_date', 'Filed'),
  day('registration_date', 'Registered'),
  day('expiry_date', 'Expires'),
  day('updated_at', 'Changed'),
  text('application_number'),
  text('registration_number'),
  text('tm5_status', undefined, 30),
  day('status_date', 'Status since'),
  text('kind_of_mark', 'Kind'),
  text('mark_feature', 'Feature'),
  {
    head: 'Office',
    width: 18,
    cell: ({ office }) => (office === null ? null : registerName(office)),
  },
  codes('owner_countries'),
  names('representative_names'),
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
  {
    head: 'Record',
    width: 14,
    cell: (record, linkRecord) => ({ text: 'Open record', href: linkRecord(record) }),
  },
  {
    head: 'Office page',
    width: 18,
    cell: (record) => {
      const page = findOfficePage(record);
      return page === null ? null : { text: page.name, href: page.address };
    },
  },
];

/** The names of a side in the order of the record, each as its document spells it, if the record has one. */
function spellNames(record: TrademarkDetail, field: 'owner_names' | 'representative_names'): readonly string[] | null {
  const held = record[field];
  if (held === null || record.payload === undefined) return held;
  const side = field === 'owner_names' ? 'owner_name' : 'representative_name';
  const spelled = new Map<string, string>();
  for (const stated of new Members(record.payload).list('parties')) {
    const party = new Members(stated);
    if (SEARCHED_AS.get(party.text('role') ?? '') !== side || party.any('current') === false) continue;
    for (const name of party.list('names')) {
      const written = new Members(name).text('text') ?? textOf(name);
      if (written === null) continue;
      const normal = normalizeName(written);
      if (!spelled.has(normal)) spelled.set(normal, written);
    }
  }
  return held.map((name) => spelled.get(name) ?? name);
}
