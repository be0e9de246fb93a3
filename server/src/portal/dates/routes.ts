/**
 * How dates are computed: every rule by register, with its source, what it was compared with, and what it is not. The
 * page is the same for everybody. A test compares the figures with docs/dates-agreement.md.
 */

import { html } from 'htm/preact';
import type { Rule, TermLength } from '../../dates/rule.ts';
import { RULES } from '../../dates/rules/all.ts';
import { ANCHOR_WORDS, EVENT_WORDS } from '../../due/words.ts';
import type { MemberCall, Page, PortalRoute } from '../frame/call.ts';
import { renderFacts, renderHeading, renderNotice } from '../frame/components.ts';
import { formatCount, formatDate } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import { renderRegisterTabs } from '../registers/registers-page.ts';
import { anchorOfRule, DATES_RULES } from './rule-view.ts';

export function listDatesRoutes(): PortalRoute[] {
  const url = DATES_RULES.replace('/portal', '');
  return [{ method: 'GET', url, viewable: true, members: async (call) => renderRules(call) }];
}

const ROUTES = { direct: 'Filed at the office', madrid: 'Part of an international registration' } as const;

function renderRules(call: MemberCall): Page {
  const registers = [...new Set(RULES.map(({ jurisdiction }) => jurisdiction as string))].sort((one, other) =>
    nameAndCode(one) < nameAndCode(other) ? -1 : 1,
  );
  const body = html`
    ${renderRegisterTabs(call, 'dates')}
    ${renderHeading('How dates are computed')}
    ${renderNotice('warn', WARNING)}
    <p>
      Registers state some dates; others follow from the law. The date of the office is always shown unchanged. Next to
      it is the date that follows from the rules below, and whether both agree. Where an office states an expiry, the
      computed date is the end of term nearest to it. Where it states none, it is the first end of term that can still
      be met, which assumes that earlier ones were. Dates of registers without rules are not known.
    </p>
    <p>
      A last day on a weekend or holiday moves to the next working day, where the rule says so. Only holidays that close
      every branch of an office count, and none of a lunar calendar: a day left out makes the date earlier, never later.
    </p>
    <p>
      ${registers.map((code, at) => html`${at === 0 ? null : ' · '}<a href=${`#${code}`}>${nameAndCode(code)}</a>`)}
    </p>
    ${registers.map(renderRegister)}
    ${renderAgreement()}
  `;
  return { title: 'How dates are computed', body, section: 'registers' };
}

const WARNING = html`
  <strong>Data, not advice.</strong> Computed dates are an aid to checking a docket. They rest on the facts that a
  register publishes, which can be late, incomplete or wrong, and on rules that may have changed or may not fit a
  particular case: extensions, restorations, suspensions and strikes of an office are not in them. They create no
  lawyer-client relationship and replace no check of the register and of the law by a qualified person. The date of the
  office, not this one, decides.
`;

function renderRegister(code: string): unknown {
  return html`
    <section id=${code}>
      <h2>${nameAndCode(code)}</h2>
      ${RULES.filter(({ jurisdiction }) => jurisdiction === code).map(
        (rule) => html`
          <h3 id=${anchorOfRule(rule)}>${EVENT_WORDS[rule.event]} · ${ROUTES[rule.route]}</h3>
          ${renderFacts([
            ['Rule', rule.text],
            ['Runs from', ANCHOR_WORDS[rule.anchor]],
            ['Term', describeTerms(rule)],
            ['Holds for', describeSpans(rule)],
            ['Opens', rule.opensBefore === undefined ? null : `${describeTerm(rule.opensBefore)} before`],
            ['Grace', rule.grace === undefined ? null : `${describeTerm(rule.grace)} after`],
            ['If nothing is done', rule.consequence],
            ['Source', rule.source],
          ])}
        `,
      )}
    </section>
  `;
}

type Length = Pick<TermLength, 'years' | 'months' | 'days'>;

function describeTerm({ years, months, days }: Length): string {
  const parts = [
    [years, 'year'],
    [months, 'month'],
    [days, 'day'],
  ] as const;
  const said = parts.flatMap(([count, noun]) =>
    count === undefined || count === 0 ? [] : [`${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`],
  );
  return said.length === 0 ? 'that day itself' : said.join(', ');
}

function describeTerms(rule: Rule): string {
  if (!rule.repeats) {
    const { term, extendableTo } = rule;
    return `${describeTerm(term)}${extendableTo === undefined ? '' : `, with extensions up to ${describeTerm(extendableTo)}`}`;
  }
  return rule.terms
    .map((length) => {
      const first = length.first === true && rule.terms.length > 1 ? ' (first term)' : '';
      return `${describeTerm(length)}${first}${describeSpan(', begun', length.begins)}`;
    })
    .join('; ');
}

function describeSpans({ when = {} }: Rule): string | null {
  const spans = Object.entries(when).map(
    ([fact, span]) => `${ANCHOR_WORDS[fact as Rule['anchor']]}${describeSpan('', span)}`,
  );
  return spans.length === 0 ? null : spans.join('; ');
}

function describeSpan(before: string, span: TermLength['begins']): string {
  const from = span?.from === undefined ? '' : ` from ${formatDate(span.from)}`;
  const until = span?.before === undefined ? '' : ` before ${formatDate(span.before)}`;
  return from === '' && until === '' ? '' : `${before}${from}${until}`;
}

function renderAgreement(): unknown {
  const share = (label: string, of: (row: AgreementFigures) => Share | null) => ({
    label,
    style: 'number' as const,
    cell: (row: AgreementFigures) => describeShare(of(row)),
  });
  return html`
    <section id="agreement">
      <h2>How often they agree</h2>
      <p class="hint">
        Compared to the day with the records of a published study: ends of term that offices state, and renewals,
        declarations and oppositions that were filed inside the window of the rule.
      </p>
      ${renderTable<AgreementFigures>({
        label: 'How often they agree',
        rows: AGREEMENT,
        columns: [
          { label: 'Register', isHeader: true, style: 'name', cell: ({ register }) => nameAndCode(register) },
          { label: 'Route', cell: ({ route }) => ROUTES[route] },
          share('Ends of term', ({ terms }) => terms),
          share('Filings in the window', ({ filings }) => filings),
          share('Oppositions in time', ({ oppositions }) => oppositions),
        ],
      })}
    </section>
  `;
}

function describeShare(share: Share | null): string {
  return share === null ? '–' : `${formatCount(share[0])} of ${formatCount(share[1])}`;
}

type Share = readonly [agrees: number, of: number];

interface AgreementFigures {
  readonly register: string;
  readonly route: 'direct' | 'madrid';
  readonly terms: Share | null;
  readonly filings: Share | null;
  readonly oppositions: Share | null;
}

export const AGREEMENT: readonly AgreementFigures[] = [
  { register: 'AU', route: 'direct', terms: [1986, 2000], filings: [6737, 6779], oppositions: [1830, 1839] },
  { register: 'AU', route: 'madrid', terms: [1389, 1500], filings: [1496, 1830], oppositions: [1488, 1500] },
  { register: 'CA', route: 'direct', terms: [1993, 2000], filings: [1815, 2087], oppositions: [3825, 4000] },
  { register: 'CA', route: 'madrid', terms: [500, 500], filings: [1, 23], oppositions: [1366, 1368] },
  { register: 'CH', route: 'direct', terms: [1998, 2000], filings: [2003, 2014], oppositions: null },
  { register: 'CH', route: 'madrid', terms: [1996, 2000], filings: null, oppositions: null },
  { register: 'EM', route: 'direct', terms: [2000, 2000], filings: null, oppositions: [3950, 4000] },
  { register: 'EM', route: 'madrid', terms: [1998, 2000], filings: null, oppositions: [3919, 4000] },
  { register: 'FR', route: 'direct', terms: [1968, 2000], filings: [2699, 2993], oppositions: null },
  { register: 'NO', route: 'direct', terms: [1987, 2000], filings: null, oppositions: null },
  { register: 'NO', route: 'madrid', terms: [2000, 2000], filings: null, oppositions: null },
  { register: 'SE', route: 'direct', terms: [1504, 1505], filings: [4742, 5006], oppositions: null },
  { register: 'SE', route: 'madrid', terms: [1500, 1500], filings: [437, 448], oppositions: null },
  { register: 'SG', route: 'direct', terms: [1952, 2000], filings: null, oppositions: [3097, 3991] },
  { register: 'SG', route: 'madrid', terms: [1298, 1540], filings: null, oppositions: [1277, 1448] },
  { register: 'US', route: 'direct', terms: [1499, 1502], filings: [4410, 4426], oppositions: [1199, 1504] },
  { register: 'US', route: 'madrid', terms: null, filings: [1951, 1956], oppositions: [83, 103] },
  { register: 'WO', route: 'madrid', terms: [2000, 2000], filings: null, oppositions: null },
];
