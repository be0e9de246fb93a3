/** Compares the docket in a file with the service, and writes what it finds row by row. Only a window is in memory. */
import { createReadStream } from 'node:fs';
import { WINDOW_ROWS } from '@tmds/contract/docket/limits';
import { describeFinding, encodeFinding, encodeHead, type OutputFormat, Tally } from '@tmds/contract/docket/output';
import {
  type Finding,
  type FindNumbers,
  type KnownThrough,
  mapGently,
  planBatches,
  reconcileRows,
} from '@tmds/contract/docket/reconcile';
import { type Reading, readRow } from '@tmds/contract/docket/rows';
import { type DocketForm, type OpenDocket, readWindows } from '@tmds/contract/docket/survey';
import type { SearchPage, TrademarkDetail } from '@tmds/contract/record';
import { mergeCoverage, type SearchCoverage } from '@tmds/contract/search-coverage';
import type { TrademarkClient } from '../client.ts';
import type { CallOptions } from '../config.ts';
import { buildPath } from '../query.ts';
import type { Answer } from '../transport.ts';

/** Bytes read at once. */
const PORTION_BYTES = 1 << 18;

export function openFile(file: string): OpenDocket {
  return () => createReadStream(file, { highWaterMark: PORTION_BYTES });
}

/** A docket that is ready to be compared. */
export interface Docket {
  readonly open: OpenDocket;
  readonly form: DocketForm;
  readonly reading: Reading;
}

/** Up to when each register is complete. One unit. */
export async function findKnownThrough(client: TrademarkClient, options: CallOptions): Promise<KnownThrough> {
  const { items } = await client.jurisdictions(options);
  return new Map(items.map(({ jurisdiction_code: code, data_current_through: through }) => [code, through]));
}

export interface Progress {
  readonly rows: number;
  readonly calls: number;
}

/** What was compared, at what cost, and how complete the registers are that were asked. */
export interface Compared {
  readonly tally: Tally;
  readonly calls: number;
  /** Null if the service does not say. */
  readonly coverage: SearchCoverage | null;
}

/**
 * Writes a row for each row of the docket, in its order. A failure of the service ends it; the client has repeated what
 * can be repeated.
 */
export async function reconcileFile(
  { open, form, reading }: Docket,
  { client, options, knownThrough }: { client: TrademarkClient; options: CallOptions; knownThrough: KnownThrough },
  output: { readonly format: OutputFormat; readonly write: (text: string) => Promise<void> },
  onProgress: (progress: Progress) => void,
): Promise<Compared> {
  const served = new Set(knownThrough.keys());
  const tally = new Tally();
  const covered: (SearchCoverage | null)[] = [];
  let calls = 0;
  let rows = 0;
  const find: FindNumbers = async ({ register, numbers }) => {
    const found: TrademarkDetail[] = [];
    let cursor: string | null = null;
    do {
      calls += 1;
      const page: Answer<SearchPage> = await client.findNumbers(
        { jurisdiction_code: register, numbers, cursor },
        options,
      );
      found.push(...page.items);
      if (cursor === null) covered.push(page.meta.coverage);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return found;
  };
  const linkRecord = (register: string, uid: string): string => client.baseUrl + buildPath(register, 'trademarks', uid);
  const { head, mapping } = reading;
  const context = { head, mapping, linkRecord };
  await output.write(encodeHead(context, output.format));
  for await (const window of readWindows(open, form, WINDOW_ROWS)) {
    const read = await mapGently(
      window,
      (row) => row.cells,
      (row) => readRow(row, reading, served),
    );
    const findings = await reconcileRows(read, reading, find);
    const encode = (finding: Finding): string => {
      const described = describeFinding(finding, mapping, knownThrough);
      tally.add(described);
      return encodeFinding(described, finding.row.row.cells, context, output.format);
    };
    const texts = await mapGently(findings, ({ row }) => row.row.cells, encode);
    await output.write(texts.join(''));
    rows += window.length;
    onProgress({ rows, calls });
  }
  return { tally, calls, coverage: mergeCoverage(covered) };
}

/** The calls that a comparison takes, without the list of registers. Each costs a unit. */
export async function countCalls({ open, form, reading }: Docket, knownThrough: KnownThrough): Promise<number> {
  const served = new Set(knownThrough.keys());
  let calls = 0;
  for await (const window of readWindows(open, form, WINDOW_ROWS)) {
    calls += planBatches(window.map((row) => readRow(row, reading, served))).length;
  }
  return calls;
}
