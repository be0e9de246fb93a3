/** What the renewal rules of most registers share, so that a table states only what differs. */
import type { RepeatingRule } from '../rule.ts';

const LAPSE = 'The registration ends with the term, and can be restored only where and while the office allows it.';

export function renewalRule(
  rule: Omit<RepeatingRule, 'event' | 'repeats' | 'version' | 'consequence' | 'rolls'> &
    Partial<Pick<RepeatingRule, 'version' | 'consequence' | 'rolls'>>,
): RepeatingRule {
  return { version: 1, consequence: LAPSE, rolls: true, ...rule, event: 'renewal', repeats: true };
}

/** A part of an international registration is renewed with it, at the International Bureau. */
export function partRenewalRule(
  jurisdiction: RepeatingRule['jurisdiction'],
  /** What the register gives as the day of the international registration, or of the later designation. */
  anchor: RepeatingRule['anchor'],
  text?: string,
): RepeatingRule[] {
  const shared = {
    jurisdiction,
    route: 'madrid',
    opensBefore: { months: 6 },
    grace: { months: 6 },
    consequence: 'The designation ends with the international registration.',
    source: 'Madrid Protocol, articles 6(1) and 7; Regulations under the Protocol, rules 30 and 31',
  } as const;
  return [
    renewalRule({
      ...shared,
      id: `${jurisdiction.toLowerCase()}.renewal.parent`,
      anchor: 'international_expiry_date',
      terms: [{ first: true, years: 0 }, { years: 10 }],
      text: 'The international registration is renewed as a whole: its own end of term counts.',
    }),
    renewalRule({
      ...shared,
      id: `${jurisdiction.toLowerCase()}.renewal.part`,
      anchor,
      terms: [{ years: 10 }],
      text:
        text ??
        'Ten years from the day of the international registration. A designation made later ends with the registration, so its term can be shorter.',
    }),
  ];
}
