import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SearchTurns } from '../../src/follow/search-turns.ts';

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

const THREADS = 4;

function open(owners: readonly string[], { threads = THREADS, waitingMax = 1_000 } = {}): SearchTurns<Job> {
  const turns = new SearchTurns<Job>(threads, waitingMax);
  for (const owner of owners) turns.add(job(owner));
  return turns;
}

/** Whose searches run one after the other on one thread, each taking so long. */
function runAll(turns: SearchTurns<Job>, millis: (owner: string) => number = () => 1): string {
  const order: string[] = [];
  for (let next = turns.next(); next !== null; next = turns.next()) {
    order.push(next.turn.key);
    turns.end(next, millis(next.turn.key));
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
    runAll(turns, (owner) => (owner === 'a1' ? 30 : 10)),
    'a1 b1 b1 b1 a1 b1 b1 b1 a1',
  );
});

test('a customer who comes later waits for one turn, and has no advantage for having been away', () => {
  const turns = open(Array(20).fill('a1'));
  for (let ran = 0; ran < 10; ran += 1) turns.end(turns.next()!, 40);
  for (let added = 0; added < 3; added += 1) turns.add(job('b1'));
  assert.match(
    runAll(turns, () => 40),
    /^a1 b1 a1 b1 a1 b1 a1 a1/,
  );
});

test('a customer alone has every thread, and half of them once its searches take long', () => {
  const turns = open(Array(40).fill('a1'));
  const running: Job[] = [];
  const fill = (): number => {
    for (let next = turns.next(); next !== null && running.length < THREADS; next = turns.next()) running.push(next);
    return running.length;
  };
  for (let next = running.length; next < THREADS; next += 1) running.push(turns.next()!);
  assert.equal(running.length, THREADS);
  // They took long, one after the other.
  for (const ended of running.splice(0)) turns.end(ended, 400);
  assert.equal(fill(), THREADS / 2);
  // Another customer has the rest at once.
  turns.add(job('b1'));
  assert.equal(turns.next()?.turn.key, 'b1');
});

test('a single thread serves everybody', () => {
  const turns = open(['a1', 'a1', 'b1'], { threads: 1 });
  assert.equal(
    runAll(turns, () => 500),
    'a1 b1 a1',
  );
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
  assert.deepEqual([turns.waiting, turns.next()], [0, null]);
});
