import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { Company, WayFlag } from '../../src/follow/company.ts';
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

class Turns extends SearchTurns<Job> {
  readonly among: Company;

  constructor(company: Company, bounds: { waitingMax: number; patientThreads: number }) {
    super(company, bounds);
    this.among = company;
  }
}

function open(owners: readonly string[], { waitingMax = 1_000, patientThreads = 1_000 } = {}): Turns {
  const company = new Company(new WayFlag(), 1, systemClock);
  const turns = new Turns(company, { waitingMax, patientThreads });
  for (const owner of owners) turns.add(job(owner));
  return turns;
}

/** What a search took that was all match. */
function took(millis: number): Spent {
  return { waitedMs: 0, matchMs: millis, totalMs: millis };
}

/** A customer has taken as much of a thread as is ever held against it. */
function exceedShare(turns: Turns, customer: string, nowMs: number): void {
  turns.add(job(`${customer}0`));
  turns.end(turns.next(false, nowMs)!, took(1_000), nowMs);
}

/** All that may start now on threads of one kind, by customer. */
function startAll(turns: Turns, isPatient: boolean, nowMs: number): string {
  let started = '';
  for (let next = turns.next(isPatient, nowMs); next !== null; next = turns.next(isPatient, nowMs))
    started += next.turn.customer;
  return started;
}

/** Customers whose searches run one after the other on one thread, each taking this long. */
function runAll(turns: Turns, millis: (owner: string) => number = () => 1): string {
  const order: string[] = [];
  const findNext = (): Job | null => turns.next(false, 0) ?? turns.next(true, 0);
  for (let next = findNext(); next !== null; next = findNext()) {
    order.push(next.turn.key);
    turns.end(next, took(millis(next.turn.key)), 0);
  }
  return order.join(' ');
}

test('customers take turns, however many searches one of them has waiting', () => {
  assert.equal(runAll(open(['a1', 'a1', 'a1', 'a1', 'b1', 'c1', 'b1'])), 'a1 b1 c1 a1 b1 a1 a1');
});

test('the keys of a customer take turns, and together they count as one customer', () => {
  assert.equal(runAll(open(['a1', 'a1', 'a2', 'a3', 'b1', 'b1'])), 'a1 b1 a2 b1 a3 a1');
});

test('a customer who has had more time waits for customers who have had less', () => {
  const turns = open(['a1', 'a1', 'a1', ...Array(6).fill('b1')]);
  assert.equal(
    runAll(turns, (owner) => (owner === 'a1' ? 3 : 1)),
    'a1 b1 b1 b1 a1 b1 b1 b1 a1',
  );
});

test('a customer who comes later waits for one turn, and has no advantage for having been away', () => {
  const turns = open(Array(20).fill('a1'));
  for (let ran = 0; ran < 10; ran += 1) turns.end(turns.next(false, 0)!, took(4), 0);
  for (let added = 0; added < 3; added += 1) turns.add(job('b1'));
  assert.match(
    runAll(turns, () => 4),
    /^a1 b1 a1 b1 a1 b1 a1 a1/,
  );
});

test('while others call, a customer who takes more than its share has as many turns as there are patient threads', () => {
  const turns = open([], { patientThreads: 2 });
  exceedShare(turns, 'a', 0);
  turns.among.noteCall('b', 0);
  const running = Array.from({ length: 10 }, () => job('a1'));
  for (const one of running) turns.add(one);
  assert.deepEqual([turns.waitsFor(false, 10), turns.waitsFor(true, 10)], [false, true]);
  assert.deepEqual([startAll(turns, false, 10), startAll(turns, true, 10)], ['', 'aa']);
  assert.deepEqual([turns.waitsFor(false, 10), turns.waitsFor(true, 10)], [false, false]);
  // The page of a search counts until it has been sent.
  turns.end(running[0]!, took(1), 20);
  assert.equal(startAll(turns, true, 20), 'a');
  turns.add(job('b1'));
  assert.deepEqual([startAll(turns, true, 20), startAll(turns, false, 20)], ['', 'b']);
});

test('a customer who calls is there for a second: a shorter silence may be a pause', () => {
  const turns = open([]);
  turns.among.noteCall('b', 10);
  turns.among.noteCall('a', 20);
  exceedShare(turns, 'a', 900);
  turns.among.noteCall('a', 1_000);
  assert.deepEqual([turns.among.crowds('a', 1_009), turns.among.crowds('a', 1_010)], [true, false]);
});

test('a customer who keeps to its share has the ordinary threads, however many others call and however many it waits for', () => {
  const turns = open([], { patientThreads: 1 });
  exceedShare(turns, 'b', 0);
  for (const customer of ['a', 'b']) turns.among.noteCall(customer, 0);
  for (const owner of ['a1', 'a1', 'a1', 'b1', 'b1']) turns.add(job(owner));
  assert.deepEqual(
    [turns.among.crowds('a', 1), turns.among.crowds('b', 1), turns.among.crowds('c', 1)],
    [false, true, false],
  );
  assert.deepEqual([startAll(turns, true, 1), startAll(turns, false, 1)], ['b', 'aaa']);
});

test('a customer who calls alone, or with others who take as much, has everything available', () => {
  const turns = open([], { patientThreads: 1 });
  for (const customer of ['a', 'b']) exceedShare(turns, customer, 0);
  for (let call = 0; call < 10; call += 1) {
    assert.deepEqual([turns.among.noteCall('a', call), turns.among.noteCall('b', call)], [false, false]);
    turns.add(job('a1'));
    turns.add(job('b1'));
  }
  assert.equal(startAll(turns, false, 10).length, 20);
});

test('each of several customers who crowd has its turn at once', () => {
  const turns = open([], { patientThreads: 1 });
  for (const customer of ['a', 'b']) exceedShare(turns, customer, 0);
  assert.equal(turns.among.noteCall('c', 0), true);
  for (const owner of ['a1', 'a1', 'a2', 'b1', 'b1', 'c1']) turns.add(job(owner));
  assert.deepEqual([startAll(turns, true, 1), startAll(turns, false, 1)], ['ab', 'c']);
});

test('turns are given by all that the searches cost, and shares by what their threads took', () => {
  const turns = open(['a1', 'a1', 'a1', ...Array(6).fill('b1')]);
  const order: string[] = [];
  for (let next = turns.next(false, 0); next !== null; next = turns.next(false, 0)) {
    order.push(next.turn.key);
    turns.end(next, { waitedMs: 0, matchMs: 1, totalMs: next.turn.key === 'a1' ? 300 : 100 }, 0);
  }
  assert.equal(order.join(' '), 'a1 b1 b1 b1 a1 b1 b1 b1 a1');
  assert.equal(turns.among.noteCall('b', 0), true);
});

test('when no more may wait, the customer with the most waiting gives way', () => {
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
