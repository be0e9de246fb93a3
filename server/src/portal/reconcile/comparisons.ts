/**
 * The comparisons that are under way in this process. Each continues part by part after the page that started it was
 * answered. The findings of a part are stored with it, so that an interrupted comparison continues where it ended and
 * pays twice only for the current part. Calls are those of the chosen key, judged and metered like a program's.
 */
import { describeFinding, Tally } from '@tmds/contract/docket/output';
import { type Finding, type FindNumbers, mapGently, reconcileRows } from '@tmds/contract/docket/reconcile';
import { readRow } from '@tmds/contract/docket/rows';
import type { TrademarkDetail } from '@tmds/contract/record';
import {
  addPartUnits,
  findOpenPart,
  finishPart,
  keepDocket,
  leaveDocket,
  type OpenPart,
} from '../../store/accounts/dockets.ts';
import { readRefusal } from '../explorer/ask.ts';
import { costsUnit } from '../explorer/remembered-answers.ts';
import { encodePairs } from '../explorer/search-pairs.ts';
import type { ApiAnswer, PortalServices } from '../services.ts';
import { rememberPart } from './memory.ts';
import { type Docket, packFindings, unpackRows } from './stored-docket.ts';

/** How long a docket stays with a process that died. */
export const LEASE_SECONDS = 120;
/** How many times a comparison waits for the rate limit of a key, a minute each time, before it stops. */
const RATE_WAITS_MAX = 10;
const RATE_WAIT_MAX_MS = 60_000;

export interface Comparisons {
  /** Compares a docket that this process has taken. */
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
