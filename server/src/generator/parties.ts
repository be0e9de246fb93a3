/**
 * Owners and representatives. A party is a pure function of (seed, country, number), so a company has the same name and
 * address in every register where it files. Low numbers are drawn often: they have large portfolios.
 */
import { COUNTRIES, type CountryCode, countryOf } from './countries.ts';
import type { Word } from './lexicon/language.ts';
import { addTrade, buildPhrase, capitalizeWord, coinWord, upperCase } from './marks.ts';
import { Random, type Seed } from './random.ts';

export interface Party {
  country: CountryCode;
  /** As written at home. */
  name: string;
  /** In Latin letters; equal to `name` when that is Latin. */
  latinName: string;
  isPerson: boolean;
  /** Seeds the address, which is built only for a payload. */
  number: number;
}

const OWNER_SPACE = 1000;
const AGENT_SPACE = 2000;
const ADDRESS_SPACE = 3000;
const OWNER_SCALE = 250;
const AGENT_SCALE = 12;
const AGENTS_MAX = 4000;
/** Added to the numbers of representatives, so that no owner has the same address. */
const AGENT_ADDRESSES = 1_000_000_000;
/** Parties with lower numbers are cached, because they occur again and again. */
const KEPT_MAX = 1024;

const placeOf = new Map<CountryCode, number>(COUNTRIES.map((entry, i) => [entry.code as CountryCode, i]));

const INITIALS = 'ABCDEFGHJKLMNPRSTVW';

function writePerson(random: Random, code: CountryCode): Word {
  const { language } = countryOf(code);
  const family = random.pick(language.surnames);
  const given = random.pick(language.givenNames);
  const gap = ['Hans', 'Hant', 'Jpan', 'Hang'].includes(language.script) ? '' : ' ';
  if (!language.surnameFirst) {
    const middle = language.code === 'en' && random.chance(0.6) ? ` ${INITIALS[random.below(INITIALS.length)]}.` : '';
    const further = middle === '' && random.chance(0.25) ? ` ${random.pick(language.givenNames).text}` : '';
    const isLatin = language.script === 'Latn';
    const between = isLatin ? middle + further : '';
    return {
      text: `${given.text}${between} ${family.text}`,
      latin: `${given.latin}${between} ${family.latin}`,
      english: null,
    };
  }
  return { text: family.text + gap + given.text, latin: `${family.latin} ${given.latin}`, english: null };
}

function writeBody(random: Random, code: CountryCode): Word {
  const { language, cities } = countryOf(code);
  const draw = random.unit();
  let body: Word;
  if (draw < 0.5) body = capitalizeWord(coinWord(random, language), language);
  else if (draw < 0.75 && language.script !== 'Hans') body = random.pick(language.surnames);
  else body = buildPhrase(random, language);
  if (random.chance(0.06))
    body = { text: upperCase(body.text, language), latin: body.latin.toUpperCase(), english: null };
  if (random.chance(0.7)) {
    body = addTrade(random, language, body);
  }
  if (code === 'CN' && random.chance(0.85)) {
    const city = random.pick(cities);
    body = { text: city.text + body.text, latin: `${city.latin} ${body.latin}`, english: null };
  }
  return body;
}

function buildOwner(seed: Seed, country: CountryCode, number: number): Party {
  const random = new Random(seed, OWNER_SPACE + (placeOf.get(country) as number), number);
  if (number > 40 && random.chance(0.12)) {
    const person = writePerson(random, country);
    return { country, name: person.text, latinName: person.latin, isPerson: true, number };
  }
  const body = writeBody(random, country);
  const form = random.pick(countryOf(country).forms);
  return {
    country,
    name: form.own.replace('%', () => body.text),
    latinName: form.latin.replace('%', () => body.latin),
    isPerson: false,
    number,
  };
}

/** Names of representatives' firms; `%` is one family name, `%%` a second. */
const FIRMS: Partial<Record<CountryCode, readonly (readonly [string, string?])[]>> = {
  US: [['% & %% LLP'], ['% IP Law, P.C.'], ['Law Offices of %, PLLC'], ['% %% Trademark Group']],
  GB: [['% & %% LLP'], ['% Intellectual Property Limited'], ['% IP']],
  CA: [['% %% LLP'], ['% & %% IP Agency Inc.']],
  AU: [['% %% Patent and Trade Marks Attorneys'], ['% IP Pty Ltd']],
  DE: [['Patentanwälte % & %% PartG mbB'], ['Kanzlei %'], ['% %% Rechtsanwälte PartmbB']],
  AT: [['% & %% Rechtsanwälte OG'], ['Patentanwaltskanzlei %']],
  CH: [['% & %% AG'], ['% Markenberatung GmbH']],
  FR: [['Cabinet %'], ['% & %% Avocats'], ['SELARL % Conseil']],
  ES: [['% y %% Abogados, S.L.P.'], ['% Patentes y Marcas, S.A.']],
  MX: [['% y %%, S.C.'], ['Bufete %, A.C.']],
  IT: [['Studio %'], ['% & %% Brevetti S.r.l.']],
  BR: [['% & %% Propriedade Intelectual Ltda.'], ['% Marcas e Patentes']],
  PT: [['% & Associados'], ['Gabinete % Lda.']],
  SE: [['Advokatbyrån % AB'], ['% & %% Patentbyrå AB']],
  FI: [['Patenttitoimisto % Oy'], ['% & %% Asianajotoimisto Oy']],
  PL: [['Kancelaria Patentowa %'], ['% i Wspólnicy Sp. k.']],
  TR: [['% Patent ve Marka Danışmanlık Ltd. Şti.'], ['% & %% Hukuk Bürosu']],
  VN: [['Công ty Luật TNHH % và Cộng sự', '% & Associates IP Law Firm']],
  CN: [
    ['北京%%%知识产权代理有限公司', 'Beijing % %% Intellectual Property Agency Co., Ltd.'],
    ['%氏商标事务所有限公司', '% Trademark Agency Co., Ltd.'],
  ],
  TW: [
    ['%%%專利商標事務所', '% & %% Patent and Trademark Office'],
    ['%律師事務所', '% Attorneys-at-Law'],
  ],
  JP: [
    ['%特許事務所', '% Patent Office'],
    ['弁理士法人%・%%', '% & %% Patent Professional Corporation'],
  ],
  KR: [
    ['특허법인 %앤%%', '% & %% Patent & Law Firm'],
    ['%특허법률사무소', '% Patent Law Office'],
  ],
  TH: [['สำนักงานกฎหมาย%', '% Law Office']],
  RU: [
    ['Патентное бюро "% и партнёры"', 'Patent Bureau "% & Partners"'],
    ['ООО "%-Патент"', 'OOO "%-Patent"'],
  ],
  GR: [['Δικηγορική Εταιρεία % & Συνεργάτες', '% & Associates Law Firm']],
  IL: [['% ושות׳, עורכי פטנטים', '% & Co., Patent Attorneys']],
  SA: [['مكتب % للملكية الفكرية', '% Intellectual Property Office']],
  IN: [['% एंड एसोसिएट्स', '% & Associates']],
};

function buildAgent(seed: Seed, country: CountryCode, number: number): Party {
  const random = new Random(seed, AGENT_SPACE + (placeOf.get(country) as number), number);
  const firms = FIRMS[country];
  if (firms === undefined || random.chance(0.22)) {
    const person = writePerson(random, country);
    return { country, name: person.text, latinName: person.latin, isPerson: true, number: AGENT_ADDRESSES + number };
  }
  const [own, latin = own] = random.pick(firms);
  const { surnames } = countryOf(country).language;
  const [first, second] = [random.pick(surnames), random.pick(surnames)];
  const fill = (form: string, key: 'text' | 'latin') =>
    form.replace(/%%|%/g, (hole) => (hole === '%%' ? second[key] : first[key]));
  return {
    country,
    name: fill(own, 'text'),
    latinName: fill(latin, 'latin'),
    isPerson: false,
    number: AGENT_ADDRESSES + number,
  };
}

export interface Parties {
  drawOwner(random: Random, country: CountryCode): Party;
  drawAgent(random: Random, country: CountryCode): Party;
}

export function buildParties(seed: Seed): Parties {
  const owners = new Map<number, Party>();
  const agents = new Map<number, Party>();
  const keep = (kept: Map<number, Party>, build: typeof buildOwner, country: CountryCode, number: number) => {
    if (number >= KEPT_MAX) return build(seed, country, number);
    const key = (placeOf.get(country) as number) * KEPT_MAX + number;
    let party = kept.get(key);
    if (party === undefined) {
      party = build(seed, country, number);
      kept.set(key, party);
    }
    return party;
  };
  return {
    drawOwner: (random, country) => keep(owners, buildOwner, country, random.rank(OWNER_SCALE)),
    drawAgent: (random, country) => keep(agents, buildAgent, country, random.rank(AGENT_SCALE) % AGENTS_MAX),
  };
}

/** The party's address, in its own script or in Latin letters. */
export function buildAddress(
  seed: Seed,
  party: Party,
  key: 'text' | 'latin',
): { lines: string[]; city: string; postcode: string; country: string } {
  const { cities, streets, postalCode } = countryOf(party.country);
  const random = new Random(seed, ADDRESS_SPACE + (placeOf.get(party.country) as number), party.number);
  const street = `${random.pick(streets)[key]} ${random.between(1, 240)}`;
  const code = postalCode.replace(/#/g, () => String(random.between(1, 9)));
  return { lines: [street], city: random.pick(cities)[key], postcode: code, country: party.country };
}
