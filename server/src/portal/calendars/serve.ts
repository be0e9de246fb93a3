/**
 * Serves calendars at their secret addresses, to programs that have no session: no cookie is read or set. A secret that
 * names none is a 404 and counts like an unknown key. What is written is kept for some minutes, so that reading an
 * address often costs nobody anything.
 */

import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ICalCalendar, ICalEventTransparency } from 'ical-generator';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { digestText } from '../../access/secret.ts';
import { limitUnknownKeys } from '../../access/unknown-keys.ts';
import { ApiError } from '../../base/errors.ts';
import { NoAnswer } from '../../base/no-answer.ts';
import { type DueDate, nameDueDate } from '../../due/next-dates.ts';
import { type DatesAhead, dayAfter, readDatesOfRecords, readDatesOfWatch } from '../../due/watched-dates.ts';
import { DISCLAIMER, describeDue, describeOmissions } from '../../due/words.ts';
import { findDocket } from '../../store/accounts/dockets.ts';
import { type CalendarPlace, findCalendar } from '../../store/dates/calendars.ts';
import { findWatch } from '../../store/watches/watches.ts';
import { nameAndCode, registerName } from '../frame/registers.ts';
import { listFound } from '../reconcile/results.ts';
import type { PortalServices } from '../services.ts';

const AHEAD_DAYS = 3 * 366;
const EVENTS_MAX = 1_000;
const RECORDS_MAX = 10_000;
const BOUNDS = { dated: 200, ruled: 200 };
const KEPT_MS = 5 * 60_000;
const KEPT_CHARACTERS_MAX = 32 * 1024 * 1024;
/** Calendars that are written at the same time in this process, and those that wait. */
const WRITTEN_AT_ONCE = 2;
const WAITING_MAX = 50;
const RETRY_SECONDS = 60;

/** 32 bytes. */
const FILE = /^([\w-]{43})\.ics$/;

/** A calendar that cannot be written now, though its address is right. */
class Busy extends Error {}

export function registerCalendars(app: FastifyInstance, services: PortalServices): void {
  const { database, clock } = services;
  const unknown = limitUnknownKeys(clock);
  const kept = new LRUCache<string, string>({
    maxSize: KEPT_CHARACTERS_MAX,
    sizeCalculation: (text) => text.length,
    ttl: KEPT_MS,
    perf: { now: () => clock.monotonicMs() },
  });
  const underWay = new Map<string, Promise<string | null>>();
  const limit = pLimit(WRITTEN_AT_ONCE);

  const write = async (place: CalendarPlace, name: string): Promise<string | null> => {
    const text = await limit(() => readCalendar(place, services));
    if (text !== null) kept.set(name, text);
    return text;
  };
  const find = (place: CalendarPlace): Promise<string | null> | string => {
    const name = `${place.calendar_id} ${dayAfter(clock, 0)}`;
    const known = kept.get(name) ?? underWay.get(name);
    if (known !== undefined) return known;
    if (underWay.size >= WAITING_MAX) throw new Busy();
    const writing = write(place, name).finally(() => underWay.delete(name));
    underWay.set(name, writing);
    return writing;
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [, secret] = FILE.exec((request.params as { file?: string }).file ?? '') ?? [];
    if (secret === undefined) return refuse(reply, 404, GONE);
    const place = await unknown.lookUp(request.ip, () => findCalendar(database, digestText(secret)));
    const text = place === null ? null : await find(place);
    if (text !== null) return send(request, reply, text);
    const refusal = unknown.note(request.ip);
    if (refusal !== null) throw refusal;
    return refuse(reply, 404, GONE);
  };
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      return await answer(request, reply);
    } catch (error) {
      if (error instanceof Busy || error instanceof NoAnswer) return refuse(reply, 503, LATER, RETRY_SECONDS);
      if (!(error instanceof ApiError)) throw error;
      const seconds = Number(error.headers?.['retry-after'] ?? RETRY_SECONDS);
      return error.code === 'rate_limited' ? refuse(reply, 429, LATER, seconds) : refuse(reply, 503, LATER, seconds);
    }
  };
  // Some calendar programs ask for the head first.
  app.route({ method: ['GET', 'HEAD'], url: '/calendar/:file', handler: serve });
}

const GONE = 'There is no calendar at this address, or it was revoked.\n';
const LATER = 'Not now. Try again later.\n';

function refuse(reply: FastifyReply, status: number, text: string, retrySeconds?: number): FastifyReply {
  if (retrySeconds !== undefined) reply.header('retry-after', String(retrySeconds));
  return reply.code(status).type('text/plain; charset=utf-8').send(text);
}

function send(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const tag = `"${hash('sha256', text, 'hex').slice(0, 32)}"`;
  reply.headers({
    etag: tag,
    'cache-control': 'private, max-age=300',
    'content-disposition': 'attachment; filename="trademark-dates.ics"',
    'x-content-type-options': 'nosniff',
  });
  const asked = request.headers['if-none-match'] ?? '';
  const isSame = asked.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
  return isSame ? reply.code(304).send() : reply.type('text/calendar; charset=utf-8').send(text);
}

/** Null if the watch or the docket is gone. @throws Busy if a search was not answered in time. */
async function readCalendar(place: CalendarPlace, services: PortalServices): Promise<string | null> {
  const read = await readDates(place, services);
  if (read === null) return null;
  const { name, ahead } = read;
  // A calendar program keeps what it has, and would drop the dates that are missing.
  if (ahead.isInterrupted) throw new Busy();
  return writeCalendar({ name, ahead, madeAt: place.created_at, publicUrl: services.publicUrl });
}

async function readDates(
  { customer_id: customerId, watch: watchId, docket_id: docketId }: CalendarPlace,
  { database, clock, watches: matches }: PortalServices,
): Promise<{ readonly name: string; readonly ahead: DatesAhead } | null> {
  const span = { from: dayAfter(clock, 0), to: dayAfter(clock, AHEAD_DAYS) };
  const sources = { database, clock, matches };
  if (docketId !== null) {
    const docket = await findDocket(database, customerId, docketId);
    if (docket === null) return null;
    const records = await listFound(database, docket, RECORDS_MAX + 1);
    const ahead = await readDatesOfRecords(sources, records, { span, datesMax: EVENTS_MAX });
    return { name: docket.name, ahead };
  }
  const watch = watchId === null ? null : await findWatch(database, customerId, watchId);
  if (watch === null) return null;
  const ahead = await readDatesOfWatch(sources, watch, { span, bounds: BOUNDS, datesMax: EVENTS_MAX });
  return { name: watch.name, ahead };
}

interface CalendarWritten {
  readonly name: string;
  readonly ahead: DatesAhead;
  /** When it was made: the stamp of all its events, so that the same dates are the same file. */
  readonly madeAt: string;
  /** Where browsers reach the portal; null = no links. */
  readonly publicUrl: string | null;
}

const RENEWED_SECONDS = 6 * 3600;

function writeCalendar({ name, ahead, madeAt, publicUrl }: CalendarWritten): string {
  const said = [`Dates ahead of ${oneLine(name)}.`, DISCLAIMER, ...describeOmissions(ahead)].join(' ');
  const calendar = new ICalCalendar({
    prodId: { company: 'trademark-data-service', product: 'dates', language: 'EN' },
    name: escapeText(oneLine(name)),
    description: escapeText(said),
    ttl: RENEWED_SECONDS,
  });
  for (const due of ahead.dates) {
    const path = recordPathOf(due);
    calendar.createEvent({
      id: `${hash('sha256', nameDueDate(due), 'hex').slice(0, 32)}@trademark-data-service`,
      start: new Date(`${due.date}T00:00:00Z`),
      allDay: true,
      stamp: new Date(madeAt),
      transparency: ICalEventTransparency.TRANSPARENT,
      summary: oneLine(`${describeDue(due)}: ${nameMark(due)}${due.computed === null ? '' : ' (computed)'}`),
      description: describeEvent(due).map(oneLine).join('\n'),
      ...(publicUrl === null ? {} : { url: `${publicUrl}${path}` }),
    });
  }
  return calendar.toString();
}

/** The library escapes the texts of events, but not those of the calendar itself. */
const escapeText = (text: string): string => text.replace(/[\\;,]/g, '\\$&');

/** Names are text of offices and of customers, and a line break would begin another property. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

const numberOf = ({ record }: DueDate): string => record.registration_number ?? record.application_number ?? record.uid;

function nameMark(due: DueDate): string {
  const { mark_name: name, mark_feature: feature, jurisdiction_code: code } = due.record;
  return `${name ?? `${feature ?? 'Mark'} without text`} (${registerName(code)} ${numberOf(due)})`;
}

function describeEvent(due: DueDate): string[] {
  const { record, computed } = due;
  return [
    `Mark: ${record.mark_name ?? 'without text'}`,
    `Register: ${nameAndCode(record.jurisdiction_code)}`,
    `Number: ${numberOf(due)}`,
    `What: ${describeDue(due)}`,
    ...(computed === null
      ? ['Stated by the office.']
      : [`Computed, since the office states none: ${computed.rule.text}`, `Source: ${computed.rule.source}`]),
    DISCLAIMER,
  ];
}

function recordPathOf({ record: { jurisdiction_code: register, uid } }: DueDate): string {
  return `/portal/explorer/records/${encodeURIComponent(register)}/${encodeURIComponent(uid)}`;
}
