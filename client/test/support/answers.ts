import type { ErrorCode } from '@tmds/contract/errors';
import { ERRORS } from '@tmds/contract/errors';
import { CONTENT_FIELDS, type RecordContent, type TrademarkDetail } from '@tmds/contract/record';
import type { Fetch, FetchAnswer, FetchInit } from '../../src/config.ts';

export function buildAnswer(status: number, body: unknown, headers: Record<string, string> = {}): FetchAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: new Headers(headers), text: async () => text };
}

export function buildRefusal(code: ErrorCode, headers: Record<string, string> = {}, param?: string): FetchAnswer {
  const error = { code, message: `refused: ${code}`, ...(param === undefined ? {} : { param }) };
  return buildAnswer(ERRORS[code].status, { error }, { 'x-request-id': `req-${code}`, ...headers });
}

export interface ScriptedFetch extends Fetch {
  readonly calls: { url: string; init: FetchInit }[];
}

/** A fetch that plays the steps in order and repeats the last one: an answer, an error to throw, or 'hang'. */
export function buildFetch(...steps: (FetchAnswer | Error | 'hang')[]): ScriptedFetch {
  const calls: { url: string; init: FetchInit }[] = [];
  const play = async (url: string, init: FetchInit): Promise<FetchAnswer> => {
    const step = steps[Math.min(calls.length, steps.length - 1)]!;
    calls.push({ url, init });
    if (step === 'hang') return new Promise(() => undefined);
    if (step instanceof Error) throw step;
    return step;
  };
  return Object.assign(play, { calls });
}

/** Every field of the content as null. */
const NOTHING = Object.fromEntries(
  Object.keys(CONTENT_FIELDS).map((field) => [field, null]),
) as unknown as RecordContent;

/** A whole record, every key present. */
export function buildRecord(overrides: Partial<TrademarkDetail> = {}): TrademarkDetail {
  return {
    ...NOTHING,
    jurisdiction_code: 'US',
    uid: 'US-1',
    office: 'US',
    application_number: '97000001',
    mark_name: 'EXAMPLE',
    status: 'Pending',
    kind_of_mark: 'Individual',
    mark_feature: 'Word',
    application_date: '2026-01-05',
    nice_classes: [9, 42],
    owner_names: ['example gmbh', 'beispiel gmbh'],
    owner_countries: ['DE'],
    record_update_date: '2026-01-06',
    first_seen_at: '2026-01-06T03:00:00.000001Z',
    updated_at: '2026-01-06T03:00:00.000001Z',
    ...overrides,
  };
}
