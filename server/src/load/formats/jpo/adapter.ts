/**
 * The weekly set of tables of the Japanese office. A mark is joined from its rows, so the rows of a delivery are kept
 * and joined to those kept before, and every mark that a new row touches is derived again.
 */
import type { CountedRows, GroupRow, RowGroup } from '../../kept/kept.ts';
import type { ReadContext, RegisterItem, SetFormat } from '../format.ts';
import { noteSuperseded, refuseTable } from '../tables.ts';
import type { RecordItem } from '../xml-records.ts';
import { deriveDesignation } from './madrid.ts';
import { deriveNational } from './national.ts';
import { isTableFile, readTable } from './reader.ts';
import { CHAINED_PART, openRows, ROOT_PART, registrationPart } from './rows.ts';

const REGISTER = 'JP';

export const jpoFormat: SetFormat = {
  name: 'jpo',
  title: 'JPO weekly set of tables (Japan), TSV',
  register: REGISTER,
  accepts: isTableFile,
  readsFiles: false,
  rootPart: ROOT_PART,
  chainedPart: CHAINED_PART,
  ordersRows: true,
  read: refuseTable,
  readRows: readTable,
  async *deriveRecords(kept, context) {
    const waiting = openWaiting();
    const settled = await kept.settle();
    for (const rows of settled.waiting) waiting.note(rows);
    noteSuperseded(settled.superseded, context);
    for await (const group of kept.groups()) {
      let described = false;
      for (const item of deriveItems(group, REGISTER)) {
        described = true;
        yield item;
      }
      if (!described) noteUndescribed(waiting, group);
    }
    waiting.report(context);
  },
};

interface Waiting {
  note(rows: CountedRows): void;
  report(context: ReadContext): void;
}

/** One issue for each table, with one example. */
function openWaiting(): Waiting {
  const byTable = new Map<string, CountedRows>();
  return {
    note({ source_table, rows, example }) {
      const known = byTable.get(source_table);
      byTable.set(source_table, { source_table, rows: rows + (known?.rows ?? 0), example: known?.example ?? example });
    },
    report(context) {
      for (const { source_table, rows, example } of byTable.values()) {
        context.noteIssue?.({ code: 'waiting_row', path: source_table, value: example }, rows);
      }
    },
  };
}

/** Rows of an application that has no row describing it. */
function noteUndescribed(waiting: Waiting, { root, rows }: RowGroup): void {
  for (const { table, part } of rows) if (part === root) waiting.note({ source_table: table, rows: 1, example: root });
}

/** The rows of one mark of a group. */
interface MarkPart {
  /** The number of the divided right or of the split designation; empty for the application's own right. */
  suffix: string;
  rows: GroupRow[];
}

/** Splits a group of rows into its marks: an application, its divided registrations, or its Madrid designations. */
function* deriveItems(group: RowGroup, register: string): Generator<RegisterItem> {
  const number = group.root.slice(ROOT_PART.length);
  const position = `application ${number}`;
  const raw = (): string => JSON.stringify(group.rows);
  if (!/^\d{10}$/.test(number)) {
    const reason = `an application number has ten digits, not ${JSON.stringify(number.slice(0, 100))}`;
    yield { kind: 'reject', raw: raw(), reason, position };
    return;
  }
  const isDesignation = group.rows.some(({ table }) => table === 'dsgn_gvrnmnt_main_mgt_app');
  for (const { suffix, rows } of isDesignation ? splitDesignations(group.rows) : splitRights(group)) {
    const opened = openRows(rows);
    const derive = isDesignation ? deriveDesignation : deriveNational;
    const item: RecordItem | null = derive(opened, { number, suffix, register });
    if (item !== null) yield { kind: 'record', ...item, position, raw };
  }
}

const SPLIT_SIGN = 'jpo_rfr_num_split_sign_cd';

function splitDesignations(rows: readonly GroupRow[]): MarkPart[] {
  const signs = new Set(
    rows.filter(({ table }) => table === 'dsgn_gvrnmnt_main_mgt_app').map(({ cells }) => cells[SPLIT_SIGN] ?? ''),
  );
  const isOfMadrid = ({ table }: GroupRow): boolean => table.includes('gvrnmnt_');
  return [...signs].map((sign) => ({
    suffix: sign,
    rows: rows.filter((row) => !isOfMadrid(row) || (row.cells[SPLIT_SIGN] ?? '') === sign),
  }));
}

const REGISTRATION = 'reg ';

/** The application with the registration that it names, and each further registration as a separate mark. */
function splitRights({ root, rows }: RowGroup): MarkPart[] {
  const registrations = [...new Set(rows.map(({ part }) => part).filter((part) => part.startsWith(REGISTRATION)))];
  const described = registrations.filter((part) => rows.some((row) => row.part === part && row.table === 'mgt_info_t'));
  const own = findOwn(rows) ?? described.find((part) => !part.includes('/')) ?? described[0] ?? registrations[0];
  const others = described.filter((part) => part !== own);
  const without = (parts: readonly string[]): GroupRow[] => rows.filter(({ part }) => !parts.includes(part));
  return [
    { suffix: '', rows: without(others) },
    ...others.map((part) => ({
      suffix: part.split('/')[1] ?? part.slice(REGISTRATION.length),
      rows: without(registrations.filter((other) => other !== part)).filter((row) => describesDivided(row, root)),
    })),
  ];
}

/** What the application says about its own registration does not apply to a divided one. */
function describesDivided({ table, part }: GroupRow, root: string): boolean {
  return part !== root || (table !== 't_basic_item_art' && table !== 'snpn_zkn');
}

function findOwn(rows: readonly GroupRow[]): string | null {
  const named = rows.map(({ table, cells }) => {
    if (table === 'jiken_c_t') return registrationPart(cells.raz_toroku_no, cells.raz_bunkatu_no);
    return table === 't_basic_item_art' ? registrationPart(cells.reg_num, cells.split_num) : null;
  });
  return named.find((part) => part !== null) ?? null;
}
