/** Every component in every state, for developers of pages. Texts are samples; only a demonstration has the page. */

import { html } from 'htm/preact';
import type { Page, PortalRoute } from '../frame/call.ts';
import {
  type Level,
  renderActions,
  renderBadge,
  renderButton,
  renderChipLinks,
  renderCopyable,
  renderCount,
  renderDisclosure,
  renderEmpty,
  renderFacts,
  renderFault,
  renderHeading,
  renderLinkButton,
  renderNotice,
  renderPager,
  renderSecret,
  renderSubheading,
  renderTabs,
  renderToggles,
  renderTrail,
} from '../frame/components.ts';
import { formatCount, renderDay, renderInstant } from '../frame/pieces.ts';
import { renderStatus } from '../frame/wording.ts';
import { renderForms } from './forms.ts';
import { HERE, LONG, renderDrawings, renderTables } from './samples.ts';

export function listComponentRoutes({ isDemo }: { readonly isDemo: boolean }): PortalRoute[] {
  return isDemo ? [{ method: 'GET', url: '/components', open: async () => renderComponents() }] : [];
}

function renderComponents(): Page {
  const body = html`
    ${renderTrail({ label: 'The page above', href: '/portal' }, { label: 'The page between', href: HERE })}
    ${renderHeading('Components', renderLinkButton('What to do here', HERE))}
    ${renderTabs('Sample of tabs', [
      { label: 'This one', href: HERE, isHere: true },
      { label: 'Another', href: `${HERE}?tab=another`, isHere: false },
      { label: LONG, href: `${HERE}?tab=long`, isHere: false },
    ])}
    <p>Every component in every state. Point at one or go there with the tab key to see those states too; the foot of
      the page has the light and the dark one. <a href=${HERE}>A link</a>, <code>code</code>, <mark>a place that was
      looked for</mark>.</p>
    <p class="hint">A hint: what helps somebody who does not know yet. <span class="role">A role.</span></p>
    ${renderButtons()} ${renderWords()} ${renderForms()} ${renderTables()} ${renderDrawings()}
  `;
  return { title: 'Components', body };
}

function renderButtons(): unknown {
  return html`
    <section>
      <h2>Actions</h2>
      ${renderActions(
        renderButton('First'),
        renderButton('Second', 'second'),
        renderButton('Danger', 'danger'),
        renderButton('Quiet', 'quiet'),
      )}
      ${renderActions(
        renderButton('First', 'first', { disabled: true }),
        renderButton('Second', 'second', { disabled: true }),
        renderButton('Danger', 'danger', { disabled: true }),
        renderButton('Quiet', 'quiet', { disabled: true }),
      )}
      ${renderActions(
        renderLinkButton('A link', HERE),
        renderLinkButton('Second', HERE, 'second'),
        renderLinkButton('Danger…', HERE, 'danger'),
        renderLinkButton(LONG, HERE, 'second'),
      )}
      ${renderPager(
        [{ label: 'First page', href: HERE }, null, { label: 'Next page', href: HERE, rel: 'next' }],
        'End of the results.',
      )}
    </section>
  `;
}

const LEVELS: readonly Level[] = ['good', 'warn', 'bad', 'off', 'plain'];
const STATUSES: readonly string[] = ['Registered', 'Pending', 'Cancelled', 'Abandoned', 'Unknown'];
const AT = '2026-11-23T09:30:15.000000Z';

function renderWords(): unknown {
  return html`
    <section>
      ${renderSubheading(html`Words ${renderCount(1234)}`, renderActions(html`<a href=${HERE}>Next to a heading</a>`))}
      <p>${LEVELS.map((level) => html`${renderBadge(level, level)} `)} ${renderBadge('warn', LONG)}</p>
      <p>${STATUSES.map((status) => html`${renderStatus(status)} `)}</p>
      <p>${renderInstant(AT)}, ${renderInstant(AT, 'second')}, ${renderDay(AT)}, ${renderInstant(null)},
        ${' '}${formatCount(1_234_567)}</p>
      ${renderChipLinks('Sample of chips', [
        { label: 'Set', href: HERE, isOn: false, sign: '×', verb: 'Remove' },
        { label: 'Shown', href: HERE, isOn: true, sign: '×', verb: 'Hide' },
        { label: 'Hidden', href: HERE, isOn: false, sign: '+', verb: 'Show' },
        { label: 'Only said', href: null, isOn: false, sign: '+', verb: 'Show' },
        { label: LONG, href: HERE, isOn: false, sign: '×', verb: 'Remove' },
      ])}
      ${renderToggles('Sample of toggles', ['On', 'Off'], { titleOf: (name) => name, isOn: (name) => name === 'On', linkTo: () => HERE })}
      ${renderNotice('plain', 'A notice that says how things are.')}
      ${renderNotice('good', html`A notice that something was done. <a href=${HERE}>A link</a>`)}
      ${renderNotice('warn', 'A notice of what to look out for.')}
      ${renderNotice('bad', html`<p>A notice of what went wrong, at <code>status</code>.</p><p class="hint">${LONG}</p>`)}
      ${renderFault('What a form was refused for.')} ${renderFault(null)}
      ${renderEmpty('There is nothing here yet.')}
      ${renderFacts([
        ['Fact', 'A value'],
        ['Long', LONG],
        ['Code', html`<code>tmds_w2x9k4m7p3qa</code>`],
        ['Left out', null],
      ])}
      ${renderDisclosure('Folded', html`<p>Details for readers who want them.</p>`)}
      ${renderDisclosure('Open', html`<p>${LONG}</p>`, true)}
      ${renderCopyable('A text to copy', `curl -H "X-API-Key: $TMDS_API_KEY" 'https://${'long.'.repeat(30)}example/'`, 'sample-copy')}
      ${renderSecret('This is the only time the secret is shown.', {
        label: 'A secret',
        text: 'tmds_w2x9k4m7p3qa_sample',
        id: 'sample-secret',
      })}
    </section>
  `;
}
