/**
 * Why a mark is not among the hits of a watch: what the watch asks of it, and what became of its changes. It costs no
 * unit.
 */
import type {
  DiagnosisCriterion,
  DiagnosisEvent,
  DiagnosisVerdict,
  DiagnosisWindow,
  WatchDiagnosis,
} from '@tmds/contract/diagnosis';
import type { HitEvent } from '@tmds/contract/watches';
import { html } from 'htm/preact';
import { listRegisters } from '../../store/records/registers.ts';
import type { StoredWatch } from '../../store/watches/watches.ts';
import { fromOf } from '../explorer/ask.ts';
import { recordPath } from '../explorer/record-parts.ts';
import { readSearch } from '../explorer/search-pairs.ts';
import { describeFilters } from '../explorer/search-words.ts';
import { type MemberCall, type Page, type PortalRoute, pageNotFound } from '../frame/call.ts';
import {
  type Level,
  renderActions,
  renderBadge,
  renderButton,
  renderFault,
  renderHeading,
  renderLinkButton,
  renderNotice,
} from '../frame/components.ts';
import { renderField, renderSelect } from '../frame/fields.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { renderInstant } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import type { PortalServices } from '../services.ts';
import { describeSimilar, renderRecordName } from './definition-view.ts';
import { EVENTS, renderLikeness } from './hits-view.ts';
import { findOwn } from './typed-watch.ts';
import { renderWatchTrail } from './watch-forms.ts';

/** The numbers by which a record is found, if what is typed is not its id. */
const NUMBERS = ['application_number', 'registration_number', 'international_registration_number'] as const;

export function listWhyRoutes(services: PortalServices): PortalRoute[] {
  return [buildMemberRoutes(services).show('/watches/:id/why', (call) => showWhy(call, services))];
}

async function showWhy(call: MemberCall, services: PortalServices): Promise<Page> {
  const watch = await findOwn(call, services);
  const registers = (await listRegisters(services.database)).map(({ jurisdiction_code: code }) => code);
  const typed = { register: call.query.get('register') ?? '', number: (call.query.get('number') ?? '').trim() };
  const asked = registers.includes(typed.register) ? typed : { ...typed, register: registers[0] ?? '' };
  const isAsked = call.query.has('number') && !call.fromElsewhere;
  const fault = isAsked && typed.number === '' ? 'Write its number or id.' : null;
  const diagnosis = isAsked && fault === null ? await findDiagnosis(call, services, watch, typed) : null;
  const title = 'Why is a mark not here?';
  const body = html`
    <section class="narrow">
      ${renderWatchTrail(watch)}
      ${renderHeading(title)}
      ${renderFault(fault)}
      ${renderWhyForm(watch.id, registers, asked)}
    </section>
    ${diagnosis === null ? null : renderDiagnosis(call, diagnosis)}
  `;
  return { title, body, section: 'watches', status: fault === null ? 200 : 422 };
}

/** Of the record with this id, or else with this number. */
async function findDiagnosis(
  call: MemberCall,
  { watches, findRecords }: PortalServices,
  watch: StoredWatch,
  { register, number }: AskedMark,
): Promise<WatchDiagnosis> {
  const { customer_id: customerId } = call.user;
  const diagnose = async (uid: string): Promise<WatchDiagnosis> => {
    const found = await watches.diagnose(customerId, watch.id, { jurisdiction_code: register, uid });
    if (found === null) throw pageNotFound();
    return found;
  };
  const ofId = await diagnose(number);
  if (ofId.verdict !== 'no_record') return ofId;
  for (const name of NUMBERS) {
    const query = new URLSearchParams({ jurisdiction: register, [name]: number }).toString();
    const [record] = (await findRecords(customerId, query, 1)) ?? [];
    if (record !== undefined) return await diagnose(record.uid);
  }
  return ofId;
}

interface AskedMark {
  readonly register: string;
  readonly number: string;
}

const NUMBER_LENGTH_MAX = 200;

export function renderWhyForm(watchId: string, registers: readonly string[], asked: AskedMark): unknown {
  return html`
    <form method="get" action=${`/portal/watches/${watchId}/why`} class="stack">
      ${renderSelect({
        id: 'register',
        label: 'Register',
        choices: registers.map((code) => ({ value: code, label: `${registerName(code)} (${code})` })),
        chosen: asked.register,
      })}
      ${renderField({
        id: 'number',
        label: 'Its number or id',
        hint: 'The number of the application or registration, or the id of the record.',
        attributes: { required: true, maxlength: NUMBER_LENGTH_MAX, value: asked.number, spellcheck: 'false' },
      })}
      ${renderActions(renderButton('Find out', 'second'))}
    </form>
  `;
}

const LEVELS: Readonly<Record<DiagnosisVerdict, 'good' | 'warn' | 'bad' | 'plain'>> = {
  hit: 'good',
  waiting: 'plain',
  no_record: 'warn',
  no_match: 'plain',
  before_watch: 'plain',
  ended: 'warn',
  unexplained: 'bad',
  not_understood: 'bad',
};

function renderVerdict({ verdict, holds_from, complete_through, ended_at, events }: WatchDiagnosis): unknown {
  switch (verdict) {
    case 'hit': {
      const done = events.find(({ hit }) => hit !== null)?.done_at ?? null;
      return done === null
        ? 'It is here: one of its changes is a hit of this watch.'
        : html`It is here: one of its changes is a hit, which somebody marked as done on ${renderInstant(done)}.`;
    }
    case 'waiting':
      return html`A change of it matches, and is not checked yet. Changes are checked up to ${renderInstant(complete_through)}.`;
    case 'no_record':
      return 'No register here has it. Check the number, and how complete the register is.';
    case 'no_match':
      return 'No change of it satisfies everything that the watch asks for.';
    case 'before_watch':
      return html`It matched before ${renderInstant(holds_from)} only, when the watch was not as it is now. A watch
        reports changes: it is a hit once it changes again and matches.`;
    case 'ended':
      return html`The watch stopped on ${ended_at === null ? 'an earlier day' : renderInstant(ended_at)}. Later changes
        are not reported.`;
    case 'unexplained':
      return 'A change of it should be a hit and is not. Please tell those who run this service.';
    case 'not_understood':
      return 'The search of this watch is not understood any more. Change the watch.';
  }
}

function renderDiagnosis(call: MemberCall, diagnosis: WatchDiagnosis): unknown {
  const { verdict, criteria, events, has_more_events: hasMore } = diagnosis;
  const opening = { keyId: '', from: fromOf(call), languages: call.languages };
  return html`
    <section>
      <h2>${renderRecordName(diagnosis)}</h2>
      ${renderNotice(LEVELS[verdict], renderVerdict(diagnosis))}
      ${
        events.length === 0
          ? null
          : html`${renderActions(renderLinkButton('Open the record', recordPath(diagnosis, opening), 'second', { rel: 'nofollow' }))}
            <p class="hint">This page costs nothing; the record costs one unit.</p>`
      }
    </section>
    ${criteria.length === 0 ? null : renderCriteria(criteria)}
    ${events.length === 0 ? null : renderEvents(events, hasMore)}
  `;
}

function renderCriteria(criteria: readonly DiagnosisCriterion[]): unknown {
  return html`
    <section>
      <h2>What the watch asks for</h2>
      ${renderTable<DiagnosisCriterion>({
        label: 'What the watch asks for',
        rows: criteria,
        columns: [
          { label: 'Asked', isHeader: true, style: 'words', cell: renderAsked },
          { label: 'Now', cell: ({ holds }) => renderHolds(holds) },
          { label: 'Since', cell: ({ since, holds }) => renderSince(since, holds) },
        ],
      })}
    </section>
  `;
}

function renderAsked({ criterion, asks, likeness }: DiagnosisCriterion): unknown {
  switch (criterion) {
    case 'records':
    case 'owners':
      return `On the list of ${asks}`;
    case 'similar':
      return html`<bdi>${describeSimilar(asks)}</bdi>${renderLikeness({ likeness })}`;
    default:
      return html`<bdi>${describeFilters(readSearch(new URLSearchParams(asks)).pairs)}</bdi>`;
  }
}

function renderHolds(holds: boolean | null): unknown {
  if (holds === null) return null;
  return holds ? renderBadge('good', 'yes') : renderBadge('off', 'no');
}

function renderSince(since: string | null, holds: boolean | null): unknown {
  if (holds === null) return null;
  return since === null ? html`<span class="silent">longer than shown</span>` : renderInstant(since);
}

const WINDOWS: Readonly<Record<DiagnosisWindow, string>> = {
  before_watch: 'before the watch was as it is',
  checked: 'checked',
  waiting: 'not checked yet',
  ended: 'after the watch stopped',
};

function renderEvents(events: readonly DiagnosisEvent[], hasMore: boolean): unknown {
  return html`
    <section>
      <h2>Its changes</h2>
      ${renderTable<DiagnosisEvent>({
        label: 'Its changes',
        rows: events,
        columns: [
          { label: 'When', isHeader: true, cell: ({ version }) => renderInstant(version, 'second') },
          { label: 'For the watch', style: 'words', cell: ({ window }) => WINDOWS[window] },
          { label: 'Matches as the watch is', cell: ({ matches }) => renderEvent(matches) },
          { label: 'Hit', cell: ({ hit, done_at }) => html`${renderEvent(hit)}${done_at === null ? null : ' done'}` },
        ],
      })}
      ${hasMore ? html`<p class="hint">Older changes are not shown.</p>` : null}
    </section>
  `;
}

function renderEvent(event: HitEvent | null): unknown {
  if (event === null) return renderBadge('off', 'no');
  const [level, words]: readonly [Level, string] = EVENTS[event];
  return renderBadge(level, words);
}
