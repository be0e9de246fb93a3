/**
 * Which key pays for a page of the explorer: the one that the address names, or the only one there is. When that leaves
 * a choice, or the named key is gone, nothing is requested until the person has chosen.
 */
import type { Product } from '@tmds/contract/enums';
import { html } from 'htm/preact';
import { listAgreements } from '../../store/accounts/agreements.ts';
import { type CustomerKey, listCustomerKeys } from '../../store/accounts/portal-keys.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderButton, renderEmpty, renderHeading, renderLinkButton, renderNotice } from '../frame/components.ts';
import { renderSelect, renderSettled } from '../frame/fields.ts';
import { mayOpen } from '../frame/roles.ts';
import { findIssueObstacle, nameOf } from '../keys/wording.ts';
import type { PortalServices } from '../services.ts';
import type { Answers } from './remembered-answers.ts';

export interface KeyChoice {
  /** Live keys for the product of the page. */
  readonly keys: readonly CustomerKey[];
  /** The one to charge; null until one is chosen. */
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

/** The key that pays, or the choice among several. */
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
      ${fields.map(
        ([name, value], position) => html`<input key=${position} type="hidden" name=${name} value=${value} />`,
      )}
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
