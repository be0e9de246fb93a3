/**
 * Asks the public API for a page of the explorer: which key pays, what came back, and whether it was remembered. The
 * key is the one that the address names, or the only one there is. When that leaves a choice, or the named key is gone,
 * nothing is requested until the person has chosen.
 */

import type { Product } from '@tmds/contract/enums';
import { html } from 'htm/preact';
import { listAgreements } from '../../store/accounts/agreements.ts';
import { type CustomerKey, findCustomerKey, listCustomerKeys } from '../../store/accounts/portal-keys.ts';
import type { MemberCall, Page, PublicCall } from '../frame/call.ts';
import { renderButton, renderEmpty, renderHeading, renderLinkButton, renderNotice } from '../frame/components.ts';
import { renderSelect, renderSettled } from '../frame/fields.ts';
import { mayOpen } from '../frame/roles.ts';
import { findIssueObstacle, nameOf } from '../keys/terms.ts';
import type { ApiAnswer, ApiOptions, PortalServices } from '../services.ts';
import type { Answers, RememberedAnswer } from './remembered-answers.ts';

export interface KeyChoice {
  readonly keys: readonly CustomerKey[];
  readonly key: CustomerKey | null;
  /** Why the named key cannot be used; null when it can, or none was named. */
  readonly fault: string | null;
}

export async function chooseKey(
  call: MemberCall,
  services: PortalServices,
  answers: Answers,
  product: Product = 'records',
): Promise<KeyChoice> {
  const all = await listCustomerKeys(services.database, call.user.customer_id);
  const isFor = ({ products }: CustomerKey): boolean => products.some((row) => row.product === product);
  const isLive = ({ revoked_at, products }: CustomerKey): boolean => revoked_at === null && products.length > 0;
  const keys = all.filter((key) => isLive(key) && isFor(key));
  for (const dead of all.filter((key) => !isLive(key))) answers.drop(dead.id);
  const named = call.query.get('key') ?? '';
  if (named === '') return { keys, key: keys.length === 1 ? keys[0]! : null, fault: null };
  const key = keys.find(({ id }) => id === named) ?? null;
  return {
    keys,
    key,
    fault:
      key === null
        ? describeGone(
            all.find(({ id }) => id === named),
            product,
          )
        : null,
  };
}

function describeGone(key: CustomerKey | undefined, product: Product): string {
  if (key === undefined) return 'The key that the address names is not one of yours.';
  const what = key.revoked_at === null ? `is not for the ${product} product` : 'is revoked';
  return `The key “${nameOf(key)}” that the address names ${what}.`;
}

export async function renderNoKey(
  call: MemberCall,
  { database }: PortalServices,
  { title, section }: { title: string; section: 'explorer' | 'registers' | 'reconcile' },
): Promise<Page> {
  const obstacle = findIssueObstacle(await listAgreements(database, call.user.customer_id));
  const body = html`
    <section class="narrow">
      ${renderHeading(title)}
      ${renderEmpty('Searching and reading records is charged to a key, and your team has none yet.')}
      ${renderWay(call, obstacle)}
    </section>
  `;
  return { title, body, section };
}

function renderWay({ person }: MemberCall, obstacle: string | null): unknown {
  if (!mayOpen(person, 'keys')) return html`<p>Ask an administrator of your team to issue one.</p>`;
  return obstacle === null ? renderLinkButton('Issue a key', '/portal/keys/new') : html`<p>${obstacle}</p>`;
}

export function renderKeyChoice({ keys, key }: KeyChoice): unknown {
  if (keys.length === 1 && key !== null) {
    const value = html`<bdi>${nameOf(key)}</bdi><input type="hidden" name="key" value=${key.id} />`;
    return renderSettled('Charged to', value);
  }
  return renderKeySelect({ keys, key }, 'key');
}

function renderKeySelect({ keys, key: chosen }: Pick<KeyChoice, 'keys' | 'key'>, id: string): unknown {
  const none = chosen === null ? [{ value: '', label: 'Choose a key' }] : [];
  return renderSelect({
    id,
    label: 'Charged to',
    choices: [...none, ...keys.map((key) => ({ value: key.id, label: nameOf(key) }))],
    chosen: chosen?.id ?? '',
    attributes: { name: 'key', required: true },
  });
}

/** Shown instead of an answer: what to choose or confirm before anything is requested. */
export function renderAsk(call: MemberCall, choice: KeyChoice): unknown {
  const [path = ''] = call.target.split('?');
  const fields = [...call.query].filter(([name]) => name !== 'go' && name !== 'key');
  const { key, fault } = choice;
  const form = html`
    <form method="get" action=${path} class="stack">
      ${fields.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      <input type="hidden" name="go" value="1" />
      ${fault === null ? null : html`<p role="alert"><strong>${fault}</strong> Nothing was requested or charged.</p>`}
      ${key === null ? null : html`<input type="hidden" name="key" value=${key.id} />`}
      ${
        key === null
          ? html`<p>This page costs one unit. Choose the key to charge.</p> ${renderKeySelect(choice, 'charged')}`
          : html`<p>You followed a link from another site. This page costs one unit of <bdi>${nameOf(key)}</bdi>.</p>`
      }
      ${renderButton('Show the page')}
    </form>
  `;
  return renderNotice('plain', form);
}

export interface Explorer {
  readonly services: PortalServices;
  readonly answers: Answers;
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly param: string | undefined;
  readonly requestId: string;
}

export interface Outcome extends RememberedAnswer {
  /** Null when the call was served, also when nothing had changed. */
  readonly refusal: Refusal | null;
  /** The key that paid, with its counts after the call. */
  readonly key: CustomerKey;
  /** Leads to this page with a new call. */
  readonly againPath: string;
}

/** Null when nothing was requested: no key is chosen yet, or a link on another site led here. */
export async function ask(
  call: MemberCall,
  { services, answers }: Explorer,
  { key }: KeyChoice,
  target: string,
  options: ApiOptions = {},
): Promise<Outcome | null> {
  if (key === null || call.fromElsewhere) return null;
  const stamp = call.query.get('asked') ?? '';
  const question = { keyId: key.id, target, stamp, ...options };
  const found = await answers.find(question, () => services.callApi(key.id, target, options));
  const counted = await findCustomerKey(services.database, call.user.customer_id, key.id);
  return {
    ...found,
    refusal: readRefusal(found.answer),
    key: counted ?? key,
    againPath: linkAgain(call, services),
  };
}

/**
 * How a page asks for a search: like a program, unless the API refuses that as too broad, so that every other one is
 * remembered for the console too.
 */
export function searchOptions(target: string, { findCallLimit }: Pick<PortalServices, 'findCallLimit'>): ApiOptions {
  return findCallLimit(target.split('?')[1] ?? '') === null ? {} : { breadth: 'page' };
}

export function readRefusal({ refusal, headers }: ApiAnswer): Refusal | null {
  if (refusal === null) return null;
  const { code, message, param } = refusal;
  return { code, message, param, requestId: headers['x-request-id'] ?? '' };
}

/** A stamp in the address makes it a new question; a reload of that address keeps the stamp and costs nothing. */
function linkAgain({ target }: MemberCall, { clock }: PortalServices): string {
  const [path = '', query = ''] = target.split('?');
  const fields = new URLSearchParams(query);
  fields.set('asked', clock.nowMs().toString(36));
  return `${path}?${fields.toString()}`;
}

const FROM_CHARACTERS_MAX = 2000;

/** The page that a record opened from here leads back to; null when its address is too long to pass on. */
export function fromOf({ target }: MemberCall): string | null {
  return target.length > FROM_CHARACTERS_MAX ? null : target;
}

export function baseUrlOf(call: PublicCall, { recordPrefix }: PortalServices): string {
  return `${call.origin}/${recordPrefix}`;
}
