/** United States, Canada and Brazil. */
import type { Rule } from '../rule.ts';
import { oppositionRule } from './opposition.ts';
import { partRenewalRule, renewalRule } from './renewal.ts';

const DECLARATION = {
  version: 1,
  jurisdiction: 'US',
  event: 'use_declaration',
  anchor: 'registration_date',
  grace: { months: 6 },
  rolls: true,
} as const;

export const AMERICAS: readonly Rule[] = [
  renewalRule({
    id: 'us.renewal',
    jurisdiction: 'US',
    route: 'direct',
    anchor: 'registration_date',
    terms: [{ years: 20, begins: { before: '1989-11-16' } }, { years: 10 }],
    opensBefore: { years: 1 },
    grace: { months: 6 },
    consequence: 'The registration expires. With it go the rights of the register, not those of use.',
    text: 'Ten years from registration and every ten years after; terms that began before 16 November 1989 last twenty. The declaration of use under section 8 is due at the same time.',
    source: '15 U.S.C. 1059 (Lanham Act, section 9); Pub. L. 100-667, section 51; 37 CFR 2.182',
  }),
  ...partRenewalRule('US', 'application_date'),
  {
    ...DECLARATION,
    id: 'us.use-first',
    route: 'direct',
    repeats: false,
    term: { years: 6 },
    opensBefore: { years: 1 },
    consequence: 'The registration is cancelled.',
    text: 'A declaration of use between the fifth and the sixth year after registration.',
    source: '15 U.S.C. 1058 (Lanham Act, section 8); 37 CFR 2.160',
  },
  {
    ...DECLARATION,
    id: 'us.use-first-extension',
    route: 'madrid',
    repeats: false,
    term: { years: 6 },
    opensBefore: { years: 1 },
    consequence: 'The extension of protection is cancelled.',
    text: 'A declaration of use between the fifth and the sixth year after the registration in the United States.',
    source: '15 U.S.C. 1141k (Lanham Act, section 71); 37 CFR 7.36',
  },
  {
    ...DECLARATION,
    id: 'us.use-extension',
    route: 'madrid',
    repeats: true,
    terms: [{ years: 10 }],
    opensBefore: { years: 1 },
    consequence: 'The extension of protection is cancelled.',
    text: 'A declaration of use within the last year of every ten years after the registration in the United States.',
    source: '15 U.S.C. 1141k (Lanham Act, section 71); 37 CFR 7.36',
  },
  ...(['direct', 'madrid'] as const).map(
    (route): Rule =>
      oppositionRule({
        id: `us.opposition${route === 'madrid' ? '-extension' : ''}`,
        jurisdiction: 'US',
        route,
        term: { days: 30 },
        extendableTo: { days: 180 },
        consequence: 'Nobody can oppose any more; a petition to cancel remains.',
        text: 'Thirty days from publication in the Official Gazette, extendable on request to 180 days.',
        source: '15 U.S.C. 1063 (Lanham Act, section 13); 37 CFR 2.101, 2.102 and 2.196',
      }),
  ),
  renewalRule({
    id: 'ca.renewal',
    jurisdiction: 'CA',
    route: 'direct',
    anchor: 'registration_date',
    terms: [{ years: 15, begins: { before: '2019-06-17' } }, { years: 10 }],
    opensBefore: { months: 6 },
    grace: { months: 6 },
    text: 'Ten years from registration and every ten years after; terms that began before 17 June 2019 last fifteen.',
    source:
      'Trademarks Act (R.S.C. 1985, c. T-13), sections 46 and 73; Trademarks Regulations (SOR/2018-227), section 76',
  }),
  ...partRenewalRule('CA', 'application_date'),
  ...(['direct', 'madrid'] as const).map(
    (route): Rule =>
      oppositionRule({
        id: `ca.opposition${route === 'madrid' ? '-part' : ''}`,
        jurisdiction: 'CA',
        route,
        term: { months: 2 },
        extendableTo: route === 'madrid' ? { months: 6 } : { months: 15 },
        consequence: 'Nobody can oppose any more; invalidation by the Federal Court remains.',
        text: 'Two months from advertisement. Four months more can be asked for, and nine more while both sides negotiate; an international registration leaves less time.',
        source:
          'Trademarks Act (R.S.C. 1985, c. T-13), sections 38 and 47; practice notice on procedure in opposition proceedings',
      }),
  ),
  renewalRule({
    id: 'br.renewal',
    jurisdiction: 'BR',
    route: 'direct',
    anchor: 'registration_date',
    terms: [{ years: 10 }],
    opensBefore: { years: 1 },
    grace: { months: 6 },
    text: 'Ten years from the grant and every ten years after.',
    source: 'Law 9.279/1996, article 133',
  }),
  ...partRenewalRule('BR', 'international_registration_date'),
  oppositionRule({
    id: 'br.opposition',
    jurisdiction: 'BR',
    term: { days: 60 },
    consequence: 'Nobody can oppose any more; administrative nullity remains for 180 days after the grant.',
    text: 'Sixty days from the publication of the application in the gazette.',
    source: 'Law 9.279/1996, articles 158, 221 and 222',
  }),
];
