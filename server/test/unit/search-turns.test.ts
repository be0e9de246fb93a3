import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SearchTurns, type Spent } from '../../src/follow/search-turns.ts';

interface Job {
  readonly name: string;
  readonly turn: { readonly customer: string; readonly key: string };
}

let made = 0;

/** `a1` is customer `a` with key `1`. */
function job(owner: string): Job {
  made += 1;
  return { name: `${owner}#${made}`, turn: { customer: owner[0]!, key: owner } };
}

function open(
  owners: readonly string[],
  { waitingMax = 1_000, ordinary = 1_000, patient = 1_000 } = {},
): SearchTurns<Job> {
  const turns = new SearchTurns<Job>({ waitingMax, threads: { ordinary, patient } });
  for (const owner of owners) turns.add(job(owner));
  return turns;
}

/** What a search took that was all match. */
function took(millis: number): Spent {
  return { matchMs: millis, totalMs: millis };
}

/** Whose searches run one after the other on one thread, each taking so long. */
function runAll(turns: SearchTurns<Job>, millis: (owner: string) => number = () => 1): string {
  const order: string[] = [];
  const findNext = (): Job | null => turns.next(false, 0) ?? turns.next(true, 0);
  for (let next = findNext(); next !== null; next = findNext()) {
    order.push(next.turn.key);
    turns.end(next, took(millis(next.turn.key)));
  }
  return order.join(' ');
}

test('customers take turns, however many searches one of them has waiting', () => {
  assert.equal(runAll(open(['a1', 'a1', 'a1', 'a1', 'b1', 'c1', 'b1'])), 'a1 b1 c1 a1 b1 a1 a1');
});

test('the keys of a customer take turns among themselves, and together they are one customer', () => {
  assert.equal(runAll(open(['a1', 'a1', 'a2', 'a3', 'b1', 'b1'])), 'a1 b1 a2 b1 a3 a1');
});

test('who has had more time waits for those who have had less', () => {
  const turns = open(['a1', 'a1', 'a1', ...Array(6).fill('b1')]);
  assert.equal(
    runAll(turns, (owner) => (owner === 'a1' ? 3 : 1)),
    'a1 b1 b1 b1 a1 b1 b1 b1 a1',
  );
});

test('a customer who comes later waits for one turn, and has no advantage for having been away', () => {
  const turns = open(Array(20).fill('a1'));
  for (let ran = 0; ran < 10; ran += 1) turns.end(turns.next(false, 0)!, took(4));
  for (let added = 0; added < 3; added += 1) turns.add(job('b1'));
  assert.match(
    runAll(turns, () => 4),
    /^a1 b1 a1 b1 a1 b1 a1 a1/,
  );
});

test('a customer whose searches take long has the patient threads, and leaves the others to everybody else', () => {
  const turns = open(Array(10).fill('a1'));
  const running = Array.from({ length: 4 }, () => turns.next(false, 0)!);
  assert.equal(turns.next(true, 0), null);
  for (const ended of running) turns.end(ended, took(400));
  assert.deepEqual([turns.next(false, 0), turns.waitsFor(false, 0), turns.waitsFor(true, 0)], [null, false, true]);
  assert.equal(turns.next(true, 0)?.turn.key, 'a1');
  turns.add(job('b1'));
  assert.equal(turns.next(false, 0)?.turn.key, 'b1');
});

test('a customer whose searches are quick again has the ordinary threads again', () => {
  const turns = open(Array(40).fill('a1'));
  turns.end(turns.next(false, 0)!, took(400));
  let patient = 0;
  for (let next = turns.next(true, 0); next !== null; next = turns.next(true, 0)) {
    patient += 1;
    turns.end(next, took(1));
  }
  assert.ok(patient > 0 && patient < 20);
  assert.equal(turns.next(false, 0)?.turn.key, 'a1');
});

test('while others call, one who asks for more than the threads has as many turns as the patient ones are', () => {
  const turns = open(Array(10).fill('a1'), { ordinary: 4, patient: 2 });
  const startAll = (nowMs: number, isPatient = true): Job[] => {
    const started: Job[] = [];
    for (let next = turns.next(isPatient, nowMs); next !== null; next = turns.next(isPatient, nowMs))
      started.push(next);
    return started;
  };
  turns.noteCall('a', 0);
  turns.noteCall('b', 10);
  turns.noteCall('a', 20);
  turns.noteCall('a', 30);
  const [one, ...others] = startAll(40);
  assert.equal(others.length, 1);
  assert.equal(turns.waitsFor(false, 40) || turns.waitsFor(true, 40), false);
  // The page of a search counts until it has been sent.
  turns.end(one!, took(1));
  assert.equal(startAll(50).length, 1);
  // Half a second of silence may be a pause of whoever else is there.
  assert.equal(startAll(500).length + startAll(500, false).length, 0);
  assert.equal(startAll(1_010, false).length, 7);
});

test('who asks for no more than the threads has them all, however many others call', () => {
  const turns = open(['a1', 'a1', 'a1', 'b1', 'b1', 'b1', 'b1'], { ordinary: 3, patient: 1 });
  for (const customer of ['a', 'b']) turns.noteCall(customer, 0);
  const startAll = (isPatient: boolean): string => {
    let started = '';
    for (let next = turns.next(isPatient, 1); next !== null; next = turns.next(isPatient, 1))
      started += next.turn.customer;
    return started;
  };
  assert.deepEqual([turns.crowds('a', 1), turns.crowds('b', 1), turns.crowds('c', 1)], [false, true, false]);
  assert.equal(startAll(true), 'b');
  assert.equal(startAll(false), 'aaa');
});

test('who alone calls has whatever there is', () => {
  const turns = open(Array(10).fill('a1'), { ordinary: 1, patient: 1 });
  for (let call = 0; call < 10; call += 1) turns.noteCall('a', call);
  for (let started = 0; started < 10; started += 1) assert.equal(turns.next(false, 10)?.turn.customer, 'a');
});

test('each of several customers who crowd has its turn at once', () => {
  const turns = open(['a1', 'a1', 'a2', 'b1', 'b1', 'c1'], { ordinary: 1, patient: 1 });
  for (const customer of ['a', 'b', 'c']) turns.noteCall(customer, 0);
  const start = (isPatient: boolean) => turns.next(isPatient, 1)?.turn.customer;
  assert.deepEqual([start(true), start(true), start(true)], ['a', 'b', undefined]);
  assert.deepEqual([start(false), start(false)], ['c', undefined]);
});

test('turns are given by all that the searches cost, and threads by what their matches took', () => {
  const turns = open(['a1', 'a1', 'a1', ...Array(6).fill('b1')]);
  const order: string[] = [];
  for (let next = turns.next(false, 0); next !== null; next = turns.next(false, 0)) {
    order.push(next.turn.key);
    turns.end(next, { matchMs: 1, totalMs: next.turn.key === 'a1' ? 300 : 100 });
  }
  assert.equal(order.join(' '), 'a1 b1 b1 b1 a1 b1 b1 b1 a1');
});

test('where no more may wait, whoever has the most waiting gives way', () => {
  const turns = open(Array(10).fill('a1'), { waitingMax: 10 });
  const own = job('a1');
  assert.equal(turns.add(own), own);
  const displaced = turns.add(job('b1'));
  assert.equal(displaced?.turn.key, 'a1');
  assert.equal(turns.waiting, 10);
  assert.equal(runAll(turns), `a1 b1 ${Array(8).fill('a1').join(' ')}`);
});

test('a search that is taken back neither runs nor holds a place', () => {
  const turns = open(['b1']);
  const gone = job('a1');
  turns.add(gone);
  assert.deepEqual([turns.remove(gone), turns.remove(gone), turns.waiting], [true, false, 1]);
  assert.deepEqual(
    turns.clear().map(({ turn }) => turn.key),
    ['b1'],
  );
  assert.deepEqual([turns.waiting, turns.next(false, 0)], [0, null]);
});
