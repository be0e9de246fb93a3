/**
 * The endpoints that find many records by their numbers, of one register and of several, or by their identities, and
 * say which records answer what was asked. Numbers are found by pages of searches, register after register, until the
 * page is full.
 */
import type { AskedIdentity, AskedNumber, AskedRegister } from '@tmds/contract/asked';
import type { TrademarkDetail } from '@tmds/contract/record';
import { NUMBERS_OF } from '../index/entry.ts';
import { encodePosition } from '../parse/cursor.ts';
import {
  type AskedIdentity as IdentityRequest,
  parseIdentities,
  parseNumbersOfRegisters,
  parseRegisterNumbers,
} from '../parse/numbers.ts';
import { type NumbersPlan, OWN_NUMBERS, planNumbers, planNumbersOfRegisters } from '../plan/numbers.ts';
import { listRegisters } from '../plan/search.ts';
import { renderIdentitiesPage, renderNumbersPage, renderSearchPage } from '../render/pages.ts';
import type { Call } from './call.ts';
import { defineEndpoint, type Services } from './endpoint.ts';
import { findPage, readSearch } from './search.ts';

interface FoundNumbers {
  readonly items: readonly Buffer[];
  readonly asked: readonly AskedNumber[];
  readonly coverage: readonly AskedRegister[] | null;
  readonly next_cursor: string | null;
}

/** Within the time limit of one search. */
async function findNumbers({ request, searches }: NumbersPlan, services: Services, call: Call): Promise<FoundNumbers> {
  // Each search ends its turn before the next begins: one that waited for a turn with another in hand would block both.
  const { holdTurn: _untilSent, ...limits } = call.limitSearch(services);
  const items: Buffer[] = [];
  const records: TrademarkDetail[] = [];
  let next: string | null = null;
  for (const [, search] of searches) {
    if (items.length === request.limit) {
      next = encodePosition(request, records.at(-1)!);
      break;
    }
    const page = await findPage({ ...search, limit: request.limit - items.length }, services, limits, call.timing);
    for (const item of listItems(page.items)) {
      items.push(item);
      records.push(JSON.parse(item.toString()) as TrademarkDetail);
    }
    next = page.next_cursor;
    if (next !== null) break;
  }
  const positions = filePositions(records);
  return {
    items,
    asked: request.asked.map(({ register, number, forms }) => ({
      jurisdiction_code: register,
      number,
      positions: [...new Set(forms.flatMap((form) => positions.get(`${register}\n${form}`) ?? []))].sort(
        (one, other) => one - other,
      ),
    })),
    coverage: services.coverage.list(request.registers.map(([register]) => register)),
    next_cursor: next,
  };
}

function listItems(items: readonly Buffer[] | AsyncIterable<Buffer>): readonly Buffer[] {
  if (Symbol.asyncIterator in items) throw new Error('a page with documents is read while it is sent');
  return items;
}

/** The places of records, by register and each of their numbers in compared form, as the index files them. */
function filePositions(records: readonly TrademarkDetail[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [place, record] of records.entries()) {
    const entry = { detail: record, stamp: 0, markVariants: null };
    for (const form of OWN_NUMBERS.flatMap((field) => NUMBERS_OF[field](entry))) {
      const key = `${record.jurisdiction_code}\n${form}`;
      const listed = positions.get(key);
      if (listed === undefined) positions.set(key, [place]);
      else listed.push(place);
    }
  }
  return positions;
}

interface FoundIdentities {
  readonly items: readonly Buffer[];
  readonly asked: readonly AskedIdentity[];
  readonly coverage: readonly AskedRegister[] | null;
}

async function findIdentities(
  asked: readonly IdentityRequest[],
  { records, coverage }: Services,
  call: Call,
): Promise<FoundIdentities> {
  const nameOf = ({ register, uid }: IdentityRequest): string => `${register}\n${uid}`;
  const wanted = [...new Map(asked.map((each) => [nameOf(each), each])).values()];
  const found = await records.findAll(wanted, call.signal);
  const items: Buffer[] = [];
  const positions = new Map<string, number>();
  for (const [place, item] of found.entries()) {
    if (item === null) continue;
    positions.set(nameOf(wanted[place]!), items.length);
    items.push(item);
  }
  const registers = [...new Set(asked.map(({ register }) => register))].sort();
  return {
    items,
    asked: asked.map((each) => ({
      jurisdiction_code: each.register,
      uid: each.uid,
      position: positions.get(nameOf(each)) ?? null,
    })),
    coverage: coverage.list(registers),
  };
}

export const registerNumbersEndpoint = defineEndpoint({
  name: 'register_numbers',
  parse: ({ values, path }) => parseRegisterNumbers(values, path.register),
  plan: planNumbers,
  covers: ({ conditions }) => listRegisters(conditions),
  read: readSearch,
  render: renderSearchPage,
  isStaged: true,
});

export const numbersEndpoint = defineEndpoint({
  name: 'numbers',
  parse: ({ values }) => parseNumbersOfRegisters(values),
  plan: planNumbersOfRegisters,
  covers: ({ request }) => request.registers.map(([register]) => register),
  read: findNumbers,
  render: renderNumbersPage,
  isStaged: true,
});

export const identitiesEndpoint = defineEndpoint({
  name: 'identities',
  parse: ({ values }) => parseIdentities(values),
  covers: (asked) => [...new Set(asked.map(({ register }) => register))].sort(),
  read: findIdentities,
  render: renderIdentitiesPage,
});
