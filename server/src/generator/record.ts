/**
 * Builds one record: the core of a first filing, its life at this register, and what the register states about it.
 * Values are written as an office sends them (names in their own letter case); loading them normalizes them.
 */
import type { Payload, RecordContent } from '@tmds/contract/record';
import { isPictured, KINDS } from './classification.ts';
import { buildCore, type Core, type World } from './core.ts';
import { buildLife, dayText, type Life, yearOf } from './lifecycle.ts';
import {
  buildApplicationNumber,
  buildInternationalNumber,
  buildRegistrationNumber,
  buildUid,
  type Position,
} from './numbers.ts';
import { findOrigin, listDesignations, type Origin } from './origin.ts';
import type { Party } from './parties.ts';
import { pickWeighted, Random } from './random.ts';
import { type Register, registerOf } from './registers.ts';
import { findStatusText } from './status-texts.ts';

/** One line of the `ndjson` format. */
export interface SampleRecord extends RecordContent {
  mark_name_variants: string[] | null;
  payload: Payload | null;
}

/** A record, with what only its payload needs. */
export interface Draft {
  position: Position;
  content: Omit<SampleRecord, 'payload'>;
  core: Core;
  life: Life;
  agents: Party[];
  origin: Origin;
}

const STATE_SPACE = 400;

function findCore(world: World, { register, rank }: Position, origin: Origin): Core {
  switch (origin.kind) {
    case 'international':
      return { ...buildCore(world, registerOf('WO'), origin.rank), applicationDay: origin.day };
    case 'priority':
      return { ...buildCore(world, origin.register, origin.rank), applicationDay: origin.day };
    case 'division':
      return buildCore(world, register, origin.parentRank);
    default:
      return buildCore(world, register, rank);
  }
}

/** Names as this register lists them: in its own script with the Latin form, or the Latin form alone. */
function listNames(random: Random, register: Register, parties: readonly Party[]): string[] | null {
  const names: string[] = [];
  for (const party of parties) {
    const isHome = register.ownScript && party.country === register.agents;
    if (isHome || (register.ownScript === false && party.name !== party.latinName && random.chance(0.12))) {
      names.push(party.name);
    }
    if (!names.includes(party.latinName) && (!isHome || random.chance(0.8))) names.push(party.latinName);
  }
  return names.length === 0 ? null : names;
}

function drawAgents(random: Random, world: World, register: Register, core: Core): Party[] {
  if (random.chance(0.17)) return [];
  const home = (core.owners[0] as Party).country;
  const agents = [world.parties.drawAgent(random, register.agents ?? home)];
  if (random.chance(0.05)) agents.push(world.parties.drawAgent(random, register.agents ?? home));
  return agents;
}

interface Numbers {
  uid: string;
  application: string | null;
  registration: string | null;
  international: string[] | null;
  priority: string[] | null;
}

function buildNumbers(
  random: Random,
  { register, rank }: Position,
  origin: Origin,
  core: Core,
  kind: string | null,
): Numbers {
  const { code } = register;
  const year = yearOf(core.applicationDay);
  const numberRank = origin.kind === 'division' ? origin.parentRank : rank;
  let application = buildApplicationNumber(code, numberRank, year);
  const international = origin.kind === 'international' ? buildInternationalNumber(origin.rank) : null;
  if (international !== null && code !== 'US' && code !== 'KR')
    application = code === 'CN' ? `G${international}` : `W${international.padStart(8, '0')}`;
  const sharesNumber = origin.kind === 'division' && code !== 'WO' && random.chance(0.5);
  const registration = buildRegistrationNumber(code, sharesNumber ? numberRank : rank, year, application);
  let priority: string[] | null = null;
  if (origin.kind === 'priority') {
    const number = buildApplicationNumber(origin.register.code, origin.rank, yearOf(origin.firstDay));
    priority = number === null ? null : [number];
  }
  return {
    uid: buildUid(code, rank, year, kind === 'Geographical' ? '52' : '50'),
    application: random.chance(0.004) ? null : application,
    registration,
    international: code === 'WO' ? [registration as string] : international === null ? null : [international],
    priority,
  };
}

const textOf = (day: number | null): string | null => (day === null ? null : dayText(day));

/** The office's own date: on or after the last event, never after the reference date. */
function drawUpdateDay(random: Random, life: Life, asOfDay: number): number | null {
  if (!random.chance(0.62)) return null;
  const last = (life.events[life.events.length - 1] as { day: number }).day;
  return Math.min(asOfDay, last + Math.floor(random.unit() * random.unit() * 400));
}

/** The record at a position, without its payload: a pure function of the world and the position. */
export function buildDraft(world: World, position: Position): Draft {
  const { register, rank } = position;
  const random = new Random(world.seed, STATE_SPACE + register.place, rank);
  const origin = findOrigin(world, register, rank);
  const core = findCore(world, position, origin);
  const kind = random.chance(register.statesKind) ? pickWeighted(random, KINDS) : null;
  const numbers = buildNumbers(random, position, origin, core, kind);
  const life = buildLife(random, register, core.applicationDay, world.asOfDay);
  const agents = drawAgents(random, world, register, core);
  const isNumbered = life.registration !== null || (register.numbersAtFiling && life.status !== 'Unknown');
  const statusText = findStatusText(register.code, life.stage);
  const content: Draft['content'] = {
    jurisdiction_code: register.code,
    uid: numbers.uid,
    office: origin.kind === 'international' ? 'WO' : register.code,
    application_number: numbers.application,
    registration_number: isNumbered ? numbers.registration : null,
    mark_name: core.hasWords ? core.mark.name : null,
    status: life.status,
    tm5_status: random.chance(0.94) ? statusText : null,
    kind_of_mark: kind,
    mark_feature: core.feature,
    application_date: random.chance(0.006) ? null : dayText(core.applicationDay),
    registration_date: textOf(life.registration),
    publication_date: textOf(life.publication),
    expiry_date: textOf(life.expiry),
    renewal_date: textOf(life.renewal),
    termination_date: textOf(life.termination),
    opposition_period_end: textOf(life.oppositionEnd),
    status_date: textOf(life.statusDay),
    external_update_date: textOf(drawUpdateDay(random, life, world.asOfDay)),
    nice_classes: random.chance(0.008) ? null : core.niceClasses,
    vienna_codes: register.statesVienna && isPictured(core.feature) && random.chance(0.94) ? core.viennaCodes : null,
    owner_names: random.chance(0.012) ? null : listNames(random, register, core.owners),
    owner_countries: random.chance(0.03) ? null : [...new Set(core.owners.map((owner) => owner.country))],
    representative_names: agents.length === 0 ? null : listNames(random, register, agents),
    international_registration_numbers: numbers.international,
    priority_numbers: numbers.priority,
    designated_countries: register.code === 'WO' ? listDesignations(world, rank) : null,
    mark_name_variants: core.hasWords ? core.mark.variants : null,
  };
  return { position, content, core, life, agents, origin };
}
