/**
 * The search bar on every page. It searches all registers. It finds the meaning of a text by counting the matches of
 * its readings in the index, which costs no unit, and leads to the explorer with the likeliest reading that has any, or
 * to the record whose id was typed. The explorer offers the other meanings.
 */

import { findSpreadsheetFault } from '@tmds/contract/docket/spreadsheet';
import { html } from 'htm/preact';
import type { Queryable } from '../../database/driver/db.ts';
import { listRegisters } from '../../store/records/registers.ts';
import { listMissingRecords } from '../../store/watches/counts.ts';
import type { MemberCall, PortalRoute, Redirect } from '../frame/call.ts';
import { renderCount, renderEmpty } from '../frame/components.ts';
import { nameAndCode, registerName } from '../frame/registers.ts';
import type { PortalServices } from '../services.ts';
import { countMatches, isTooLong, listReadings, type Reading, TEXT_CHARACTERS_MAX, tidyText } from './readings.ts';

export interface CountedReading extends Reading {
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
function linkReading(reading: Reading | null, text: string, keyId: string): string {
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

interface RecordId {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

interface NamedRecords {
  /** The record whose register and uid the text states. */
  readonly stated: RecordId | null;
  /** The only record whose uid is the whole text; null if several registers have one. */
  readonly alone: RecordId | null;
}

export async function findNamedRecords(
  db: Queryable,
  text: string,
  registers: readonly string[],
): Promise<NamedRecords> {
  const stated = registers.flatMap((code) => listUids(code, text).map((uid) => ({ jurisdiction_code: code, uid })));
  const alone = registers.flatMap((code) => listCases(text).map((uid) => ({ jurisdiction_code: code, uid })));
  const missing = new Set(await listMissingRecords(db, [...stated, ...alone]));
  const found = (listed: readonly RecordId[]): RecordId[] => listed.filter((record) => !missing.has(record));
  const others = found(alone);
  return { stated: found(stated)[0] ?? null, alone: others.length === 1 ? others[0]! : null };
}

/** What follows the code or the name of the register; between them blanks, a comma, a semicolon, a colon or a slash. */
function listUids(register: string, text: string): string[] {
  const names = [register, nameAndCode(register), registerName(register)];
  return names.flatMap((name) => {
    if (text.slice(0, name.length).toUpperCase() !== name.toUpperCase()) return [];
    const rest = text.slice(name.length);
    const uid = rest.replace(/^[\s,;:/]+/u, '');
    return uid === '' || uid === rest ? [] : listCases(uid);
  });
}

/** As typed, or with capitals as most registers write them. */
function listCases(uid: string): string[] {
  return [...new Set([uid, uid.toUpperCase()])];
}

interface ReadingsShown {
  readonly text: string;
  readonly keyId: string;
}

interface Understood extends ReadingsShown {
  readonly isShown: (reading: CountedReading) => boolean;
  /** In how many of how many registers it has matches, such as `3 of 28 registers`; null if that is not known. */
  readonly places: string | null;
}

export function renderReadings(
  readings: readonly CountedReading[],
  { text, keyId, isShown, places }: Understood,
): unknown {
  const shown = readings.find(isShown);
  const others = readings.filter((reading) => reading !== shown && reading.count !== 0);
  if (shown === undefined && others.length === 0) return null;
  return html`
    <p id="readings">
      ${shown === undefined ? null : html`<strong><bdi>${asBeginning(shown.title)}</bdi></strong>${places === null ? null : ` (${places})`}. `}
      ${others.length === 0 ? null : shown === undefined ? 'Possible meanings: ' : 'Also: '}
      ${others.map((reading, at) => html`${at > 0 ? ', ' : ''}${renderOther(reading, { text, keyId })}`)}
    </p>
  `;
}

function asBeginning(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function renderOther(reading: CountedReading, { text, keyId }: ReadingsShown): unknown {
  const { title, count } = reading;
  return html`<a rel="nofollow" href=${linkReading(reading, text, keyId)}><bdi>${title}</bdi></a>${' '}
    ${count === null ? html`<span class="silent">(not counted in time)</span>` : renderCount(count)}`;
}

/** Instead of results, when no reading of the text has a match. `registers`: how many were searched. */
export function renderNothingFound(
  readings: readonly CountedReading[],
  { text, keyId, registers }: ReadingsShown & { readonly registers: number },
): unknown {
  const typed = tidyText(text);
  if (isTooLong(typed)) {
    return renderEmpty(
      `The search bar takes up to ${TEXT_CHARACTERS_MAX} characters. Shorten the text, or search with the fields here.`,
    );
  }
  const spoilt = findSpreadsheetFault(typed);
  if (spoilt !== null) return renderEmpty(html`<bdi>${spoilt}</bdi>`);
  const places = registers === 1 ? 'the one register' : `all ${registers} registers`;
  const isEmpty = readings.every(({ count }) => count === 0);
  return html`
    ${
      isEmpty
        ? renderEmpty(
            html`No trademarks found for “<bdi>${typed}</bdi>”. It was searched for in ${places}, as a number, a mark,
              an owner and a representative. This cost nothing.`,
          )
        : null
    }
    ${renderReadings(readings, { text, keyId, isShown: () => false, places: null })}
  `;
}
