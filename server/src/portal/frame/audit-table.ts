/** The activity: a line for what a person did, and the table of who changed which key or person, when and how. */

import { html } from 'htm/preact';
import type { Queryable } from '../../database/driver/db.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import type { AuditLine } from '../../store/accounts/portal-keys.ts';
import { actorOf, type MemberCall } from './call.ts';
import { renderEmpty } from './components.ts';
import { formatCount, renderInstant } from './pieces.ts';
import { renderTable, type TableColumn } from './table.ts';

const ACTIONS = {
  'attention.dismiss': 'Dismissed from the overview',
  'attention.recall': 'Back on the overview',
  'calendar.make': 'Calendar address created',
  'calendar.revoke': 'Calendar address revoked',
  'customer.add': 'Customer added',
  'customer.invite': 'Person invited',
  'customer.remove': 'Customer removed',
  'customer.rename': 'Customer renamed',
  'customer.resume': 'Customer resumed',
  'customer.suspend': 'Customer suspended',
  'customer.view': 'Viewed by an operator',
  'customer.view_end': 'View by an operator ended',
  'docket.forget': 'Docket memory deleted',
  'filing.add': 'Filing tracked',
  'filing.dismiss': 'Filing dismissed',
  'invitation.withdraw': 'Invitation withdrawn',
  'key.end_grace': 'Old secret ended',
  'key.issue': 'Key issued',
  'key.revoke': 'Key revoked',
  'key.rotate': 'Key rotated',
  'key.set': 'Key changed',
  'operator.invite': 'Operator invited',
  'operator.join': 'Operator joined',
  'operator.password': 'Operator’s password changed',
  'operator.remove': 'Operator removed',
  'operator.sign_in': 'Operator signed in',
  'search.delete': 'Saved search deleted',
  'search.rename': 'Saved search renamed',
  'search.save': 'Search saved',
  'service.backup': 'Backup made',
  'similar.judge': 'Similar marks reviewed',
  'user.join': 'Person joined',
  'user.name': 'Name changed',
  'user.password': 'Password changed',
  'user.remove': 'Person removed',
  'user.role': 'Role changed',
  'watch.change': 'Watch changed',
  'watch.end': 'Watch stopped',
  'watch.hits': 'Hits handled',
  'watch.make': 'Watch created',
  'webhook.add': 'Webhook added',
  'webhook.change': 'Webhook changed',
  'webhook.delete': 'Webhook deleted',
  'webhook.end_grace': 'Old webhook secret ended',
  'webhook.off': 'Webhook switched off',
  'webhook.on': 'Webhook switched on',
  'webhook.replay': 'Delivery replayed',
  'webhook.rotate': 'Webhook secret rotated',
  'webhook.test': 'Test event sent to a webhook',
} as const satisfies Record<string, string>;

export type ActionName = keyof typeof ACTIONS;

/** Older programs wrote actions that this one may not know; they are shown by their names. */
export const ACTION_WORDS: Readonly<Record<string, string>> = ACTIONS;

export function renderActivity(
  lines: readonly AuditLine[],
  {
    ofOneKey = false,
    keysAt = '/portal/keys',
    forOperators = false,
  }: { ofOneKey?: boolean; keysAt?: string; forOperators?: boolean } = {},
): unknown {
  if (lines.length === 0) return renderEmpty('No activity yet.');
  const ofKey: TableColumn<AuditLine> = {
    label: 'Key',
    cell: ({ key_id }) => (key_id === null ? null : html`<a href=${`${keysAt}/${key_id}`}><code>${key_id}</code></a>`),
  };
  return renderTable<AuditLine>({
    label: 'Activity',
    rows: lines,
    columns: [
      { label: 'When', cell: ({ at }) => renderInstant(at) },
      { label: 'What', style: 'short', cell: ({ action }) => ACTION_WORDS[action] ?? action },
      { label: 'Details', style: 'name', cell: ({ change }) => renderDetails(change) },
      ...(ofOneKey ? [] : [ofKey]),
      {
        label: 'Who',
        style: 'name',
        cell: (line) => html`<bdi>${forOperators ? line.actor : describeActor(line)}</bdi>`,
      },
    ],
  });
}

/** A customer sees its own people by name or address, and which kind of somebody else it was, but never who. */
function describeActor({ actor, person }: Pick<AuditLine, 'actor' | 'person'>): string {
  const [kind] = actor.split(' ', 1);
  if (kind === 'portal') return person ?? actor.slice('portal '.length);
  if (kind === 'operator') return 'Operator';
  if (kind === 'key') return 'Program';
  return actor === 'service' ? 'Service' : 'Setup';
}

export function renderDetails(change: Readonly<Record<string, unknown>>): unknown {
  const text = Object.entries(change)
    .map(([name, value]) => {
      const words = name.replace(/[A-Z]/g, ' $&').replaceAll('_', ' ').toLowerCase();
      return words === 'grace seconds' ? describeGrace(Number(value)) : `${words}: ${describeValue(value)}`;
    })
    .join('; ');
  return text === '' ? null : html`<bdi>${text}</bdi>`;
}

function describeGrace(seconds: number): string {
  if (seconds === 0) return 'the old secret stopped working at once';
  const hours = seconds / 3600;
  return `the old secret keeps working for ${Number.isInteger(hours) ? `${hours} h` : `${formatCount(seconds)} s`}`;
}

function describeValue(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'number') return formatCount(value);
  return Array.isArray(value) ? value.join(', ') : String(value);
}

export async function noteActivity(
  tx: Queryable,
  call: MemberCall,
  action: ActionName,
  change: Record<string, unknown>,
): Promise<void> {
  await insertAudit(tx, { actor: actorOf(call), action, customer_id: call.user.customer_id, key_id: null, change });
}
