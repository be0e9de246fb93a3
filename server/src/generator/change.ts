/**
 * A later state of a record: what an office would send after something happened to it. It needs only the record, so it
 * can be applied to its own result. The content always differs from the input, and its new dates are after all past
 * dates of the input. A payload, if there is one, reports the change too.
 */
import type { Status } from '@tmds/contract/enums';
import type { DateText, Payload } from '@tmds/contract/record';
import type { CountryCode } from './countries.ts';
import { addYears, dayOf, dayText, findDay, type Stage } from './lifecycle.ts';
import { buildParties } from './parties.ts';
import { buildSeed, hashText, Random, type Seed } from './random.ts';
import type { SampleRecord } from './record.ts';
import { findRegister } from './registers.ts';
import { findStatusText } from './status-texts.ts';

const CHANGE_SPACE = 600;

interface Step {
  record: SampleRecord;
  random: Random;
  seed: Seed;
  /** The day of the change. */
  day: number;
}

const PAST_DATES = [
  'application_date',
  'publication_date',
  'registration_date',
  'renewal_date',
  'termination_date',
  'status_date',
  'external_update_date',
] as const;

function findLastDay(record: SampleRecord): number {
  let last = dayOf(1900, 1, 1);
  for (const field of PAST_DATES) {
    const stated = record[field];
    const day = stated === null ? null : findDay(stated);
    if (day !== null && day > last) last = day;
  }
  return last;
}

function setStatus({ record, day }: Step, status: Status, stage: Stage): void {
  record.status = status;
  record.status_date = dayText(day);
  const register = findRegister(record.jurisdiction_code);
  if (record.tm5_status !== null && register !== null) record.tm5_status = findStatusText(register.code, stage);
}

function terminate(step: Step, status: Status, stage: Stage): void {
  setStatus(step, status, stage);
  step.record.termination_date = dayText(step.day);
}

/** The expiry ten years later; null when the register never states one. */
function nextExpiry({ record, day }: Step): DateText | null {
  const register = findRegister(record.jurisdiction_code);
  if (register !== null && register.statesExpiry === 0) return null;
  const current = record.expiry_date === null ? null : findDay(record.expiry_date);
  return dayText(addYears(current === null ? day : current, 10));
}

function register(step: Step): void {
  const { record, day } = step;
  setStatus(step, 'Registered', 'registered');
  record.registration_date = dayText(day);
  record.publication_date ??= dayText(day);
  record.registration_number ??= record.uid.slice(-7);
  record.expiry_date = nextExpiry(step);
  record.termination_date = null;
}

function transfer({ record, random, seed }: Step): void {
  const parties = buildParties(seed);
  const country = (random.chance(0.7) ? record.owner_countries?.[0] : null) ?? random.pick(['US', 'DE', 'CN', 'JP']);
  const known = new Set<string>(['US', 'DE', 'CN', 'JP', 'FR', 'KR', 'GB', 'IT', 'TR', 'RU', 'BR', 'IN']);
  const home = (known.has(country) ? country : 'US') as CountryCode;
  let owner = parties.drawOwner(random, home);
  while (record.owner_names?.includes(owner.latinName)) owner = parties.drawOwner(random, home);
  record.owner_names = owner.name === owner.latinName ? [owner.name] : [owner.name, owner.latinName];
  record.owner_countries = [owner.country];
  const stated = record.payload?.parties;
  if (!Array.isArray(stated) || record.payload === null) return;
  const others = stated.filter((party) => party.role !== 'owner' && party.role !== 'applicant');
  const names = record.owner_names.map((text) => ({ text, kind: owner.isPerson ? 'person' : 'organization' }));
  const entry = { role: 'owner', identifier: `${owner.country}-${owner.number}`, names, address: { country: home } };
  record.payload = { ...record.payload, parties: [entry, ...others] };
}

function replaceRepresentative({ record, random, seed }: Step): void {
  const parties = buildParties(seed);
  const home = (findRegister(record.jurisdiction_code)?.agents ?? 'DE') as CountryCode;
  let agent = parties.drawAgent(random, home);
  while (record.representative_names?.includes(agent.latinName)) agent = parties.drawAgent(random, home);
  record.representative_names = [agent.latinName];
  const stated = record.payload?.parties;
  if (!Array.isArray(stated) || record.payload === null) return;
  const others = stated.filter((party) => party.role !== 'representative' && party.role !== 'correspondent');
  const names = [{ text: agent.latinName, kind: agent.isPerson ? 'person' : 'organization' }];
  const entry = { role: 'representative', identifier: `${agent.country}-${agent.number}`, names };
  record.payload = { ...record.payload, parties: [...others, entry] };
}

function limitClasses({ record, random }: Step): void {
  const classes = record.nice_classes as number[];
  const dropped = random.pick(classes);
  record.nice_classes = classes.filter((niceClass) => niceClass !== dropped);
  const stated = record.payload?.goods_and_services;
  if (!Array.isArray(stated) || record.payload === null) return;
  const kept = stated.filter((entry) => Number(entry.class) !== dropped);
  record.payload = { ...record.payload, goods_and_services: kept.length === 0 ? null : kept };
}

function amendGoods({ record, random }: Step): void {
  const payload = record.payload as Payload;
  const limitation = `Limitation ${random.between(1, 9)}: goods of second quality are excluded.`;
  const statements = Array.isArray(payload.statements) ? payload.statements : [];
  record.payload = { ...payload, statements: [...statements, { code: 'LIM', text: limitation, language: 'en' }] };
}

interface Change {
  readonly isPossible: (record: SampleRecord) => boolean;
  readonly apply: (step: Step) => void;
}

const isPending = (record: SampleRecord) => record.status === 'Pending';
const isRegistered = (record: SampleRecord) => record.status === 'Registered';
const always = () => true;

/** What can happen to a record. Changes are drawn by their place in this table. */
const CHANGES = {
  publish: {
    isPossible: (record) => isPending(record) && record.publication_date === null,
    apply: (step) => {
      setStatus(step, 'Pending', 'published');
      step.record.publication_date = dayText(step.day);
    },
  },
  register: { isPossible: (record) => isPending(record) || record.status === 'Unknown', apply: register },
  refuse: { isPossible: isPending, apply: (step) => terminate(step, 'Abandoned', 'refused') },
  withdraw: { isPossible: isPending, apply: (step) => terminate(step, 'Abandoned', 'withdrawn') },
  renew: {
    isPossible: isRegistered,
    apply: (step) => {
      setStatus(step, 'Registered', 'renewed');
      step.record.renewal_date = dayText(step.day);
      step.record.expiry_date = nextExpiry(step);
    },
  },
  transfer: { isPossible: always, apply: transfer },
  replaceRepresentative: { isPossible: always, apply: replaceRepresentative },
  limitClasses: { isPossible: (record) => (record.nice_classes?.length ?? 0) > 1, apply: limitClasses },
  surrender: { isPossible: isRegistered, apply: (step) => terminate(step, 'Cancelled', 'surrendered') },
  expire: { isPossible: isRegistered, apply: (step) => terminate(step, 'Cancelled', 'expired') },
  revive: {
    isPossible: (record) => record.status === 'Abandoned' || record.status === 'Cancelled',
    apply: (step) => {
      if (step.record.registration_date === null) setStatus(step, 'Pending', 'examination');
      else setStatus(step, 'Registered', 'registered');
      step.record.termination_date = null;
    },
  },
  amendGoods: { isPossible: (record) => record.payload !== null, apply: amendGoods },
} satisfies Record<string, Change>;

type ChangeKind = keyof typeof CHANGES;
const CHANGE_KINDS = Object.keys(CHANGES) as ChangeKind[];

function addEvent(payload: Payload, kind: ChangeKind, day: number): Payload {
  if (!Array.isArray(payload.events)) return payload;
  const event = {
    kind: 'history',
    code: 'CHG',
    text: kind,
    date: dayText(day),
    number: String(payload.events.length + 1),
  };
  return { ...payload, events: [...payload.events, event] };
}

/**
 * The record after its `step`-th change (1, 2, 3 …). Does not modify its input; equal inputs give equal results. The
 * dates of the result may be after the reference date of the sample data.
 */
export function generateChange(record: SampleRecord, seed: string | number, step: number): SampleRecord {
  const seedBits = buildSeed(seed);
  const random = new Random(seedBits, CHANGE_SPACE + step, hashText(`${record.jurisdiction_code} ${record.uid}`) >>> 0);
  const kind = random.pick(CHANGE_KINDS.filter((each) => CHANGES[each].isPossible(record)));
  const day = findLastDay(record) + random.between(1, 45);
  const changed = { ...record };
  CHANGES[kind].apply({ record: changed, random, seed: seedBits, day });
  changed.external_update_date = dayText(day);
  if (changed.payload !== null) changed.payload = addEvent(changed.payload, kind, day);
  return changed;
}
