/**
 * The full document behind a record, in the shape that every register format produces: parties, mark, goods and
 * services, publications, priorities, events, images, and the office's own status. It agrees with the record's fields.
 * Most are 1 to 3 KB; a few with long histories or long lists of goods reach 1 MB.
 */
import type { Payload } from '@tmds/contract/record';
import { isPictured } from './classification.ts';
import type { World } from './core.ts';
import { countryOf } from './countries.ts';
import { buildGoods } from './lexicon/goods.ts';
import { dayText, type LifeEvent, splitDay, yearOf } from './lifecycle.ts';
import { buildApplicationNumber } from './numbers.ts';
import type { PayloadMode } from './options.ts';
import { buildAddress, type Party } from './parties.ts';
import { buildWeighted, pickWeighted, Random } from './random.ts';
import type { Draft } from './record.ts';

const PAYLOAD_SPACE = 500;

/** Ranges of extra size in UTF-16 units, with their weights. */
const EXTRAS = buildWeighted<readonly [number, number]>([
  [[0, 0], 9450],
  [[3000, 18_000], 400],
  [[18_000, 90_000], 120],
  [[90_000, 450_000], 27],
  [[450_000, 980_000], 3],
]);

const EVENT_TEXTS: Record<LifeEvent['what'], readonly [string, string]> = {
  received: ['A100', 'Application received'],
  formalities: ['A110', 'Formalities checked'],
  filed: ['A120', 'Filing date accorded'],
  examination: ['A200', 'Examination started'],
  published: ['B100', 'Application published'],
  opposition_filed: ['C100', 'Notice of opposition filed'],
  opposed: ['C110', 'Opposition admissible'],
  opposition_closed: ['C190', 'Opposition closed'],
  registered: ['D100', 'Mark registered'],
  registration_published: ['D110', 'Registration published'],
  renewed: ['E100', 'Registration renewed'],
  refused: ['F100', 'Application refused'],
  withdrawn: ['F110', 'Application withdrawn'],
  expired: ['F200', 'Registration expired'],
  surrendered: ['F210', 'Registration surrendered'],
  invalidated: ['F220', 'Registration declared invalid'],
  unknown: ['Z000', 'State not stated'],
};

const HISTORY_TEXTS = (
  'Correspondence received|Letter sent to representative|Fee recorded|Change of address recorded|' +
  'Extension of time granted|Document scanned|Assigned to examiner|Limitation of goods recorded|' +
  'Notification to the international office|Evidence of use filed|Observation of a third party|' +
  'Statement of grounds received|Payment reminder sent'
).split('|');

function languageTag(code: string): string {
  return code === 'zh-tw' ? 'zh' : code;
}

function buildParty(world: World, draft: Draft, party: Party, role: string): Record<string, unknown> {
  const { language } = countryOf(party.country);
  const { content, position } = draft;
  const { register } = position;
  const isOwnScript = register.ownScript && party.country === register.agents;
  const kind = party.isPerson ? 'person' : 'organization';
  const own = languageTag(language.code);
  const isTranslated = party.name !== party.latinName;
  const names = [{ text: party.latinName, kind, language: isOwnScript || isTranslated ? 'en' : own }];
  if (isTranslated) names.unshift({ text: party.name, kind, language: own });
  // Shown names can be found: a register states the same forms of a name here and in the fields of the record.
  const listed = role === 'owner' || role === 'applicant' ? content.owner_names : content.representative_names;
  const { country, ...address } = buildAddress(world.seed, party, isOwnScript ? 'text' : 'latin');
  return {
    role,
    identifier: `${party.country}-${party.number}`,
    names: names.filter(({ text }) => listed?.includes(text)),
    address: content.owner_countries === null ? address : { ...address, country },
  };
}

function buildPartySection(world: World, random: Random, draft: Draft): Record<string, unknown>[] | null {
  const { content, core, agents } = draft;
  const role = content.registration_number === null ? 'applicant' : 'owner';
  const parties: Record<string, unknown>[] = [];
  if (content.owner_names !== null)
    for (const owner of core.owners) parties.push(buildParty(world, draft, owner, role));
  for (const agent of agents) parties.push(buildParty(world, draft, agent, 'representative'));
  const first = agents[0];
  if (first !== undefined && random.chance(0.2)) parties.push(buildParty(world, draft, first, 'correspondent'));
  return parties.length === 0 ? null : parties;
}

function buildMarkSection(draft: Draft): Record<string, unknown> | null {
  const { content, core } = draft;
  if (content.mark_name === null) return null;
  const home = core.owners[0] as Party;
  const language = languageTag(countryOf(home.country).language.code);
  const [transliteration, translation] = content.mark_name_variants ?? [];
  const section: Record<string, unknown> = { texts: [{ text: content.mark_name, language }] };
  if (transliteration !== undefined) section.transliterations = [{ text: transliteration, language }];
  if (translation !== undefined) section.translations = [{ text: translation, language: 'en' }];
  return section;
}

function buildPublications(draft: Draft, random: Random): Record<string, unknown>[] | null {
  const { publication, registration } = draft.life;
  const publications: Record<string, unknown>[] = [];
  const add = (day: number, section: string) => {
    const { year, month } = splitDay(day);
    const identifier = `${year}/${String(month * 4 - random.below(4)).padStart(2, '0')}`;
    publications.push({ identifier, section, date: dayText(day), page: String(random.between(1, 980)) });
  };
  if (publication !== null) add(publication, 'A.1');
  if (registration !== null) add(registration, 'B.1');
  return publications.length === 0 ? null : publications;
}

function buildPriorities({ origin }: Draft): Record<string, unknown>[] | null {
  if (origin.kind !== 'priority') return null;
  const { code } = origin.register;
  const number = buildApplicationNumber(code, origin.rank, yearOf(origin.firstDay));
  return [{ number, country: code, date: dayText(origin.firstDay), claimed: true, status: 'accepted' }];
}

/** The events of the record's life and, in a long history, correspondence in between; in order of time. */
function buildEvents(draft: Draft, random: Random, extraUnits: number): Record<string, unknown>[] {
  const { life } = draft;
  const days = life.events.map(({ day, what }) => {
    const [code, text] = EVENT_TEXTS[what];
    return { day, code, text };
  });
  const firstDay = life.events[0]?.day ?? draft.core.applicationDay;
  const lastDay = days.reduce((latest, { day }) => Math.max(latest, day), firstDay);
  for (let units = 0; units < extraUnits; units += 105) {
    const day = firstDay + random.below(lastDay - firstDay + 1);
    days.push({ day, code: `H${random.between(100, 999)}`, text: random.pick(HISTORY_TEXTS) });
  }
  days.sort((a, b) => a.day - b.day);
  return days.map(({ day, code, text }, i) => ({
    kind: 'history',
    code,
    text,
    date: dayText(day),
    number: String(i + 1),
  }));
}

function buildImages(draft: Draft, random: Random): Record<string, unknown>[] | null {
  const { content, core } = draft;
  if (!isPictured(core.feature) || !random.chance(0.8)) return null;
  const words = core.hasWords && core.feature !== 'Figurative' ? core.mark.name : null;
  const image: Record<string, unknown> = {
    identifier: `${content.uid}-1`,
    format: 'SVG',
    uri: buildImage(random, words),
  };
  if (content.vienna_codes !== null) image.vienna_codes = content.vienna_codes;
  return [image];
}

function buildInternational({ content, origin }: Draft): Record<string, unknown> | null {
  const [number] = content.international_registration_numbers ?? [];
  if (number === undefined) return null;
  const date = origin.kind === 'international' ? { registration_date: dayText(origin.day) } : {};
  const designations = content.designated_countries === null ? {} : { designations: content.designated_countries };
  return { registration: { number, ...date }, ...designations };
}

function buildSource({ content, life }: Draft): Record<string, unknown> {
  const source: Record<string, unknown> = { format: 'sample', status_code: life.stage };
  if (content.tm5_status !== null) source.status_text = content.tm5_status;
  return source;
}

/** The payload of a record: a function of the world and the record's position. */
export function buildPayload(world: World, draft: Draft, mode: PayloadMode): Payload | null {
  if (mode === 'none') return null;
  const { register, rank } = draft.position;
  const random = new Random(world.seed, PAYLOAD_SPACE + register.place, rank);
  const [least, most] = pickWeighted(random, EXTRAS);
  const extraUnits = mode === 'full' ? random.between(least, most) : 0;
  const eventShare = random.unit();
  const parties = buildPartySection(world, random, draft);
  const goods = buildGoods(random, draft, mode === 'full', extraUnits * (1 - eventShare));
  if (mode === 'small') return { parties, goods_and_services: goods, source: buildSource(draft) };
  return {
    parties,
    mark: buildMarkSection(draft),
    goods_and_services: goods,
    publications: buildPublications(draft, random),
    priorities: buildPriorities(draft),
    events: buildEvents(draft, random, extraUnits * eventShare),
    images: buildImages(draft, random),
    classification: draft.content.nice_classes === null ? null : { nice_version: '13-2026' },
    international: buildInternational(draft),
    related_marks: null,
    statements: null,
    source: buildSource(draft),
  };
}

const COLOURS = ['1b4d89', 'c0392b', '2e7d32', 'f2a900', '5b2c83', '00838f', 'd84315', '37474f', 'ad1457', '6d8b00'];

const SHAPES: readonly ((random: Random, fill: string) => string)[] = [
  (random, fill) => `<circle cx='100' cy='52' r='${random.between(22, 44)}' fill='${fill}'/>`,
  (random, fill) => `<rect x='62' y='14' width='76' height='76' rx='${random.between(0, 30)}' fill='${fill}'/>`,
  (random, fill) => `<path d='M100 ${random.between(6, 16)} L142 90 L58 90 Z' fill='${fill}'/>`,
  (random, fill) =>
    `<circle cx='100' cy='52' r='${random.between(28, 38)}' fill='none' stroke='${fill}' stroke-width='9'/>`,
  (random, fill) =>
    `<path d='M40 60 Q70 ${random.between(5, 40)} 100 60 T160 60' fill='none' stroke='${fill}' stroke-width='10'/>`,
  (_random, fill) =>
    `<path d='M100 12 L111 42 L143 42 L117 61 L127 92 L100 73 L73 92 L83 61 L57 42 L89 42 Z' fill='${fill}'/>`,
  (random, fill) =>
    `<path d='M100 92 C${random.between(30, 55)} 60 66 12 100 34 C134 12 150 60 100 92 Z' fill='${fill}'/>`,
  (_random, fill) => `<path d='M70 90 V40 L100 14 L130 40 V90 Z' fill='${fill}'/>`,
];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&quot;' };

/** `data:image/svg+xml,…`, 0.4 to 1.2 KB. `words` are written below the drawing; null = none. */
function buildImage(random: Random, words: string | null): string {
  const colours = [`#${random.pick(COLOURS)}`, `#${random.pick(COLOURS)}`];
  let drawing = random.pick(SHAPES)(random, colours[0] as string);
  if (random.chance(0.5))
    drawing += random
      .pick(SHAPES)(random, colours[1] as string)
      .replace(/\/>$/, " opacity='.6'/>");
  if (words !== null) {
    const text = words.replace(/[&<>'"]/g, (letter) => ESCAPES[letter] as string);
    const size = words.length > 22 ? 10 : words.length > 12 ? 15 : 21;
    drawing += `<text x='100' y='118' font-family='sans-serif' font-size='${size}' text-anchor='middle'>${text}</text>`;
  }
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 200 128'>${drawing}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
