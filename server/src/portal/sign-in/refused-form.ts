/**
 * The answer to a form that was not accepted: it was too old or sent before, or its session has ended. Nothing was
 * changed. What was typed is shown and kept for the form's page, through the sign-in if necessary; secrets and
 * confirmations are not kept.
 */
import { html } from 'htm/preact';
import type { FormPlace, Page, PublicCall } from '../frame/call.ts';
import type { StaleForm } from '../frame/once.ts';
import type { PortalServices } from '../services.ts';
import { renderSignInForm } from './sign-in-page.ts';

/** Characters of what is kept, because it travels in the address. */
const KEPT_CHARACTERS_MAX = 2000;

const WHY: Readonly<Record<StaleForm['why'], string>> = {
  old: 'The form was too old, so nothing was changed.',
  used: 'This form was sent once before with different content. Nothing was changed this time.',
};

export function renderStale(call: PublicCall, place: FormPlace, why: StaleForm['why']): Page {
  const kept = listKept(call, place);
  const body = html`
    <section class="narrow">
      <h1>The form was not accepted</h1>
      <p class="notice warn" role="alert">${WHY[why]} ${kept.length === 0 ? null : 'What you typed is kept:'}</p>
      ${renderKept(kept)}
      <p><a class="button" href=${linkTo(place.page(call), kept)}>Back to the form</a></p>
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
      <h1>Your session has ended</h1>
      <p class="notice warn" role="alert">Nothing was changed. ${advice}</p>
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
  return html`
    <dl class="facts">
      ${shown.map(
        ([name, value], position) => html`<div key=${position}><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`,
      )}
    </dl>
  `;
}
