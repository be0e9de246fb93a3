/**
 * The search bar on every page. It searches all registers. It finds the meaning of a text by counting the matches of
 * its readings in the index, which costs no unit, and leads to the explorer with the likeliest reading that has any, or
 * to the record whose id was typed.
 */
import { listRegisters } from '../../store/records/registers.ts';
import type { MemberCall, PortalRoute, Redirect } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { countMatches } from './matches.ts';
import { isTooLong, listReadings, type Reading, tidyText } from './readings.ts';
import { findNamedRecords, type RecordId } from './record-id.ts';

export interface CountedReading extends Reading {
  /** Null if it was not counted in time. */
  readonly count: number | null;
}

export function listSearchRoutes(services: PortalServices): PortalRoute[] {
  return [{ method: 'GET', url: '/search', members: (call) => readText(call, services) }];
}

async function readText(call: MemberCall, services: PortalServices): Promise<Redirect> {
  const text = tidyText(call.query.get('q') ?? '');
  const keyId = call.query.get('key') ?? '';
  if (text === '') return { to: '/portal/explorer' };
  if (isTooLong(text)) return { to: linkReading(null, text, keyId) };
  const registers = (await listRegisters(services.database)).filter(({ record_count }) => record_count > 0);
  const codes = registers.map(({ jurisdiction_code }) => jurisdiction_code);
  const { stated, alone } = await findNamedRecords(services.database, text, codes);
  if (stated !== null) return { to: linkRecord(stated, keyId) };
  const readings = await countReadings(text, call, services);
  const best = readings.find(({ count }) => count !== null && count > 0);
  if (best === undefined && alone !== null) return { to: linkRecord(alone, keyId) };
  // A reading that is known to be empty is not searched for: that would cost a unit.
  return { to: linkReading(best ?? readings.find(({ count }) => count === null) ?? null, text, keyId) };
}

/** The readings of a text with the matches of each, the likeliest first. */
export function countReadings(
  text: string,
  { user }: Pick<MemberCall, 'user'>,
  services: PortalServices,
): Promise<CountedReading[]> {
  return Promise.all(
    listReadings(text).map(async (reading) => ({
      ...reading,
      count: await countMatches(user.customer_id, reading.pairs, services),
    })),
  );
}

/**
 * The explorer's page of a reading; null: no reading, which the page says. `text`: the typed text, so that the page can
 * offer the other readings.
 */
export function linkReading(reading: Reading | null, text: string, keyId: string): string {
  const fields = [...(reading?.pairs ?? []), ['q', text], ...keyPair(keyId)] as [string, string][];
  return `/portal/explorer?${new URLSearchParams(fields).toString()}`;
}

function linkRecord({ jurisdiction_code: register, uid }: RecordId, keyId: string): string {
  const path = `/portal/explorer/records/${encodeURIComponent(register)}/${encodeURIComponent(uid)}`;
  return keyId === '' ? path : `${path}?${new URLSearchParams(keyPair(keyId)).toString()}`;
}

function keyPair(keyId: string): [string, string][] {
  return keyId === '' ? [] : [['key', keyId]];
}
