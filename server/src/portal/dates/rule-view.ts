/** A rule as the pages of records show it, behind a click: what it says, from which fact, and where it is written. */
import type { DateText } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { ComputedDate } from '../../dates/compute.ts';
import type { Rule } from '../../dates/rule.ts';
import { ANCHOR_WORDS, DISCLAIMER, mayEndEarlier } from '../../due/words.ts';
import { renderDisclosure, renderFacts } from '../frame/components.ts';
import { formatDate, renderDate } from '../frame/pieces.ts';

export const DATES_RULES = '/portal/dates-rules';

export function anchorOfRule({ id, version }: Rule): string {
  return `${id}-${version}`;
}

export function renderRule(computed: ComputedDate, today: DateText): unknown {
  const { event, rule, anchor, endsOn, opensOn, dueOn, lateUntil } = computed;
  const isOver = event === 'opposition_end' && (lateUntil ?? dueOn) < today;
  const content = html`
    ${renderFacts([
      ['Rule', rule.text],
      ['Runs from', html`${ANCHOR_WORDS[anchor.fact]}, ${renderDate(anchor.date)}`],
      [isOver ? 'Ended on' : 'Ends on', renderDate(endsOn)],
      ['Open from', opensOn === null ? null : renderDate(opensOn)],
      ['Last day', dueOn === endsOn ? null : html`${renderDate(dueOn)}, the next day on which the office is open`],
      [rule.grace === undefined ? 'If extended' : 'With a surcharge', renderLate(lateUntil)],
      [isOver ? 'Since then' : 'If nothing is done', rule.consequence],
      ['Source', rule.source],
    ])}
    ${mayEndEarlier(rule) ? html`<p class="hint">${EARLIER}</p>` : null}
    <p class="hint">
      ${DISCLAIMER} <a href=${`${DATES_RULES}#${anchorOfRule(rule)}`}>How dates are computed</a>
    </p>
  `;
  return renderDisclosure(html`The rule<span class="unseen"> for ${formatDate(dueOn)}</span>`, content);
}

const EARLIER = 'The end of the international registration is not known here, and can be earlier.';

function renderLate(day: string | null): unknown {
  return day === null ? null : html`until ${renderDate(day)}`;
}
