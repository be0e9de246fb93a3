/** What the opposition rules of most registers share. */
import type { SingleRule } from '../rule.ts';

type Opposition = Pick<SingleRule, 'id' | 'jurisdiction' | 'term' | 'text' | 'source'> &
  Partial<Pick<SingleRule, 'route' | 'when' | 'notBefore' | 'extendableTo' | 'version' | 'consequence'>>;

export function oppositionRule(rule: Opposition): SingleRule {
  return {
    version: 1,
    route: 'direct',
    consequence: 'Nobody can oppose any more; a request for invalidity remains.',
    ...rule,
    event: 'opposition_end',
    anchor: 'publication_date',
    repeats: false,
    rolls: true,
  };
}
