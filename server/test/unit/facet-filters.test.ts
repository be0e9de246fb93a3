/** A click on a counted value leads to exactly the matches that were counted for it, and a second click back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planToggle } from '../../src/portal/explorer/facets.ts';

test('a value that is asked for is taken off, alone or from its list', () => {
  assert.deepEqual(planToggle('status', 'Pending', [['status', 'Pending']]), {
    isAsked: true,
    changes: { status: null },
  });
  const both = planToggle('status', 'Pending', [['status', 'Registered, pending']]);
  assert.deepEqual(both, { isAsked: true, changes: { status: 'Registered' } });
});

test('a further value narrows the search, or is not a link where no filter could', () => {
  assert.deepEqual(planToggle('nice_class', '42', []).changes, { nice_class: '42' });
  assert.deepEqual(planToggle('nice_class', '42', [['nice_class', '9']]).changes, { nice_class_all: '42' });
  const three = planToggle('nice_class', '3', [
    ['nice_class', '9'],
    ['nice_class_all', '42'],
  ]);
  assert.deepEqual(three.changes, { nice_class_all: '42,3' });
  assert.equal(planToggle('nice_class', '42', [['nice_class_all', '9,42']]).changes?.nice_class_all, '9');
  assert.deepEqual(planToggle('owner_country', 'JP', [['owner_country', 'US']]), { isAsked: false, changes: null });
});

test('a year narrows the dates of filing that are asked for, and is taken off again', () => {
  const range = { application_date_from: '2024-01-01', application_date_to: '2024-12-31' };
  assert.deepEqual(planToggle('application_year', '2024', []), { isAsked: false, changes: range });
  const since = planToggle('application_year', '2024', [['application_date_from', '2024-03-01']]);
  assert.deepEqual(since.changes, { ...range, application_date_from: '2024-03-01' });
  assert.deepEqual(planToggle('application_year', '2024', Object.entries(range)), {
    isAsked: true,
    changes: { application_date_from: null, application_date_to: null },
  });
  assert.equal(planToggle('application_year', '2024', [['application_date', '2024-03-01']]).changes, null);
});
