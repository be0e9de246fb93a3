/** Tools that take numbers as people hold them: finding their records, and comparing a short docket with them. */
import type { SearchCoverage, TrademarkDetail } from '@tmds/client';
import { DOCKET_FIELDS, type DocketField } from '@tmds/contract/docket/fields';
import { RecordsByNumber } from '@tmds/contract/docket/match';
import { describeFinding } from '@tmds/contract/docket/output';
import { type FindNumbers, type KnownThrough, reconcileRows } from '@tmds/contract/docket/reconcile';
import { type Reading, readRow } from '@tmds/contract/docket/rows';
import { mergeCoverage } from '@tmds/contract/search-coverage';
import * as z from 'zod';
import { anyRecordSchema, registerInput } from './schemas.ts';
import { defineTool, type ToolCalls } from './tool.ts';

const NUMBERS_MAX = 50;
const ROWS_MAX = 50;
/** Pages of one register; numbers are reused, so a list may have many records. */
const PAGES_MAX = 4;

const numberInput = z.string().min(1).max(100);

/** The calls of a tool that makes several, with what they cost and covered. */
class Lookup {
  units = 0;
  readonly found: TrademarkDetail[] = [];
  /** Registers of which more records have these numbers than were read. */
  readonly cut = new Set<string>();
  private readonly covered: (SearchCoverage | null)[] = [];
  private readonly calls: ToolCalls;

  constructor(calls: ToolCalls) {
    this.calls = calls;
  }

  get coverage(): SearchCoverage | null {
    return mergeCoverage(this.covered);
  }

  readonly find: FindNumbers = async ({ register, numbers }) => {
    const { client, signal } = this.calls;
    const found: TrademarkDetail[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages === 0 || (cursor !== null && pages < PAGES_MAX); pages += 1) {
      const page: Awaited<ReturnType<typeof client.findNumbers>> = await client.findNumbers(
        { jurisdiction_code: register, numbers, cursor },
        { signal },
      );
      this.units += 1;
      if (pages === 0) this.covered.push(page.meta.coverage);
      found.push(...page.items);
      cursor = page.next_cursor;
    }
    if (cursor !== null) this.cut.add(register);
    this.found.push(...found);
    return found;
  };
}

export const numbersTool = defineTool({
  name: 'resolve_numbers',
  title: 'Records by their numbers',
  description:
    'Finds the records of application, registration or Madrid numbers of one register, in any usual spelling. A ' +
    'number may have several records, because offices reuse numbers, or none.',
  price: `one unit for up to 500 records of up to ${NUMBERS_MAX} numbers.`,
  input: {
    jurisdiction_code: registerInput,
    numbers: z.array(numberInput).min(1).max(NUMBERS_MAX),
  },
  output: {
    items: z.array(
      z.looseObject({ number: z.string(), fault: z.string().nullable(), records: z.array(anyRecordSchema) }),
    ),
    more_exist: z.boolean().describe('Whether more records have these numbers than were read.'),
  },
  run: async ({ jurisdiction_code, numbers }, calls) => {
    const register = jurisdiction_code.toUpperCase();
    const reading: Reading = { head: ['number'], mapping: { number: 0 }, register, dayOrders: {} };
    const rows = numbers.map((number, index) =>
      readRow({ line: index + 1, cells: [number] }, reading, new Set([register])),
    );
    const lookup = new Lookup(calls);
    const wanted = rows.flatMap((row) => row.numbers.map(({ text }) => text));
    const byNumber = new RecordsByNumber();
    if (wanted.length > 0) await lookup.find({ register, numbers: wanted });
    for (const record of lookup.found) byNumber.add(record);
    const items = rows.map((row, index) => ({
      number: numbers[index] ?? '',
      fault: row.fault,
      records: row.fault === null ? byNumber.find(row) : [],
    }));
    return {
      fields: { items, more_exist: lookup.cut.size > 0 },
      coverage: lookup.coverage,
      units: lookup.units,
    };
  },
});

const FIELDS = Object.keys(DOCKET_FIELDS) as DocketField[];
const rowInputs = Object.fromEntries(
  FIELDS.map((field) => [field, z.string().max(1_000).optional().describe(DOCKET_FIELDS[field])]),
) as Record<DocketField, z.ZodOptional<z.ZodString>>;

export const reconcileTool = defineTool({
  name: 'reconcile_docket',
  title: 'Compare a short docket',
  description:
    'Compares rows of a docket with the registers: each row is found, different (with your value and the one of the ' +
    'register), not_found, ambiguous or invalid. A row needs a register and a number. Dates as YYYY-MM-DD.',
  price: 'one unit, and one for each register among the rows.',
  input: { rows: z.array(z.strictObject(rowInputs)).min(1).max(ROWS_MAX) },
  output: {
    rows: z.array(
      z.looseObject({
        line: z.number().describe('Position of the row, from 1.'),
        result: z.string(),
        reason: z.string().nullable(),
        jurisdiction_code: z.string().nullable(),
        uid: z.string().nullable(),
        known_through: z.string().nullable(),
        differences: z.array(z.looseObject({ field: z.string(), yours: z.string(), register: z.string().nullable() })),
        not_compared: z.array(z.looseObject({ field: z.string(), reason: z.string() })),
      }),
    ),
  },
  run: async ({ rows }, calls) => {
    const { client, signal } = calls;
    const { items } = await client.jurisdictions({ signal });
    const knownThrough: KnownThrough = new Map(
      items.map(({ jurisdiction_code: code, data_current_through: through }) => [code, through]),
    );
    const used = FIELDS.filter((field) => rows.some((row) => row[field] !== undefined));
    const mapping = Object.fromEntries(used.map((field, position) => [field, position]));
    const reading: Reading = { head: used, mapping, register: null, dayOrders: {} };
    const served = new Set(knownThrough.keys());
    const read = rows.map((row, index) =>
      readRow({ line: index + 1, cells: used.map((field) => row[field] ?? '') }, reading, served),
    );
    const lookup = new Lookup(calls);
    const findings = await reconcileRows(read, reading, lookup.find);
    const described = findings.map((finding) => describeFinding(finding, mapping, knownThrough));
    return { fields: { rows: described }, coverage: lookup.coverage, units: lookup.units + 1 };
  },
});
