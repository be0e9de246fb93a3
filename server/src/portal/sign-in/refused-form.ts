/**
 * The answer to a form that was not accepted: it was too old or sent before, or its session has ended. Nothing was
 * changed. The typed text is shown and kept for the form's page, through the sign-in if necessary; secrets and
 * confirmations are not kept.
 */
import { html } from 'htm/preact';
import type { FormPlace, Page, PublicCall } from '../frame/call.ts';
import { renderFacts, renderHeading, renderLinkButton, renderNotice } from '../frame/components.ts';
import type { StaleForm } from '../frame/once.ts';
import type { PortalServices } from '../services.ts';
import { renderSignInForm } from './routes.ts';

/** Characters of the kept text, because it travels in the address. */
const KEPT_CHARACTERS_MAX = 2000;

const WHY: Readonly<Record<StaleForm['why'], string>> = {
  old: 'The form was too old, so nothing was changed.',
  used: 'This form was sent once before with different content. Nothing was changed this time.',
};

export function renderStale(call: PublicCall, place: FormPlace, why: StaleForm['why']): Page {
  const kept = listKept(call, place);
  const body = html`
    <section class="narrow">
      ${renderHeading('The form was not accepted')}
      ${renderNotice('warn', `${WHY[why]} ${kept.length === 0 ? '' : 'What you typed is kept:'}`, 'alert')}
      ${renderKept(kept)}
      ${renderLinkButton('Back to the form', linkTo(place.page(call), kept))}
    </section>
  `;
  return { title: 'The form was not accepted', body, status: 403 };
}

export function renderEnded(call: PublicCall, services: PortalServices, place: FormPlace): Page {
  const kept = listKept(call, place);
  const next = linkTo(place.page(call), kept);
  const advice =
    kept.length === 0
      ? 'Sign in to continue.'
      : 'What you typed is kept: sign in, and you get the form back as you filled it in.';
  const body = html`
    <section class="narrow">
      ${renderHeading('Your session has ended')}
      ${renderNotice('warn', `Nothing was changed. ${advice}`, 'alert')}
      ${renderKept(kept)}
      ${renderSignInForm(call, services, { email: '', next })}
    </section>
  `;
  return { title: 'Your session has ended', body, status: 403 };
}

type Kept = readonly (readonly [name: string, value: string])[];

function listKept({ form }: PublicCall, { keeps }: FormPlace): Kept {
  const kept = [...form].filter(([name, value]) => keeps.includes(name) && value !== '');
  return new URLSearchParams(kept).toString().length <= KEPT_CHARACTERS_MAX ? kept : [];
}

function linkTo(page: string, kept: Kept): string {
  const query = new URLSearchParams(kept.map(([name, value]) => [name, value])).toString();
  return query === '' ? page : `${page}${page.includes('?') ? '&' : '?'}${query}`;
}

function renderKept(kept: Kept): unknown {
  const shown = kept.filter(([name]) => name !== 'next');
  if (shown.length === 0) return null;
  return renderFacts(shown.map(([name, value]) => [name, html`<bdi>${value}</bdi>`]));
}
