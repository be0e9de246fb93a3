/** Every rule, as the page of rules lists them. Order counts: of the rules of a line the first that fits is used. */
import { type Rule, renewalRule } from '../rule.ts';
import { AMERICAS } from './americas.ts';
import { ASIA_PACIFIC } from './asia-pacific.ts';
import { EUROPE } from './europe.ts';

const INTERNATIONAL: readonly Rule[] = [
  renewalRule({
    id: 'wo.renewal',
    jurisdiction: 'WO',
    route: 'madrid',
    anchor: 'registration_date',
    terms: [{ years: 20, begins: { before: '1996-04-01' } }, { years: 10 }],
    consequence: 'The international registration ends, with every designation.',
    text: 'Ten years from the international registration and every ten years after; terms that began under the Agreement, before 1 April 1996, last twenty.',
    source:
      'Madrid Protocol, articles 6(1) and 7; Madrid Agreement, article 6(1); Regulations under the Protocol, rules 29 to 31',
  }),
  {
    id: 'wo.dependency',
    version: 1,
    jurisdiction: 'WO',
    event: 'dependency_end',
    route: 'madrid',
    anchor: 'registration_date',
    repeats: false,
    term: { years: 5 },
    rolls: false,
    consequence: 'From this day the international registration no longer falls with its basic mark.',
    text: 'Five years from the international registration.',
    source: 'Madrid Protocol, article 6(2) and (3)',
  },
];

export const RULES: readonly Rule[] = [...AMERICAS, ...EUROPE, ...ASIA_PACIFIC, ...INTERNATIONAL];
