/** Changes to keys and people, in words: who, when, what. */
import { html } from 'htm/preact';
import type { AuditLine } from '../store/portal-keys.ts';
import { formatCount, renderInstant } from './pieces.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  'customer.add': 'Customer added',
  'customer.invite': 'Person invited',
  'invitation.withdraw': 'Invitation withdrawn',
  'key.issue': 'Key issued',
  'key.revoke': 'Key revoked',
  'key.rotate': 'Key rotated',
  'key.set': 'Key changed',
  'user.join': 'Person joined',
  'user.password': 'Password changed',
  'user.remove': 'Person removed',
};

export function renderChanges(changes: readonly AuditLine[]): unknown {
  if (changes.length === 0) return html`<p class="empty">Nothing was changed yet.</p>`;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Changes">
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">Details</th>
            <th scope="col">Key</th>
            <th scope="col">Who</th>
          </tr>
        </thead>
        <tbody>
          ${changes.map(
            ({ audit_id, at, action, change, key_id, actor }) => html`
              <tr key=${audit_id}>
                <td>${renderInstant(at)}</td>
                <td>${ACTIONS[action] ?? action}</td>
                <td class="name"><bdi>${describeChange(change)}</bdi></td>
                <td>${key_id === null ? null : html`<a href=${`/portal/keys/${key_id}`}><code>${key_id}</code></a>`}
                  </td>
                <td class="name"><bdi>${actor}</bdi></td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

function describeChange(change: Readonly<Record<string, unknown>>): string {
  return Object.entries(change)
    .map(
      ([name, value]) => `${name.replace(/[A-Z]/g, ' $&').replaceAll('_', ' ').toLowerCase()}: ${describeValue(value)}`,
    )
    .join('; ');
}

function describeValue(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'number') return formatCount(value);
  return Array.isArray(value) ? value.join(', ') : String(value);
}
