/** An invitation from the form to the page that shows its link once, by a colleague or by an operator. */
import { html } from 'htm/preact';
import { inviteWithin } from '../../access/keys.ts';
import { digestText } from '../../access/secret.ts';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import type { Role } from '../../store/accounts/portal.ts';
import { actorOf, type Page, type Section, type SignedInCall } from '../frame/call.ts';
import { renderLinkButton, renderSecret } from '../frame/components.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { renderInstant } from '../frame/pieces.ts';
import { keepSecret, showSecret } from '../frame/secrets.ts';

/** Resolves to the name of the link's page. */
export async function inviteOnce(
  tx: Transaction,
  call: SignedInCall,
  order: { readonly customer: string; readonly email: string; readonly role?: Role },
): Promise<string> {
  const { token, expires_at } = await inviteWithin(tx, { ...order, actor: actorOf(call) });
  const id = digestText(token).toString('hex');
  const link = { title: order.email, text: `${call.origin}/portal/invitation/${token}`, until: expires_at };
  await keepSecret(tx, call, { kind: 'invitation', id }, link);
  return id;
}

/** The only page that shows the link. `back`: the page that the person was invited on. */
export async function showLink(
  call: SignedInCall,
  db: Queryable,
  id: string,
  back: { readonly href: string; readonly label: string; readonly section: Section },
): Promise<Page> {
  const { title, text, until } = await showSecret(call, db, { kind: 'invitation', id }, back.href);
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
