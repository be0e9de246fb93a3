/** Which change of a record shows what somebody filed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryCause, HistoryEvent } from '@tmds/contract/history';
import { findShowing } from '../../src/due/filings.ts';
import type { FilingKind } from '../../src/store/dates/filings.ts';

const shown = (filing: FilingKind, changes: readonly object[], cause: HistoryCause = 'office'): string | null =>
  findShowing({ cause, changes } as unknown as HistoryEvent, { filing, filed_on: '2026-11-01' });

test('a renewal is shown by a later renewal, an end moved by a term, or a registration that is back', () => {
  const renewal = (old: string | null, renewed: string | null) => [{ field: 'renewal_date', old, new: renewed }];
  assert.equal(shown('renewal', renewal('2016-11-10', '2026-11-10')), 'renewal_date');
  assert.equal(shown('renewal', renewal(null, '2026-06-10')), 'renewal_date');
  assert.equal(shown('renewal', renewal(null, '2016-11-10')), null, 'an earlier one, stated late');
  assert.equal(shown('renewal', renewal('2026-11-10', '2016-11-10')), null);
  assert.equal(shown('renewal', renewal('2016-11-10', null)), null);
  const expiry = (old: string | null, expires: string) => [{ field: 'expiry_date', old, new: expires }];
  assert.equal(shown('renewal', expiry('2026-11-10', '2036-11-10')), 'expiry_date');
  assert.equal(shown('renewal', expiry('2026-11-10', '2026-11-12')), null);
  assert.equal(shown('renewal', expiry(null, '2036-11-10')), null);
  assert.equal(shown('renewal', [{ field: 'status', old: 'Cancelled', new: 'Registered' }]), 'status');
  assert.equal(shown('renewal', [{ field: 'status', old: 'Registered', new: 'Cancelled' }]), null);
});

test('a declaration or an opposition is shown by the status or by an event of the document, and by nothing else', () => {
  for (const filing of ['use_declaration', 'opposition'] as const) {
    assert.equal(shown(filing, [{ field: 'tm5_status', old: 'A', new: 'B' }]), 'tm5_status');
    assert.equal(shown(filing, [{ field: 'payload', paths: ['/parties/0', '/events/12'], more_paths: 0 }]), 'payload');
    assert.equal(shown(filing, [{ field: 'payload', paths: ['/eventsource', '/parties/0'], more_paths: 0 }]), null);
    assert.equal(shown(filing, [{ field: 'owner_names', old: null, new: ['x'] }]), null);
  }
  assert.equal(
    shown('opposition', [{ field: 'opposition_period_end', old: null, new: '2027-01-01' }]),
    'opposition_period_end',
  );
  assert.equal(shown('other', [{ field: 'owner_names', old: null, new: ['x'] }]), 'owner_names');
});

test('only what the office states counts, not what this service reads otherwise', () => {
  const changes = [{ field: 'status', old: 'Pending', new: 'Registered' }];
  assert.equal(shown('other', changes, 'renormalization'), null);
  assert.equal(shown('other', changes, 'first'), null);
  assert.equal(shown('other', changes, 'correction'), 'status');
});
