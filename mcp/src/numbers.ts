/** Tools that take numbers as people hold them: finding their records, and comparing a short docket with them. */
import type { SearchCoverage, TrademarkDetail } from '@tmds/client';
import { DOCKET_FIELDS, type DocketField } from '@tmds/contract/docket/fields';
import { RecordsByNumber } from '@tmds/contract/docket/match';
import { describeFinding } from '@tmds/contract/docket/output';
import { type KnownThrough, reconcileRows } from '@tmds/contract/docket/reconcile';
import { type DocketRow, type Reading, readRow } from '@tmds/contract/docket/rows';
import { JURISDICTIONS_MAX } from '@tmds/contract/limits';
import { mergeCoverage } from '@tmds/contract/search-coverage';
import * as z from 'zod';
import { anyRecordSchema, registerInput } from './schemas.ts';
import { defineTool, type ToolCalls } from './tool.ts';

const NUMBERS_MAX = 50;
const ROWS_MAX = 50;
/** Pages of one register; numbers are reused, so a list may have many records. */
const PAGES_MAX = 4;

const numberInput = z.string().min(1).max(100);

interface WantedNumber {
  readonly jurisdiction_code: string;
  readonly number: string;
}

/** The records of a list of numbers, with what they cost and covered. */
class Lookup {
  units = 0;
  readonly found: TrademarkDetail[] = [];
  /** Whether more records have these numbers than were read. */
  isCut = false;
  private readonly covered: (SearchCoverage | null)[] = [];
  private readonly calls: ToolCalls;

  constructor(calls: ToolCalls) {
    this.calls = calls;
  }

  get coverage(): SearchCoverage | null {
    return mergeCoverage(this.covered);
  }

  /** In one call for as many registers as it takes. */
  async findAll(wanted: readonly WantedNumber[]): Promise<void> {
    const registers = [...new Set(wanted.map(({ jurisdiction_code: code }) => code))];
    for (let from = 0; from < registers.length; from += JURISDICTIONS_MAX) {
      const part = new Set(registers.slice(from, from + JURISDICTIONS_MAX));
      await this.findOf(wanted.filter(({ jurisdiction_code: code }) => part.has(code)));
    }
  }

  private async findOf(numbers: readonly WantedNumber[]): Promise<void> {
    const { client, signal } = this.calls;
    let cursor: string | null = null;
    for (let pages = 0; pages === 0 || (cursor !== null && pages < PAGES_MAX); pages += 1) {
      const page: Awaited<ReturnType<typeof client.many.findNumbers>> = await client.many.findNumbers(
        { numbers, cursor },
        { signal },
      );
      this.units += 1;
      if (pages === 0) this.covered.push(page.meta.coverage);
      this.found.push(...page.items);
      cursor = page.next_cursor;
    }
    if (cursor !== null) this.isCut = true;
  }
}

function listWanted(rows: readonly DocketRow[]): WantedNumber[] {
  return rows.flatMap(({ register, numbers }) =>
    register === null ? [] : numbers.map(({ text }) => ({ jurisdiction_code: register, number: text })),
  );
}

/** `US:97123456`, or a number alone. */
const IN_REGISTER = /^([A-Za-z0-9]{1,5}):(.+)$/;

export const numbersTool = defineTool({
  name: 'resolve_numbers',
  title: 'Records by their numbers',
  description:
    'Finds the records of application, registration or Madrid numbers, in any usual spelling, of one register or of ' +
    'several. A number may have several records, because offices reuse numbers, or none.',
  price: `one unit for up to 500 records of up to ${NUMBERS_MAX} numbers.`,
  input: {
    jurisdiction_code: registerInput.optional().describe('The register of numbers that do not name one.'),
    numbers: z.array(numberInput.describe('97123456, or with its register US:97123456.')).min(1).max(NUMBERS_MAX),
  },
  output: {
    items: z.array(
      z.looseObject({
        number: z.string(),
        jurisdiction_code: z.string().nullable(),
        fault: z.string().nullable(),
        records: z.array(anyRecordSchema),
      }),
    ),
    more_exist: z.boolean().describe('Whether more records have these numbers than were read.'),
  },
  run: async ({ jurisdiction_code: common = '', numbers }, calls) => {
    const rows = numbers.map((text, index) => {
      const [, code = common, number = text] = IN_REGISTER.exec(text) ?? [];
      const register = code === '' ? null : code.toUpperCase();
      const reading: Reading = { head: ['number'], mapping: { number: 0 }, register, dayOrders: {} };
      return readRow({ line: index + 1, cells: [number] }, reading, new Set(register === null ? [] : [register]));
    });
    const lookup = new Lookup(calls);
    const byNumber = new RecordsByNumber();
    await lookup.findAll(listWanted(rows.filter(({ fault }) => fault === null)));
    for (const record of lookup.found) byNumber.add(record);
    const items = rows.map((row, index) => ({
      number: numbers[index] ?? '',
      jurisdiction_code: row.register,
      fault: row.fault,
      records: row.fault === null ? byNumber.find(row) : [],
    }));
    return {
      fields: { items, more_exist: lookup.isCut },
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
  price: 'one unit, and one for the numbers of up to 20 registers among the rows.',
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
    await lookup.findAll(listWanted(read.filter(({ fault }) => fault === null)));
    const findings = await reconcileRows(read, reading, async ({ register }) =>
      lookup.found.filter(({ jurisdiction_code: code }) => code === register),
    );
    const described = findings.map((finding) => describeFinding(finding, mapping, knownThrough));
    return { fields: { rows: described }, coverage: lookup.coverage, units: lookup.units + 1 };
  },
});
