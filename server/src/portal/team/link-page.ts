/** The page after an invitation was created: the only one that shows its link. */

import { html } from 'htm/preact';
import type { Page, Section } from '../frame/call.ts';
import { renderLinkButton, renderSecret } from '../frame/components.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { renderInstant } from '../frame/pieces.ts';
import type { ShownSecret } from '../frame/secrets.ts';

/** `title` is the invited address; `back` the page that it was invited on. */
export function renderLink(
  { title, text, until }: ShownSecret,
  back: { readonly href: string; readonly label: string; readonly section: Section },
): Page {
  return buildFormPage(
    { title: 'Invitation', heading: html`Invitation for <bdi>${title}</bdi>`, section: back.section },
    html`${renderSecret(
      html`This is the only time the link is shown. It works once, until ${renderInstant(until)}. Earlier links for
          this address no longer work.`,
      { label: 'Link', text, id: 'link-text' },
    )}
      <p>Send it in a way that only this person can read.</p>
      ${renderLinkButton(back.label, back.href)}`,
  );
}
