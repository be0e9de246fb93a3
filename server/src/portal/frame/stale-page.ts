/**
 * The answer to a form that could not be taken: too old, sent before, or of a session that has ended. Nothing was
 * done; what was typed is shown and carried to the form's page, by way of the sign-in where that is needed. What is a
 * secret or a confirmation is not carried.
 */
import { html } from 'htm/preact';
import type { PortalServices } from '../services.ts';
import { renderSignInForm } from '../sign-in/sign-in-page.ts';
import type { FormPlace, Page, PublicCall } from './call.ts';
import type { StaleForm } from './once.ts';

/** Characters of what is carried in an address. */
const KEPT_CHARACTERS_MAX = 2000;

const WHY: Readonly<Record<StaleForm['why'], string>> = {
  old: 'The form was too old, so nothing was changed.',
  used: 'This form was sent once before, with other content, and did its work then. Nothing was changed this time.',
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
    kept.length === 0 ? 'Sign in to go on.' : 'What you typed is kept: sign in, and the form is filled in.';
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
