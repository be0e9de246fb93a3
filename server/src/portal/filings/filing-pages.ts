/** The page of all filings that an office should show, and the form of a new one. */
import { html } from 'htm/preact';
import { FILING_WORDS } from '../../due/words.ts';
import { FILINGS } from '../../store/dates/filings.ts';
import { renderMarkName } from '../explorer/mark-name.ts';
import { type MemberCall, type Page, typedIn } from '../frame/call.ts';
import {
  renderActions,
  renderButton,
  renderEmpty,
  renderFault,
  renderHeading,
  renderTrail,
} from '../frame/components.ts';
import { renderField, renderSelect } from '../frame/fields.ts';
import { formatCount, formFields } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderFilings } from './filings-view.ts';
import type { FilingAsked } from './new-filing.ts';
import { DAYS_DEFAULT, DAYS_MAX } from './new-filing.ts';
import type { ShownFiling } from './shown-filings.ts';

interface FilingsShown {
  readonly filings: readonly ShownFiling[];
  readonly max: number;
}

export function renderAllFilings(call: MemberCall, { filings, max }: FilingsShown): Page {
  const isCut = filings.length > max;
  const body = html`
    ${renderTrail({ label: 'Home', href: '/portal' })}
    ${renderHeading('What you filed')}
    <p class="hint">
      Filings that the office should show. A filing is shown once the office changes what such a filing changes, after
      the day of filing: check that it is the change you expect. To add one, open the record and choose “I filed
      something”.
    </p>
    ${filings.length === 0 ? renderEmpty('Nothing is waited for.') : renderFilings(call, 'What you filed', filings.slice(0, max))}
    ${isCut ? html`<p class="hint">The first ${formatCount(max)} are shown. Dismiss those that are done.</p>` : null}
  `;
  return { title: 'What you filed', body, section: 'home' };
}

interface NewFilingShown {
  readonly asked: FilingAsked;
  readonly record: ShownFiling['record'];
  readonly today: string;
  readonly sendsMail: boolean;
  readonly fault: string | null;
}

export function renderNewFiling(call: MemberCall, { asked, record, today, sendsMail, fault }: NewFilingShown): Page {
  const number = record?.registration_number ?? record?.application_number ?? asked.uid;
  const body = html`
    <section class="narrow">
      ${renderHeading('I filed something')}
      <p>
        For <strong><bdi>${record === null ? asked.uid : renderMarkName(record)}</bdi></strong>,${' '}
        ${nameAndCode(asked.register)} <bdi>${number}</bdi>. You see here${sendsMail ? ' and by mail' : null} when the office
        shows it, and when it does not after the days that you choose.
      </p>
      ${renderFault(fault)}
      <form method="post" action="/portal/new-filing" class="stack">
        ${formFields(call)}
        <input type="hidden" name="register" value=${asked.register} />
        <input type="hidden" name="uid" value=${asked.uid} />
        <input type="hidden" name="watch" value=${asked.watch} />
        ${renderSelect({
          id: 'filing',
          label: 'What you filed',
          choices: FILINGS.map((value) => ({ value, label: FILING_WORDS[value] })),
          chosen: typedIn(call, 'filing') ?? 'renewal',
        })}
        ${renderField({
          id: 'filed',
          label: 'On which day',
          attributes: { type: 'date', required: true, max: today, value: typedIn(call, 'filed') ?? today },
        })}
        ${renderField({
          id: 'days',
          label: 'Warn me after this many days',
          hint: 'Counted from the day of filing.',
          attributes: {
            type: 'number',
            required: true,
            min: 1,
            max: DAYS_MAX,
            value: typedIn(call, 'days') ?? String(DAYS_DEFAULT),
          },
        })}
        ${renderActions(renderButton('Wait for it'))}
      </form>
    </section>
  `;
  return { title: 'I filed something', body, section: 'home', ...(fault === null ? {} : { status: 422 }) };
}
