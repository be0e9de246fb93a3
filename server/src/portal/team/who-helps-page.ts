/** The page in the place of one that the role of a person does not open: who can help. */
import { html } from 'htm/preact';
import { listAdministrators, type PortalMember } from '../../store/accounts/portal.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderHeading, renderLinkButton } from '../frame/components.ts';
import { nameOfPerson, ROLE_WORDS } from '../frame/roles.ts';
import type { PortalServices } from '../services.ts';

const ADMINISTRATORS_SHOWN = 5;

export async function showWhoHelps({ user, person }: MemberCall, { database }: PortalServices): Promise<Page> {
  const administrators = await listAdministrators(database, user.customer_id, ADMINISTRATORS_SHOWN);
  const { name, does } = ROLE_WORDS[person.role];
  const title = 'Not part of your role';
  const body = html`
    <section class="narrow">
      ${renderHeading(title)}
      <p>You are on the team as <strong>${name}</strong>: ${does}. This page is for another role.</p>
      ${
        administrators.length === 0
          ? html`<p>Your team has no administrator. The operator of this service can invite one.</p>`
          : html`
              <p>An administrator of your team can help, or change your role:</p>
              <ul>${administrators.map(renderAdministrator)}</ul>
            `
      }
      ${renderLinkButton('To the start page', '/portal', 'second')}
    </section>
  `;
  return { title, body, status: 403 };
}

function renderAdministrator(member: PortalMember): unknown {
  const { name, email } = member;
  const address = html`<a href=${`mailto:${email}`}><bdi>${email}</bdi></a>`;
  return html`<li>${name === null ? address : html`<bdi>${nameOfPerson(member)}</bdi>, ${address}`}</li>`;
}
