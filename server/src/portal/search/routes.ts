/**
 * The search bar that stands on every page. It finds out what a text means by counting the matches of its readings in
 * the index, which costs no unit, and leads to the explorer with the likeliest reading that has any.
 */
import { listRegisters } from '../../store/records/registers.ts';
import type { MemberCall, PortalRoute, Redirect } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { countMatches } from './matches.ts';
import { listReadings, type Reading } from './readings.ts';

export interface CountedReading extends Reading {
  readonly count: number;
}

export function listSearchRoutes(services: PortalServices): PortalRoute[] {
  return [{ method: 'GET', url: '/search', members: (call) => readText(call, services) }];
}

async function readText(call: MemberCall, services: PortalServices): Promise<Redirect> {
  const text = call.query.get('q') ?? '';
  const readings = await countReadings(text, call, services);
  const best = readings.find(({ count }) => count > 0) ?? readings[0];
  return { to: best === undefined ? '/portal/explorer' : linkReading(best, text, call.query.get('key') ?? '') };
}

/** The readings of a text with the matches of each, the likeliest first. */
export async function countReadings(
  text: string,
  { user, registers: chosen }: Pick<MemberCall, 'user' | 'registers'>,
  services: PortalServices,
): Promise<CountedReading[]> {
  const registers = await listRegisters(services.database);
  const served = registers
    .filter(({ record_count }) => record_count > 0)
    .sort((one, other) => other.record_count - one.record_count)
    .map(({ jurisdiction_code }) => jurisdiction_code);
  const readings = listReadings(text, chosen, served);
  return Promise.all(
    readings.map(async (reading) => ({
      ...reading,
      count: (await countMatches(user.customer_id, reading.pairs, services)) ?? 0,
    })),
  );
}

/** The explorer's page of a reading. `text` is what was typed, so that the page can offer the other readings. */
export function linkReading({ pairs }: Reading, text: string, keyId: string): string {
  const fields = [...pairs, ['q', text], ...(keyId === '' ? [] : [['key', keyId]])] as [string, string][];
  return `/portal/explorer?${new URLSearchParams(fields).toString()}`;
}
