/**
 * The page of one record, in its current or a past version, as a whole or one of its parts alone: one look-up of the
 * public API with a key that the person chose, judged and metered like any other. The family, the changes, and the
 * pages of the record's parts and JSON cost nothing more.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { isoInstant } from '../../base/clock.ts';
import type { VersionEvent } from '../../store/records/history.ts';
import type { Explorer, KeyChoice, Refusal } from '../explorer/ask.ts';
import { type Asked, askFor, paidPage, renderAsked } from '../explorer/asked-page.ts';
import { type Explained, explainRefusal } from '../explorer/outcome-view.ts';
import { findNeighbours, renderNeighbours } from '../explorer/recalled-results.ts';
import type { Answers } from '../explorer/remembered-answers.ts';
import { type MemberCall, type Page, type PortalRoute, pageNotFound } from '../frame/call.ts';
import { renderHeading as renderPageHeading, renderTrail as renderSteps } from '../frame/components.ts';
import { parseNext } from '../frame/pieces.ts';
import { placeName, registerName } from '../frame/registers.ts';
import { PAGE_LANGUAGE } from '../frame/wording.ts';
import { renderAsItWas, renderOutdated, renderWhatChanged } from '../history/last-change.ts';
import { historyPath, placeOf, versionPath } from '../history/places.ts';
import type { PortalServices } from '../services.ts';
import { type FamilyGroup, findFamily, renderFamily } from './family.ts';
import { renderAllImages, renderFacts, renderHeading } from './heading.ts';
import { type LinkHere, type Part, renderPart, renderPartAlone, renderRaw, renderRawSection } from './parts.ts';
import { buildParts } from './sections.ts';
import { answerDates, renderDates } from './timeline.ts';

export function listRecordRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  const head = { title: 'Record', section: 'explorer' } as const;
  const show = (call: MemberCall, choice: KeyChoice) => showRecord(call, explorer, choice);
  return [paidPage('/explorer/records/:register/*', explorer, head, show)];
}

/** The stamp of a version, as the history writes it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

async function showRecord(call: MemberCall, explorer: Explorer, choice: KeyChoice): Promise<Page> {
  const { services } = explorer;
  const { register = '', '*': uid = '' } = call.params;
  const version = call.query.get('version');
  if (version !== null && !INSTANT.test(version)) throw pageNotFound();
  const path = `/v1/${encodeURIComponent(register)}/trademarks/${encodeURIComponent(uid)}`;
  const answeredPath = version === null ? path : `${path}/history/${encodeURIComponent(version)}`;
  const asked = await askFor<TrademarkDetail>(call, explorer, choice, `${answeredPath}?expand=payload`);
  const { body: record, refusal, outcome } = asked;
  const isWhole = !call.query.has('part') && !call.query.has('json');
  const [family, change] =
    record === null
      ? [[], null]
      : await Promise.all([
          isWhole && version === null ? findFamily(call.user.customer_id, record, services) : [],
          isWhole || version !== null ? findChange(record, services) : null,
        ]);
  const today = isoInstant(services.clock.nowMs()).slice(0, 10);
  const isInSearch = choice.key !== null && version === null;
  const neighbours = isInSearch ? await findNeighbours(call, explorer, choice.key.id, { register, uid }) : null;
  const state = { register, uid, version, asked, change, family, today };
  const body = html`
    ${renderTrail(call, state)} ${renderNeighbours(neighbours)}
    ${record === null ? renderPageHeading(html`<bdi>${registerName(register.toUpperCase())} ${uid}</bdi>`) : renderRecord(call, record, state)}
    ${renderAsked(call, asked, refusal === null ? undefined : explain(refusal, state, outcome?.againPath ?? null))}
  `;
  const name = record?.mark_name ?? `${register} ${uid}`;
  const title = version === null ? name : `${name} as it was`;
  return { title, body, section: 'explorer', status: refusal?.code === 'not_found' ? 404 : 200 };
}

function findChange(record: TrademarkDetail, services: PortalServices): Promise<VersionEvent | null> {
  const { jurisdiction_code: register, uid, updated_at: version } = record;
  return services.findChange({ register, uid, version });
}

interface RecordState {
  readonly register: string;
  readonly uid: string;
  /** The version that the address names; null for the current record. */
  readonly version: string | null;
  readonly asked: Asked<TrademarkDetail>;
  /** The changes in the version that is shown; null if they were not found in time. */
  readonly change: VersionEvent | null;
  readonly family: readonly FamilyGroup[];
  readonly today: string;
}

/** A record that does not exist is searched for by whatever the address names. */
function explain(refusal: Refusal, { register, uid, version }: RecordState, again: string | null): Explained {
  if (refusal.code !== 'not_found') return explainRefusal(refusal, again);
  if (version !== null) return { message: 'We have no such version of this record.', repairs: [] };
  const search = `/portal/search?${new URLSearchParams({ q: uid.slice(0, NAMED_CHARACTERS_MAX) }).toString()}`;
  return {
    message: html`We have no record “<bdi>${uid.slice(0, NAMED_CHARACTERS_MAX)}</bdi>” in the register of ${placeName(register.toUpperCase())}.`,
    repairs: [{ title: 'Search for it', href: search }],
  };
}

const NAMED_CHARACTERS_MAX = 200;

function renderTrail(call: MemberCall, { register, uid, version, asked: { choice } }: RecordState): unknown {
  if (version !== null) {
    const place = placeOf({ register, uid }, call.query, choice.key?.id ?? null);
    return renderSteps(
      { label: 'The record today', href: versionPath(place, null) },
      { label: 'Its history', href: historyPath(place) },
    );
  }
  const path = parseNext(call.query.get('from'));
  if (/^\/portal\/explorer\?/.test(path)) return renderSteps({ label: 'Back to the search', href: path });
  if (/^\/portal\/feed\?/.test(path)) return renderSteps({ label: 'Back to the changes', href: path });
  return renderSteps({ label: 'Search trademarks', href: '/portal/explorer' });
}

/** Fields of the address that every link within the page keeps; `asked` keeps it from costing another unit. */
const KEPT: readonly string[] = ['key', 'from', 'asked', 'version'];
/** Likewise, what the reader chose for the goods. */
const CHOSEN: readonly string[] = ['language', 'within'];
/** The parts that most readers come for; what changed and the family follow them. */
const FIRST_PARTS: readonly string[] = ['goods', 'parties', 'proceedings', 'history'];
const WITHIN_CHARACTERS_MAX = 100;

function renderRecord(call: MemberCall, record: TrademarkDetail, state: RecordState): unknown {
  const { register, uid, version, family, change, today } = state;
  const { outcome } = state.asked;
  const { query } = call;
  const keyId = outcome?.key.id ?? '';
  const linkHere = buildLinks(call);
  const reader = {
    languages: [...query.getAll('language'), ...call.languages, PAGE_LANGUAGE],
    within: (query.get('within') ?? '').trim().slice(0, WITHIN_CHARACTERS_MAX),
    kept: pick(query, [...KEPT, 'part']),
  };
  const parts = buildParts(record, reader, keyId);
  const isFirst = ({ name }: Part): boolean => FIRST_PARTS.includes(name);
  const [first, rest] = [parts.filter(isFirst), parts.filter((part) => !isFirst(part))];
  const notice =
    version === null ? renderOutdated(change, outcome?.againPath ?? '') : renderAsItWas(record.updated_at, change);
  const hasFamily = version === null && family.length > 0;
  // A past version says what was due then, and today's rules would answer for today.
  const answers = version === null ? answerDates(record, family, today) : [];
  const heading = html`${notice} ${renderHeading(record, { linkHere, keyId, today, hasFamily, answers })}`;
  const alone = query.has('part') ? parts.find(({ name }) => name === query.get('part')) : undefined;
  const json = query.has('json') ? renderRawSection(record, query.get('json') ?? '', linkHere) : null;
  if (alone !== undefined || json !== null) {
    return html`
      <article class="record">
        ${heading}
        ${
          alone === undefined
            ? json
            : html`${alone.name === 'images' ? renderAllImages(record) : null}
              ${renderPartAlone(alone, Number(/^\d{1,7}$/.exec(query.get('at') ?? '')?.[0] ?? 0), linkHere)}`
        }
      </article>
    `;
  }
  return html`
    <article class="record">
      ${heading}
      ${renderDates(record, answers, today)}
      ${first.map((part) => renderPart(part, linkHere))}
      ${version === null ? renderFamily(record, family, keyId) : null}
      ${renderWhatChanged(record, change, placeOf({ register, uid }, query, keyId))}
      ${rest.map((part) => renderPart(part, linkHere))}
      ${renderFacts(record)}
      ${renderRaw(record, linkHere)}
    </article>
  `;
}

function buildLinks({ target, query }: MemberCall): LinkHere {
  const [path = ''] = target.split('?');
  const kept = pick(query, [...KEPT, ...CHOSEN]);
  return (changes) => {
    const fields = new URLSearchParams(kept as [string, string][]);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) fields.delete(name);
      else fields.set(name, value);
    }
    const part = changes.part ?? null;
    return `${path}?${fields.toString()}${part === null ? '' : `#${encodeURIComponent(part)}`}`;
  };
}

function pick(query: URLSearchParams, names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((name) => {
    const value = query.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
}
