/**
 * What operators should act on now, the most pressing first. Each matter has a name that lasts as long as it does, and
 * a state: a dismissal counts for one state, so that a matter which gets worse or happens again is shown again.
 */
import type { QuotaUse } from '../../store/accounts/operator-customers.ts';
import type { RegisterRhythm } from '../../store/records/registers.ts';
import { showPeriod } from '../../store/sync/periods.ts';
import type { SourceReport } from '../../store/sync/source-reports.ts';
import { formatCount } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { nameOf } from '../keys/wording.ts';
import { describeDays, judgeFreshness } from '../registers/freshness.ts';
import type { HealthState } from './health-state.ts';

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
