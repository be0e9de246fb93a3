/**
 * The comparisons that are under way in this process. Each continues part by part after the page that started it was
 * answered. The findings of a part are stored with it, so that an interrupted comparison continues where it ended and
 * pays twice only for the current part. Calls are those of the chosen key, judged and metered like a program's.
 *
 * A part is also compared with what is remembered of the customer's dockets, and remembered in turn. A row is
 * recognized by its register and first number, so the name of the file and the order of its rows may change. What is
 * kept are digests, keyed by a secret of the customer: no number can be read or tried out without it.
 */

import { createHmac } from 'node:crypto';
import { NUMBER_COLUMNS } from '@tmds/contract/docket/fields';
import { type DescribedFinding, describeFinding, Tally } from '@tmds/contract/docket/output';
import { type Finding, type FindNumbers, mapGently, reconcileRows } from '@tmds/contract/docket/reconcile';
import { type Reading, readRow } from '@tmds/contract/docket/rows';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Transaction } from '../../database/driver/db.ts';
import {
  listRemembered,
  lockMemory,
  type NewRemembered,
  type RememberedRow,
  rememberRows,
} from '../../store/accounts/docket-memory.ts';
import {
  addPartUnits,
  findOpenPart,
  finishPart,
  keepDocket,
  leaveDocket,
  lockDocket,
  type NewMark,
  notePrevious,
  type OpenPart,
  putMarks,
} from '../../store/accounts/dockets.ts';
import { readRefusal } from '../explorer/ask.ts';
import { costsUnit } from '../explorer/remembered-answers.ts';
import { encodePairs } from '../explorer/search-pairs.ts';
import type { ApiAnswer, PortalServices } from '../services.ts';
import { type Docket, type KeptFinding, packFindings, type Since, unpackRows } from './results.ts';

/** How long a docket stays with a process that died. */
export const LEASE_SECONDS = 120;
/** How many times a comparison waits for the rate limit of a key, a minute each time, before it stops. */
const RATE_WAITS_MAX = 10;
const RATE_WAIT_MAX_MS = 60_000;

export interface Comparisons {
  start(docket: Docket, keyId: string): void;
  /** Ends every comparison after its current call. */
  close(): Promise<void>;
}

class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`refused: ${code}`);
    this.code = code;
  }
}

export function buildComparisons(services: PortalServices): Comparisons {
  const underWay = new Set<Promise<void>>();
  const stop = new AbortController();
  return {
    start: (docket, keyId) => {
      const run = compare(docket, keyId, services, stop.signal).finally(() => underWay.delete(run));
      underWay.add(run);
    },
    close: async () => {
      stop.abort(new Error('the server stops'));
      await Promise.allSettled(underWay);
    },
  };
}

/** Never rejects. */
async function compare(docket: Docket, keyId: string, services: PortalServices, signal: AbortSignal): Promise<void> {
  const { database, log } = services;
  const { docket_id: docketId } = docket;
  let failure: string | null = null;
  try {
    for (;;) {
      const part = await findOpenPart(database, docketId);
      if (part === null) break;
      await comparePart(part, docket, keyId, services, signal);
    }
  } catch (error) {
    if (error instanceof Refused) failure = error.code;
    else if (!signal.aborted) {
      failure = 'internal_error';
      log.error({ err: error, docket_id: docketId }, 'a comparison failed');
    }
  }
  await leaveDocket(database, docketId, failure).catch((error: unknown) =>
    log.warn({ err: error, docket_id: docketId }, 'a docket stays taken until its lease ends'),
  );
}

async function comparePart(
  { number, cells }: OpenPart,
  docket: Docket,
  keyId: string,
  services: PortalServices,
  signal: AbortSignal,
): Promise<void> {
  const { database } = services;
  const { docket_id: docketId, reading, known_through: known } = docket;
  if (reading === null) throw new Error('the docket has no reading');
  const knownThrough = new Map(Object.entries(known ?? {}));
  const served = new Set(knownThrough.keys());
  const find: FindNumbers = async ({ register, numbers }) => {
    const found: TrademarkDetail[] = [];
    let cursor: string | null = null;
    do {
      signal.throwIfAborted();
      if (!(await keepDocket(database, docketId, LEASE_SECONDS))) throw new Refused('deleted');
      const pairs = [['numbers', numbers.join(',')], ...(cursor === null ? [] : [['cursor', cursor]])] as [
        string,
        string,
      ][];
      const target = `/v1/${encodeURIComponent(register)}/numbers${encodePairs(pairs)}`;
      const answer = await callPatiently(keyId, target, services, signal);
      if (costsUnit(answer.status)) await addPartUnits(database, docketId, number, 1);
      const refusal = readRefusal(answer);
      if (refusal !== null) throw new Refused(refusal.code);
      const page = answer.body as { items: TrademarkDetail[]; next_cursor: string | null };
      found.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return found;
  };
  const rows = await mapGently(
    await unpackRows(cells),
    (row) => row.cells,
    (row) => readRow(row, reading, served),
  );
  const findings = await reconcileRows(rows, reading, find);
  const tally = new Tally();
  const describe = (finding: Finding) => {
    const one = describeFinding(finding, reading.mapping, knownThrough);
    tally.add(one);
    return one;
  };
  const described = await mapGently(findings, ({ row }) => row.row.cells, describe);
  await database.transaction(async (tx) => {
    const { kept, counts } = await rememberPart(tx, docket, { number, findings, described });
    const packed = await packFindings(kept);
    await finishPart(tx, docketId, { number, findings: packed, counts: { ...tally.counts, ...counts } });
  });
}

/** Waits out the rate limit of the key, which programs share with the portal. */
async function callPatiently(
  keyId: string,
  target: string,
  { callApi, clock }: PortalServices,
  signal: AbortSignal,
): Promise<ApiAnswer> {
  for (let waits = 0; ; waits += 1) {
    const answer = await callApi(keyId, target);
    if (readRefusal(answer)?.code !== 'rate_limited' || waits >= RATE_WAITS_MAX) return answer;
    const seconds = Number(answer.headers['retry-after'] ?? '1');
    await clock.sleep(Math.min(RATE_WAIT_MAX_MS, Math.max(1, seconds) * 1000), signal);
  }
}

/** Bytes of a digest: enough that no two rows of a customer have the same. */
const DIGEST_BYTES = 16;

interface ComparedPart {
  readonly number: number;
  readonly findings: readonly Finding[];
  readonly described: readonly DescribedFinding[];
}

interface RememberedPart {
  readonly kept: readonly KeptFinding[];
  /** Rows that were remembered, and rows that differ from the last time. */
  readonly counts: { readonly known: number; readonly changed: number };
}

type Remembering = Pick<Docket, 'docket_id' | 'customer_id' | 'remembers' | 'reading'>;

async function rememberPart(tx: Transaction, docket: Remembering, part: ComparedPart): Promise<RememberedPart> {
  const { docket_id: docketId, customer_id: customerId, reading } = docket;
  const secret = docket.remembers ? await lockMemory(tx, customerId) : null;
  if (!(await lockDocket(tx, docketId))) throw new Refused('deleted');
  if (secret === null || reading === null) return { kept: part.described, counts: { known: 0, changed: 0 } };
  const rows = await digestRows(part, reading, secret);
  const held = new Map(
    (
      await listRemembered(
        tx,
        customerId,
        rows.map(({ row }) => row),
      )
    ).map((one) => [one.row_digest.toString('base64url'), one]),
  );
  const marks: NewMark[] = [];
  const remembered: NewRemembered[] = [];
  const previous = new Map<string, number>();
  let changed = 0;
  const kept = rows.map(({ row, content, finding }): KeptFinding => {
    const name = row.toString('base64url');
    const last = held.get(name);
    const since = compareWithLast(last, docketId, content, finding);
    if (last !== undefined) previous.set(last.docket_id, (previous.get(last.docket_id) ?? 0) + 1);
    if (since !== null) changed += 1;
    // What was done about a finding says nothing about another one; a note does.
    const state = since === null || since.kind === 'updated' ? (last?.state ?? null) : null;
    const note = last?.note ?? null;
    const { line, result } = finding;
    remembered.push({ row_digest: row, result, finding_digest: content, state, note });
    if (state !== null || note !== null) marks.push({ line, part: part.number, result, state, note });
    return { ...finding, memory: { row: name, since } };
  });
  await rememberRows(tx, customerId, docketId, remembered);
  if (marks.length > 0) await putMarks(tx, docketId, marks, CARRIED, false);
  previous.delete(docketId);
  const [most] = [...previous].sort(([, one], [, other]) => other - one);
  if (most !== undefined) await notePrevious(tx, docketId, most[0]);
  return { kept, counts: { known: held.size, changed } };
}

/** In the place of the person, for marks of an earlier docket. */
export const CARRIED = 'earlier docket';

function compareWithLast(
  last: RememberedRow | undefined,
  docketId: string,
  content: Buffer,
  { updated_at: updatedAt }: DescribedFinding,
): Since | null {
  if (last === undefined) return { kind: 'new', was: null, at: null };
  // The docket has the row twice, in two parts.
  if (last.docket_id === docketId) return null;
  const { result, seen_at: at } = last;
  if (!last.finding_digest.equals(content)) return { kind: 'changed', was: result as Since['was'], at };
  return updatedAt !== null && updatedAt > at ? { kind: 'updated', was: null, at } : null;
}

interface DigestedRow {
  readonly row: Buffer;
  readonly content: Buffer;
  readonly finding: DescribedFinding;
}

async function digestRows(
  { findings, described }: ComparedPart,
  { mapping }: Reading,
  secret: Buffer,
): Promise<DigestedRow[]> {
  const digest = (kind: string, value: unknown): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, value]))
      .digest()
      .subarray(0, DIGEST_BYTES);
  const seen = new Map<string, number>();
  return mapGently(
    findings.map((finding, at) => ({ finding, one: described[at]! })),
    ({ finding }) => finding.row.row.cells,
    ({ finding, one }) => {
      const identity = JSON.stringify(identify(finding, mapping));
      // A row that the part has several times is as many rows.
      const times = (seen.get(identity) ?? 0) + 1;
      seen.set(identity, times);
      const { result, uid, candidates, differences } = one;
      const said = differences.map(({ field, yours, register }) => [field, yours, register]);
      const content = digest('finding', [result, uid, candidates.map((candidate) => candidate.uid), said]);
      return { row: digest('row', [identity, times]), content, finding: one };
    },
  );
}

/** The register and the first number; of a row without a number that can be searched for, its cells. */
function identify({ row: { register, numbers, row } }: Finding, mapping: Reading['mapping']): readonly string[] {
  const [number] = numbers;
  if (number !== undefined) {
    const bare = number.forms.map((form) => form.replace(/[^\p{L}\p{N}]/gu, '').replace(/^0+(?=.)/, ''));
    // The shortest form is the same for every spelling of the number.
    const [shortest = ''] = bare.sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
    return [register ?? '', shortest];
  }
  const cells = [mapping.register, ...NUMBER_COLUMNS.map((column) => mapping[column])].map((column) =>
    column === undefined ? '' : (row.cells[column]?.trim() ?? ''),
  );
  return cells.slice(1).some((cell) => cell !== '') ? ['cells', ...cells] : ['row', ...row.cells];
}
