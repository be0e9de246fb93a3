/** Watches for likeness: how they are put and refused, what hits them, and what a hit says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  WATCH_STRATEGIES_DEFAULT,
  type WatchDetail,
  type WatchHitsPage,
  type WatchSummary,
} from '@tmds/contract/watches';
import { matchEvents, WatchedSearches } from '../../src/watches/match-events.ts';
import { testLog } from '../support/database.ts';
import { loadRecords } from '../support/loads.ts';
import { refusalOf, startWithKey, type TestService } from '../support/service.ts';

const JSON_BODY = { 'content-type': 'application/json' };

async function put({ call }: TestService, key: string, id: string, body: object) {
  return await call(`/v1/watches/${id}`, { key, method: 'PUT', headers: JSON_BODY, body: JSON.stringify(body) });
}

const RECORD = { status: 'Registered', jurisdiction_code: 'XA', owner_names: ['acme'], nice_classes: [9] } as const;

async function publish({ db }: TestService, marks: readonly (readonly [uid: string, name: string])[]): Promise<void> {
  await loadRecords(
    db,
    marks.map(([uid, mark_name]) => ({ ...RECORD, nice_classes: [9], owner_names: ['acme'], uid, mark_name })),
  );
  while (await matchEvents(db, new WatchedSearches(testLog)));
}

test('a watch for likeness is hit when a name becomes alike, stays so and stops, and says why', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const similar = { mark: 'RHEOBASE', classes: [9, 35], search: 'jurisdiction=XA&limit=5' };
  const made = await put(service, key, 'w', { name: 'Mine', similar });
  assert.equal(made.status, 200, made.text);
  const { kind, search, item_count } = made.body as WatchSummary;
  assert.deepEqual([kind, item_count], ['similar', 0]);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(search!)), {
    mark: 'rheobase',
    strategies: WATCH_STRATEGIES_DEFAULT.join(','),
    classes: '9,35',
    jurisdiction: 'XA',
  });
  await put(service, key, 'elsewhere', { name: 'None', similar: { mark: 'rheobase', search: 'jurisdiction=XB' } });
  await publish(service, [
    ['1', 'Rheobasa'],
    ['2', 'Aurelia'],
  ]);
  await publish(service, [['1', 'Rheobaze']]);
  await publish(service, [['1', 'Something else']]);
  const hits = (await service.call('/v1/watches/w/hits?since=2020-01-01T00:00:00Z', { key })).body as WatchHitsPage;
  assert.deepEqual(
    hits.items.map(({ event, uid, likeness }) => [event, uid, likeness?.name]),
    [
      ['begins', '1', 'rheobasa'],
      ['changes', '1', 'rheobaze'],
      ['stops', '1', 'rheobaze'],
    ],
  );
  const [first] = hits.items;
  assert.ok(
    first!.likeness!.evidence.some(({ strategy, text }) => strategy === 'edits' && text === 'One letter differs'),
  );
  assert.deepEqual(first!.likeness!.goods, { relation: 'same', nice_classes: [9] });
  const none = await service.call('/v1/watches/elsewhere/hits?since=2020-01-01T00:00:00Z', { key });
  assert.deepEqual((none.body as WatchHitsPage).items, []);
});

test('the preview counts the records and the events that a watch for likeness matches', async (t) => {
  const { key, ...service } = await startWithKey(t);
  await publish(service, [
    ['1', 'Rheobasa'],
    ['2', 'Rheobases'],
    ['3', 'Aurelia'],
    ['4', 'Rheoplan'],
  ]);
  await put(service, key, 'w', { name: 'Mine', similar: { mark: 'rheobase' } });
  const answer = await service.call('/v1/watches/w', { key });
  assert.equal(answer.status, 200, answer.text);
  const watch = answer.body as WatchDetail;
  assert.equal(watch.matches_now, 2);
  assert.equal(
    watch.months.reduce((sum, { events }) => sum + (events ?? 0), 0),
    2,
  );
});

test('a hit of another kind of watch says nothing of likeness', async (t) => {
  const { key, ...service } = await startWithKey(t);
  await put(service, key, 'w', { name: 'All', search: 'jurisdiction=XA' });
  await publish(service, [['1', 'Rheobasa']]);
  const hits = (await service.call('/v1/watches/w/hits?since=2020-01-01T00:00:00Z', { key })).body as WatchHitsPage;
  assert.deepEqual(
    hits.items.map(({ likeness }) => likeness),
    [null],
  );
});

test('refuses a watch for likeness by the part that is wrong', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const refused = async (similar: unknown) => {
    const { code, param } = refusalOf(await put(service, key, 'w', { name: 'Mine', similar } as object));
    return [code, param];
  };
  assert.deepEqual(await refused({}), ['invalid_parameter', 'mark']);
  assert.deepEqual(await refused({ mark: '!!' }), ['invalid_parameter', 'mark']);
  assert.deepEqual(await refused({ mark: 'x'.repeat(201) }), ['invalid_parameter', 'mark']);
  assert.deepEqual(await refused({ mark: 'a', strategies: ['word'] }), ['invalid_parameter', 'strategies']);
  assert.deepEqual(await refused({ mark: 'a', classes: [46] }), ['invalid_parameter', 'classes']);
  assert.deepEqual(await refused({ mark: 'a', search: 'status=Unheard' }), ['invalid_parameter', 'status']);
  assert.deepEqual(await refused({ mark: 'a', search: 'mark=b' }), ['unknown_parameter', 'mark']);
  assert.deepEqual(await refused({ mark: 'a', other: 1 }), ['invalid_parameter', 'similar']);
  assert.deepEqual(await refused('a'), ['invalid_parameter', 'similar']);
  const both = await put(service, key, 'w', { name: 'Mine', similar: { mark: 'a' }, search: 'status=Pending' });
  assert.equal(refusalOf(both).code, 'invalid_parameter');
});
