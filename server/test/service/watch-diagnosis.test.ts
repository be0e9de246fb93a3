/** Why a record did or did not hit a watch: what is said is what the matching does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiagnosisCriterion, WatchDiagnosis } from '@tmds/contract/diagnosis';
import type { Database } from '../../src/database/driver/db.ts';
import { instantText, sql } from '../../src/database/driver/sql.ts';
import { diagnose } from '../../src/watches/diagnose.ts';
import { matchEvents, WatchedSearches } from '../../src/watches/match-events.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { type Customer, createCustomer, joinPortal, type Person, textOf } from '../support/portal.ts';
import { refusalOf, startService, type TestService } from '../support/service.ts';
import { WatchedWorld } from '../support/watched-world.ts';
import { publishRecords } from '../torture/publish.ts';
import { buildRandom } from '../torture/random.ts';

const SEED = 20261127;
const { signal } = new AbortController();

async function matchAll(db: Database, step?: { events: number; bytes: number }): Promise<void> {
  const searches = new WatchedSearches(testLog);
  while (await matchEvents(db, searches, step));
}

interface Desk extends TestService {
  readonly customer: Customer;
  readonly key: string;
  put(body: object): Promise<void>;
  ask(uid?: string, code?: string): Promise<WatchDiagnosis>;
}

async function openDesk(t: Parameters<typeof startService>[0]): Promise<Desk> {
  const service = await startService(t);
  const customer = await createCustomer(service.db);
  const { key } = customer;
  const headers = { 'content-type': 'application/json' };
  return {
    ...service,
    customer,
    key,
    put: async (body) => {
      const sent = JSON.stringify({ name: 'Watch', ...body });
      const answer = await service.call('/v1/watches/w', { key, method: 'PUT', headers, body: sent });
      assert.equal(answer.status, 200, answer.text);
    },
    ask: async (uid = 'one', code = 'XA') => {
      const query = new URLSearchParams({ jurisdiction_code: code, uid }).toString();
      const answer = await service.call(`/v1/watches/w/diagnosis?${query}`, { key });
      assert.equal(answer.status, 200, answer.text);
      return answer.body as WatchDiagnosis;
    },
  };
}

const saidOf = ({ criteria }: WatchDiagnosis): unknown[] => criteria.map(({ criterion, holds }) => [criterion, holds]);

async function stampsOf(db: Database, uid = 'one'): Promise<string[]> {
  const rows = await db.query<{ stamp: string }>(sql`
    select ${instantText(sql`updated_at`)} as stamp
    from (
      select updated_at from record where uid = ${uid} union select updated_at from record_version where uid = ${uid}
    ) as version order by updated_at desc`);
  return rows.map(({ stamp }) => stamp);
}

test('it says hit for exactly the changes that hit, of watches of every kind that change and end in between', async (t) => {
  const { db } = await createTestDatabase(t);
  const random = buildRandom(SEED);
  const world = await WatchedWorld.open(db, random);
  for (let round = 0; round < 14; round += 1) {
    for (let count = random.integer(1, 4); count > 0; count -= 1) await world.changeWatch();
    // Some changes are not checked yet at the end.
    const publishes = random.integer(round < 12 ? 0 : 2, 3);
    for (let count = publishes; count > 0; count -= 1) await world.publish(random.integer(10, 20));
    if (round < 12) await matchAll(db, { events: random.integer(1, 30), bytes: 1e9 });
  }
  const told = await world.listTold();
  const { customerId } = world;
  const seen = { hits: 0, none: 0, waiting: 0, failing: 0 };
  for (const [id, hits] of told) {
    for (let number = 1; number <= 60; number += 1) {
      for (const code of ['XA', 'XB']) {
        const record = { jurisdiction_code: code, uid: `R${number}` };
        const said = (await diagnose(db, { customerId, id, record }, signal))!;
        const own = new Map(
          hits
            .filter(([, register, uid]) => register === code && uid === record.uid)
            .map(([stamp, , , event]) => [stamp, event]),
        );
        const { events, criteria, watch } = said;
        assert.equal(said.isUnderstood, true);
        for (const { version, window, matches, hit } of events) {
          const about = `${id} ${code} ${record.uid} ${version} ${window}`;
          assert.equal(hit, own.get(version) ?? null, about);
          if (window === 'waiting') assert.equal(hit, null, about);
          if (window === 'waiting' && matches !== null) seen.waiting += 1;
          if (window !== 'checked' || watch.ended_at !== null) continue;
          assert.equal(matches, hit, about);
          seen[hit === null ? 'none' : 'hits'] += 1;
        }
        // The newest version matches exactly when everything that is asked for holds.
        const [newest] = events;
        if (newest === undefined) continue;
        const holdsNow = newest.matches === 'begins' || newest.matches === 'changes';
        assert.equal(
          criteria.every(({ holds }) => holds === true),
          holdsNow,
          `${id} ${code} ${record.uid}`,
        );
        if (!holdsNow) seen.failing += 1;
      }
    }
  }
  assert.ok(
    Object.values(seen).every((count) => count > 0),
    JSON.stringify(seen),
  );
});

test('each filter of a search says whether it holds and since which version, and the failing ones are named', async (t) => {
  const { db, put, ask } = await openDesk(t);
  await put({
    search:
      'jurisdiction=XA&nice_class=9&status=Registered&application_date_from=2026-01-01&application_date_to=2026-12-31',
  });
  const record = { jurisdiction_code: 'XA', uid: 'one', application_date: '2026-03-02' };
  await publishRecords(db, [{ ...record, nice_classes: [25], status: 'Pending' }]);
  await publishRecords(db, [{ ...record, nice_classes: [9], status: 'Pending' }]);
  await publishRecords(db, [{ ...record, nice_classes: [9, 25], status: 'Pending' }]);
  await matchAll(db);
  const [, second, first] = await stampsOf(db);
  const said = await ask();
  assert.deepEqual([said.verdict, said.kind, said.has_more_events], ['no_match', 'search', false]);
  assert.match(said.text, /As it is now, it fails: status\.$/);
  const criterion = (name: string, asks: string, holds: boolean, since?: string): DiagnosisCriterion => ({
    criterion: name,
    asks,
    holds,
    since: since!,
    likeness: null,
  });
  assert.deepEqual(
    [...said.criteria].sort((one, other) => (one.criterion < other.criterion ? -1 : 1)),
    [
      criterion(
        'application_date_from',
        'application_date_from=2026-01-01&application_date_to=2026-12-31',
        true,
        first,
      ),
      criterion('jurisdiction', 'jurisdiction=XA', true, first),
      criterion('nice_class', 'nice_class=9', true, second),
      criterion('status', 'status=Registered', false, first),
    ],
  );
  assert.deepEqual(
    said.events.map(({ window, matches, hit }) => [window, matches, hit]),
    Array.from({ length: 3 }, () => ['checked', null, null]),
  );

  await publishRecords(db, [{ ...record, nice_classes: [9], status: 'Registered' }]);
  assert.deepEqual([(await ask()).verdict, (await ask()).events[0]!.window], ['waiting', 'waiting']);
  await matchAll(db);
  const hit = await ask();
  assert.deepEqual([hit.verdict, hit.events[0]!.matches, hit.events[0]!.hit], ['hit', 'begins', 'begins']);
});

test('a record that matches but has not changed since the watch is as it is, or changed after it ended, says so', async (t) => {
  const { db, put, ask, call, key } = await openDesk(t);
  await publishRecords(db, [{ jurisdiction_code: 'XA', uid: 'one', nice_classes: [9] }]);
  await put({ owners: ['nobody'] });
  await matchAll(db);
  await put({ search: 'nice_class=9' });
  const before = await ask();
  assert.deepEqual(
    [before.verdict, before.events[0]!.window, before.events[0]!.matches],
    ['before_watch', 'before_watch', 'begins'],
  );
  assert.match(before.text, /A watch reports changes/);
  assert.deepEqual(saidOf(before), [['nice_class', true]]);
  await call('/v1/watches/w', { key, method: 'DELETE' });
  await publishRecords(db, [{ jurisdiction_code: 'XA', uid: 'one', nice_classes: [9, 25] }]);
  await db.query(sql`update watch set ended_at = (select min(updated_at) from record) - interval '1 microsecond'`);
  const ended = await ask();
  assert.deepEqual([ended.verdict, ended.events[0]!.window, ended.ended_at !== null], ['ended', 'ended', true]);
});

test('of a publish that was half matched when the watch changed, each half says by which form it was matched', async (t) => {
  const { db, put, ask } = await openDesk(t);
  await put({ owners: ['nobody'] });
  await publishRecords(
    db,
    ['one', 'two'].map((uid) => ({ jurisdiction_code: 'XA', uid, nice_classes: [9] })),
  );
  await matchEvents(db, new WatchedSearches(testLog), { events: 1, bytes: 1e9 });
  await put({ search: 'nice_class=9' });
  const windowsNow = async (): Promise<unknown[]> =>
    Promise.all(['one', 'two'].map(async (uid) => [(await ask(uid)).verdict, (await ask(uid)).events[0]!.window]));
  assert.deepEqual(await windowsNow(), [
    ['before_watch', 'before_watch'],
    ['waiting', 'waiting'],
  ]);
  await matchAll(db);
  assert.deepEqual(await windowsNow(), [
    ['before_watch', 'before_watch'],
    ['hit', 'checked'],
  ]);
  const [stamp] = await stampsOf(db);
  assert.doesNotMatch((await ask('one')).text, new RegExp(stamp!), 'the watch changed after it');
});

test('a hit that somebody marked as done is a hit, with when it was done', async (t) => {
  const { db, put, ask, url, customer } = await openDesk(t);
  await joinPortal(url, customer);
  await put({ search: 'nice_class=9' });
  await publishRecords(db, [{ jurisdiction_code: 'XA', uid: 'one', nice_classes: [9] }]);
  await matchAll(db);
  assert.equal((await ask()).events[0]!.done_at, null);
  await db.query(sql`
    insert into hit_handling (watch_id, stamp, jurisdiction_code, uid, event, done_at, done_by, changed_at, changed_by)
    select watch_id, stamp, jurisdiction_code, uid, event, now(), user_id, now(), user_id
    from watch_hit, portal_user`);
  const done = await ask();
  assert.equal(done.verdict, 'hit');
  assert.notEqual(done.events[0]!.done_at, null);
  assert.match(done.text, /Somebody marked that hit as done/);
});

test('lists say whether the record is on them, and a record that no register has is answered', async (t) => {
  const { db, put, ask } = await openDesk(t);
  await put({ records: [{ jurisdiction_code: 'XA', uid: 'two' }] });
  const none = await ask();
  assert.deepEqual([none.verdict, none.events, saidOf(none)], ['no_record', [], [['records', false]]]);
  await publishRecords(db, [{ jurisdiction_code: 'XA', uid: 'one', owner_names: ['Acme Inc.'] }]);
  await matchAll(db);
  assert.deepEqual([(await ask()).verdict, saidOf(await ask())], ['no_match', [['records', false]]]);
  await put({ owners: ['Other Ltd'] });
  assert.deepEqual([(await ask()).verdict, saidOf(await ask())], ['no_match', [['owners', false]]]);
  for (const unknown of [await ask('one', 'ZZ'), await ask('ONE'), await ask('é/ü 商标')]) {
    assert.deepEqual([unknown.verdict, saidOf(unknown)], ['no_record', [['owners', null]]]);
  }
});

test('of a mark it says by what the name is alike, within the chosen ways and filters', async (t) => {
  const { db, put, ask } = await openDesk(t);
  await put({ similar: { mark: 'lumora', strategies: ['equal'], search: 'nice_class=9' } });
  await publishRecords(db, [{ jurisdiction_code: 'XA', uid: 'one', mark_name: 'LUMIRA', nice_classes: [25] }]);
  await matchAll(db);
  const narrow = await ask();
  assert.deepEqual(
    [narrow.verdict, saidOf(narrow)],
    [
      'no_match',
      [
        ['similar', false],
        ['nice_class', false],
      ],
    ],
  );
  assert.equal(narrow.criteria[0]!.asks, 'mark=lumora&strategies=equal');
  await put({ similar: { mark: 'lumora', strategies: ['equal', 'edits'], search: 'nice_class=9' } });
  const wide = await ask();
  assert.deepEqual(saidOf(wide), [
    ['similar', true],
    ['nice_class', false],
  ]);
  assert.deepEqual(
    [wide.criteria[0]!.likeness?.name, wide.criteria[0]!.likeness?.evidence[0]?.strategy],
    ['lumira', 'edits'],
  );
});

test('of many changes the newest are examined, and what held longer than them has no beginning', async (t) => {
  const { db, put, ask } = await openDesk(t);
  await put({ search: 'nice_class=25' });
  const record = { jurisdiction_code: 'XA', uid: 'one', nice_classes: [9] };
  for (let number = 0; number < 103; number += 1)
    await publishRecords(db, [{ ...record, mark_name: `Mark ${number}` }]);
  await matchAll(db);
  const said = await ask();
  assert.deepEqual([said.events.length, said.has_more_events, said.verdict], [100, true, 'no_match']);
  assert.deepEqual([said.criteria[0]!.holds, said.criteria[0]!.since], [false, null]);
});

test('a diagnosis costs a unit, is of the own watch, and refuses what names no record [I-28]', async (t) => {
  const { issue, call, put, key } = await openDesk(t);
  await put({ search: 'nice_class=9' });
  const path = '/v1/watches/w/diagnosis';
  const { key: other } = await issue();
  const codeOf = async (target: string, asker = key) => {
    const { code, param } = refusalOf(await call(target, { key: asker }));
    return [code, param];
  };
  assert.deepEqual(await codeOf(`${path}?jurisdiction_code=XA&uid=1`, other), ['not_found', undefined]);
  assert.deepEqual(await codeOf(path), ['validation_error', 'jurisdiction_code']);
  assert.deepEqual(await codeOf(`${path}?jurisdiction_code=XA`), ['validation_error', 'uid']);
  assert.deepEqual(await codeOf(`${path}?jurisdiction_code=XA&uid=`), ['invalid_parameter', 'uid']);
  assert.deepEqual(await codeOf(`${path}?jurisdiction_code=XA&uid=1&number=2`), ['unknown_parameter', 'number']);
  const answer = await call(`${path}?jurisdiction_code=xa&uid=1`, { key });
  assert.equal((answer.body as WatchDiagnosis).jurisdiction_code, 'XA');
  const { body } = await call('/v1/usage', { key });
  assert.equal((body as { products: { calls: number }[] }).products[0]!.calls, 3, 'put, diagnosed, usage');
});

async function whyOf(person: Person, named: string, register = 'XA'): Promise<string> {
  const query = new URLSearchParams({ register, number: named }).toString();
  return textOf((await person.visit(`/portal/watches/w/why?${query}`)).text);
}

test('the page of a watch says why a mark is not there, by its id or a number, and costs nothing', async (t) => {
  const { db, put, url, customer, key, call } = await openDesk(t);
  const person = await joinPortal(url, customer);
  await put({ search: 'nice_class=9' });
  await publishRecords(db, [
    { jurisdiction_code: 'XA', uid: 'one', application_number: '018229854', mark_name: 'NÉLYIA', nice_classes: [25] },
  ]);
  await matchAll(db);
  const watch = (await person.visit('/portal/watches/w')).text;
  assert.match(watch, /action="\/portal\/watches\/w\/why"/);
  assert.match(textOf(watch), /Why is a mark not here\?/);
  for (const named of ['one', '018229854']) {
    const said = await whyOf(person, named);
    assert.match(said, /No change of it satisfies everything that the watch asks for/, named);
    assert.match(said, /Nice class: 9 no/);
    assert.match(said, /XA one/);
  }
  assert.match(await whyOf(person, 'none'), /No register here has it/);
  assert.match(await whyOf(person, ''), /Write its number or id/);
  await publishRecords(db, [{ jurisdiction_code: 'XA', uid: 'one', mark_name: 'NÉLYIA', nice_classes: [9] }]);
  await matchAll(db);
  assert.match(await whyOf(person, 'one'), /It is here.*new match/);
  await put({ similar: { mark: 'nelyia' } });
  assert.match(await whyOf(person, 'one'), /Names like “nelyia”.*yes/);
  const { body } = await call('/v1/usage', { key });
  assert.equal((body as { products: { calls: number }[] }).products[0]!.calls, 3, 'put twice, usage');
  const other = await joinPortal(url, await createCustomer(db));
  assert.equal((await other.visit('/portal/watches/w/why?register=XA&number=one')).status, 404);
});
