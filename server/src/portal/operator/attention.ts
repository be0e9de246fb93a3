/**
 * What operators should act on now, the most pressing first. Each matter has a name that lasts as long as it does, and
 * a state: a dismissal counts for one state, so that a matter which gets worse or happens again is shown again.
 */

import { html } from 'htm/preact';
import type { ServiceHealth } from '../../monitor/health.ts';
import type { Dismissal } from '../../store/accounts/dismissals.ts';
import type { AccountTotals, QuotaUse } from '../../store/accounts/operator-customers.ts';
import type { OpenRejects } from '../../store/publish/findings.ts';
import type { LoadSummary } from '../../store/publish/loads.ts';
import type { RegisterRhythm } from '../../store/records/registers.ts';
import { showPeriod } from '../../store/sync/source-files.ts';
import type { SourceReport } from '../../store/sync/source-reports.ts';
import { type SignedInCall, typedIn } from '../frame/call.ts';
import { renderDisclosure, renderEmpty, renderFault, renderNotice } from '../frame/components.ts';
import { hiddenField, textField } from '../frame/field-kinds.ts';
import { declareForm, renderForm, untyped } from '../frame/forms.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import { nameOf } from '../keys/terms.ts';
import { describeDays, judgeFreshness } from '../registers/coverage-view.ts';

export interface HealthState {
  readonly nowMs: number;
  readonly health: ServiceHealth;
  readonly totals: AccountTotals;
  readonly registers: readonly RegisterRhythm[];
  readonly sources: readonly SourceReport[];
  readonly loads: readonly LoadSummary[];
  readonly openRejects: readonly OpenRejects[];
  /** Live keys whose quota is nearly used, the fullest first. */
  readonly nearQuota: readonly QuotaUse[];
  readonly isQuotaCut: boolean;
  /** Findings of the quick checks of `tmds doctor`. */
  readonly wrong: readonly { readonly seen: string; readonly remedy: string }[];
}

export interface Concern {
  readonly level: 'bad' | 'warn';
  readonly text: string;
  readonly href: string;
  readonly matter: string;
  readonly state: string;
  /** What the audit says instead of the text, which names a customer: their name must be erasable. */
  readonly audited?: string;
}

/** An index that is further behind has stopped following; the bound of `tmds doctor`. */
const LAG_SECONDS_MAX = 5;

export function listConcerns(state: HealthState): Concern[] {
  const concerns = [
    ...listChecks(state),
    ...listLoads(state),
    ...listRejects(state),
    ...state.registers.filter((each) => judgeFreshness(each) === 'late').map(describeLate),
    ...state.sources.flatMap(listOfSource),
    ...state.nearQuota.map(describeQuota),
    ...listSuspended(state),
  ];
  return [...concerns.filter(({ level }) => level === 'bad'), ...concerns.filter(({ level }) => level === 'warn')];
}

function listChecks({ wrong, health: { index } }: HealthState): Concern[] {
  const href = '/portal/operator/doctor';
  const concerns: Concern[] = wrong.map(({ seen, remedy }) => {
    const text = `${seen}; ${remedy}`;
    return { level: 'bad', text, href, matter: `check ${remedy}`, state: seen };
  });
  if (index?.state === 'failed' || (index?.behindSeconds ?? 0) > LAG_SECONDS_MAX) {
    const text = index?.fault ?? 'The search index has stopped following the database.';
    concerns.push({ level: 'bad', text, href, matter: 'index', state: text });
  }
  return concerns;
}

function listLoads({ loads }: HealthState): Concern[] {
  return loads.flatMap(({ load_id, format, source, state, failure }, at): Concern[] => {
    const isMended = loads.slice(0, at).some((later) => later.source === source && later.state === 'finished');
    if ((state !== 'failed' && state !== 'interrupted') || isMended) return [];
    const what = state === 'failed' ? 'failed' : 'was interrupted';
    const text = `A load of ${format} ${what}: ${failure ?? 'its process is gone'}`;
    const level = state === 'failed' ? 'bad' : 'warn';
    return [{ level, text, href: `/portal/operator/loads/${load_id}`, matter: `load ${load_id}`, state }];
  });
}

function listRejects({ openRejects }: HealthState): Concern[] {
  return openRejects.map(({ load_id, format, open }) => ({
    level: 'warn',
    text: `${formatCount(open)} rejected ${open === 1 ? 'record or file' : 'records or files'} of a load of ${format} ${open === 1 ? 'is' : 'are'} not stored yet.`,
    href: `/portal/operator/loads/${load_id}#rejects`,
    matter: `rejects ${load_id}`,
    state: String(open),
  }));
}

/** Dismissed until it is twice as late, or late again after another load. */
function describeLate(register: RegisterRhythm): Concern {
  const { jurisdiction_code: code, age_days: age, rhythm_days: rhythm, last_load_finished_at: at } = register;
  const doublings = Math.floor(Math.log2(age! / Math.max(rhythm!, 0.01)));
  return {
    level: 'warn',
    text: `${nameAndCode(code)} is late: its last load is ${describeDays(age!)} ago; it is usually loaded every ${describeDays(rhythm!)}.`,
    href: '/portal/operator/registers',
    matter: `late ${code}`,
    state: `${at} ${doublings}`,
  };
}

function listOfSource({ source, condition, problem, next_period }: SourceReport): Concern[] {
  const about = { href: `/portal/operator/sources/${source}`, matter: `source ${source}` };
  if (condition === 'stopped' || condition === 'failing') {
    const state = `${condition} ${problem}`;
    return [{ ...about, level: 'bad', text: `Source ${source} is ${condition}: ${problem}`, state }];
  }
  if (condition !== 'overdue' || next_period === null) return [];
  const text = `Source ${source} is overdue: the file of ${showPeriod(next_period)} has not come.`;
  return [{ ...about, level: 'warn', text, state: `overdue ${next_period}` }];
}

/** Dismissed until the quota is used up, another is agreed, or the next month comes as far. */
function describeQuota({ key_id: id, name, customer, product, month, used, quota }: QuotaUse): Concern {
  const isUsedUp = used >= quota;
  const share = quota === 0 ? 100 : Math.floor((used / quota) * 100);
  const what = isUsedUp ? `the quota for ${product} is used up` : `${share} % of the quota for ${product} is used`;
  const counts = `${formatCount(used)} of ${formatCount(quota)} units`;
  return {
    level: isUsedUp ? 'bad' : 'warn',
    text: `${customer}, ${nameOf({ id, name })}: ${what} (${counts}).`,
    audited: `tmds_${id}: ${what}`,
    href: `/portal/operator/keys/${id}`,
    matter: `quota ${id} ${product}`,
    state: `${month} ${quota} ${isUsedUp ? 'used up' : 'near'}`,
  };
}

function listSuspended({ totals: { suspended_customers: count } }: HealthState): Concern[] {
  if (count === 0) return [];
  const text = count === 1 ? 'A customer is suspended.' : `${formatCount(count)} customers are suspended.`;
  const href = '/portal/operator/customers?state=suspended';
  return [{ level: 'warn', text, href, matter: 'suspended', state: String(count) }];
}

const NOTE_MAX = 500;

export const DISMISSAL = declareForm({
  matter: hiddenField(),
  state: hiddenField(false),
  note: textField({
    label: 'Why it needs no attention',
    attributes: { required: true, maxlength: NOTE_MAX },
    read: (text) => {
      const note = text.replace(/\s+/g, ' ').trim();
      return note === '' || note.length > NOTE_MAX ? { fault: `Write a note of 1 to ${NOTE_MAX} characters.` } : note;
    },
  }),
});
export const RECALL = declareForm({ matter: hiddenField(false) });

interface Attention {
  readonly concerns: readonly Concern[];
  /** Those of the concerns that are dismissed as they are now. */
  readonly dismissals: readonly Dismissal[];
  readonly fault: string | null;
  /** What is listed only in part; null if nothing is. */
  readonly cut: string | null;
}

export function renderAttention(call: SignedInCall, { concerns, dismissals, fault, cut }: Attention): unknown {
  const dismissed = new Map(dismissals.map((each) => [each.matter, each]));
  const shown = concerns.filter(({ matter }) => !dismissed.has(matter));
  const hidden = concerns.filter(({ matter }) => dismissed.has(matter));
  return html`
    <section id="attention">
      <h2>Needs attention</h2>
      ${renderFault(fault)}
      ${shown.length === 0 ? renderEmpty('All clear.') : null}
      ${shown.map((concern, at) => renderConcern(call, concern, at))}
      ${cut === null ? null : html`<p class="hint">${cut}</p>`}
      ${hidden.length === 0 ? null : renderDismissed(call, hidden, dismissed)}
    </section>
  `;
}

function renderConcern(call: SignedInCall, { level, text, href, matter, state }: Concern, at: number): unknown {
  const isTyped = typedIn(call, 'matter') === matter;
  const form = renderForm(isTyped ? call : untyped(call), DISMISSAL, {
    action: '/portal/operator/attention/dismiss',
    shown: { matter: { value: matter }, state: { value: state }, note: { id: `note-${at}` } },
    label: 'Dismiss until it changes',
    kind: 'second',
  });
  const summary = html`Dismiss…<span class="unseen"> ${text}</span>`;
  return renderNotice(
    level,
    html`<p><a href=${href}><bdi>${text}</bdi></a></p>${renderDisclosure(summary, form, isTyped)}`,
  );
}

function renderDismissed(
  call: SignedInCall,
  concerns: readonly Concern[],
  dismissed: ReadonlyMap<string, Dismissal>,
): unknown {
  const table = renderTable<Concern>({
    label: 'Dismissed',
    rows: concerns,
    columns: [
      {
        label: 'What',
        isHeader: true,
        style: 'name',
        cell: ({ href, text }) => html`<a href=${href}><bdi>${text}</bdi></a>`,
      },
      { label: 'Note', style: 'name', cell: ({ matter }) => html`<bdi>${dismissed.get(matter)!.note}</bdi>` },
      { label: 'Who', style: 'name', cell: ({ matter }) => html`<bdi>${dismissed.get(matter)!.actor}</bdi>` },
      { label: 'When', cell: ({ matter }) => renderInstant(dismissed.get(matter)!.dismissed_at) },
      { label: 'Back', isUnlabelled: true, cell: (concern) => renderRecall(call, concern) },
    ],
  });
  return renderDisclosure(`${formatCount(concerns.length)} dismissed until they change`, table);
}

function renderRecall(call: SignedInCall, { matter, text }: Concern): unknown {
  return renderForm(call, RECALL, {
    action: '/portal/operator/attention/recall',
    layout: null,
    shown: { matter: { value: matter } },
    label: html`Show again<span class="unseen"> ${text}</span>`,
    kind: 'quiet',
  });
}
