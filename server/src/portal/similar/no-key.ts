/** The page of a customer without a key for analytics: whom to ask for one. */
import { html } from 'htm/preact';
import type { Agreement } from '../../store/accounts/agreements.ts';
import { renderSearchTabs } from '../explorer/search-page.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderEmpty, renderHeading, renderLinkButton } from '../frame/components.ts';
import { mayOpen } from '../frame/roles.ts';
import { TITLE } from './similar-page.ts';

export function renderNoAnalytics(call: MemberCall, agreements: readonly Agreement[]): Page {
  const body = html`
    ${renderSearchTabs('likeness')}
    <section class="narrow">
      ${renderHeading(TITLE)}
      <p>This page finds marks that are alike, and says in which way.</p>
      ${renderEmpty('It is charged to a key for the product analytics, and your team has none.')}
      ${renderWay(
        call,
        agreements.some(({ product }) => product === 'analytics'),
      )}
    </section>
  `;
  return { title: TITLE, body, section: 'explorer' };
}

/** Without an agreement nobody on the team can issue one. */
function renderWay({ person }: MemberCall, isAgreed: boolean): unknown {
  if (!isAgreed) return html`<p>Ask the operator of this service to add analytics to your agreement.</p>`;
  if (!mayOpen(person, 'keys')) return html`<p>Ask an administrator of your team to issue one.</p>`;
  return renderLinkButton('Issue a key', '/portal/keys/new');
}
