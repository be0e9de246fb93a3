/** The rules as data, and what follows from them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANCHORS, type Anchor, DATE_EVENTS } from '@tmds/contract/dates';
import fc from 'fast-check';
import { dayNumber, fromDayNumber } from '../../src/dates/calendar.ts';
import { CALENDARS, isClosed } from '../../src/dates/closing-days.ts';
import { computeDates, type Facts, listDates, readFacts } from '../../src/dates/compute.ts';
import type { Rule } from '../../src/dates/rule.ts';
import { RULES } from '../../src/dates/rules/all.ts';
import { isFull } from '../support/depth.ts';
import { skipWithout } from '../support/formats.ts';
import { readRealRecords } from '../support/real-records.ts';
import { RULE_EXAMPLES } from '../support/rule-examples.ts';

const NO_ANCHORS = Object.fromEntries(ANCHORS.map((fact) => [fact, null])) as Record<Anchor, null>;

function buildFacts(
  rule: Pick<Rule, 'jurisdiction' | 'route'>,
  anchors: Partial<Facts['anchors']>,
  expiry: string | null = null,
): Facts {
  return {
    jurisdiction: rule.jurisdiction,
    route: rule.route,
    status: 'Registered',
    anchors: { ...NO_ANCHORS, ...anchors },
    stated: { expiry, oppositionEnd: null },
    terminated: null,
  };
}

const day = fc.integer({ min: dayNumber('1880-01-01'), max: dayNumber('2060-12-31') }).map(fromDayNumber);
const facts = fc.record({
  rule: fc.constantFrom(...RULES),
  anchors: fc.record(
    Object.fromEntries(ANCHORS.map((fact) => [fact, fc.option(day)])) as Record<Anchor, fc.Arbitrary<string | null>>,
  ),
  expiry: fc.option(day),
  today: day,
});

test('every rule has a name of its register, a source, and a sentence; name and version are unique', () => {
  for (const rule of RULES) {
    assert.ok(rule.id.startsWith(`${rule.jurisdiction.toLowerCase()}.`), rule.id);
    assert.match(rule.source, /\d/u, `${rule.id} cites an article`);
    for (const text of [rule.text, rule.consequence]) assert.match(text, /^[A-Z].*\.$/u, rule.id);
  }
  const names = RULES.map(({ id, version }) => `${id} ${version}`);
  assert.equal(new Set(names).size, names.length);
  for (const code of Object.keys(CALENDARS))
    assert.ok(
      RULES.some(({ jurisdiction }) => jurisdiction === code),
      code,
    );
});

test('every version of every rule gives the day of its example', () => {
  const shown = new Set<Rule>();
  for (const [name, anchors, endsOn, lateUntil, dueOn] of RULE_EXAMPLES) {
    const rule = RULES.find(({ id, version }) => `${id} ${version}` === name);
    assert.ok(rule, name);
    const status = rule.event === 'opposition_end' ? 'Pending' : 'Registered';
    const answers = computeDates({ ...buildFacts(rule, anchors), status }, endsOn);
    const computed = answers.find(({ event, computed }) => event === rule.event && computed?.rule === rule)?.computed;
    assert.ok(computed, `${name} is used for its example`);
    assert.deepEqual([computed.endsOn, computed.dueOn, computed.lateUntil], [endsOn, dueOn ?? endsOn, lateUntil], name);
    shown.add(rule);
  }
  assert.deepEqual(
    RULES.filter((rule) => !shown.has(rule)).map(({ id, version }) => `${id} ${version}`),
    [],
  );
});

test('no window ends before it opens, grace follows the due day, and rolled days are working days', () => {
  fc.assert(
    fc.property(facts, ({ rule, anchors }) => {
      let last = '';
      for (const date of listDates(rule, buildFacts(rule, anchors))) {
        assert.ok(date.endsOn > last, 'terms follow each other');
        last = date.endsOn;
        assert.ok(date.opensOn === null || date.opensOn < date.endsOn);
        assert.ok(date.dueOn >= date.endsOn);
        assert.ok(date.lateUntil === null || date.lateUntil > date.dueOn);
        if (!rule.rolls) continue;
        assert.ok(!isClosed(date.dueOn, rule.jurisdiction));
        assert.ok(date.lateUntil === null || !isClosed(date.lateUntil, rule.jurisdiction));
      }
    }),
  );
});

test('a stated date is never replaced, and the computed one is the nearest to it', () => {
  fc.assert(
    fc.property(facts, ({ rule, anchors, expiry, today }) => {
      const given = buildFacts(rule, anchors, expiry);
      for (const answer of computeDates(given, today)) {
        assert.equal(answer.stated, answer.event === 'renewal' ? expiry : null);
        assert.ok(DATE_EVENTS.includes(answer.event));
        if (answer.stated === null || answer.computed === null) continue;
        const distance = (date: string): number => Math.abs(dayNumber(date) - dayNumber(answer.stated ?? date));
        const { endsOn, rule: used } = answer.computed;
        for (const other of listDates(used, given)) assert.ok(distance(endsOn) <= distance(other.endsOn));
        if (endsOn === answer.stated) assert.equal(answer.agreement, 'agrees');
      }
    }),
  );
});

test('facts that are missing are named, and nothing is computed without them', () => {
  const [renewal] = computeDates(buildFacts({ jurisdiction: 'CA', route: 'direct' }, {}), '2026-01-01').filter(
    ({ event }) => event === 'renewal',
  );
  assert.deepEqual(renewal, {
    event: 'renewal',
    stated: null,
    computed: null,
    agreement: null,
    missing: ['registration_date'],
  });
});

test('a register without rules answers with what its office states', () => {
  const unknown = { ...buildFacts({ jurisdiction: 'US', route: 'direct' }, {}, '2030-01-01'), jurisdiction: 'RO' };
  const [renewal] = computeDates(unknown, '2026-01-01');
  assert.equal(renewal?.agreement, 'stated_only');
});

test('a mark that has ended or is not registered has no renewal ahead', () => {
  const registered = buildFacts({ jurisdiction: 'EM', route: 'direct' }, { application_date: '2020-01-10' });
  for (const ended of [
    { status: 'Cancelled' as const },
    { status: 'Pending' as const },
    { terminated: '2025-01-01' },
  ]) {
    const answers = computeDates({ ...registered, ...ended } as Facts, '2026-01-01');
    assert.equal(answers.find(({ event }) => event === 'renewal')?.computed ?? null, null);
  }
});

test('a period of opposition that is history is listed only if its office states the end', () => {
  const today = '2026-01-01';
  const listed = (
    jurisdiction: Rule['jurisdiction'],
    anchors: Partial<Facts['anchors']>,
    more: Partial<Facts> = {},
  ): readonly (string | undefined)[] =>
    computeDates({ ...buildFacts({ jurisdiction, route: 'direct' }, anchors), ...more }, today)
      .filter(({ event }) => event === 'opposition_end')
      .map(({ stated, computed, missing }) => stated ?? computed?.endsOn ?? missing[0]);
  const old = { publication_date: '2010-02-01', registration_date: '2010-06-01' };
  assert.deepEqual(listed('EM', old), []);
  assert.deepEqual(listed('EM', { registration_date: '2010-06-01' }), [], 'whatever is missing');
  assert.deepEqual(listed('EM', { ...old, publication_date: '2025-12-01' }), [], 'the registration was published');
  assert.deepEqual(listed('EM', old, { stated: { expiry: null, oppositionEnd: '2010-05-01' } }), ['2010-05-01']);
  assert.deepEqual(listed('EM', old, { status: 'Pending' }), ['2010-05-01'], 'registration comes next');
  assert.deepEqual(listed('EM', { publication_date: '2025-12-01' }, { status: 'Abandoned' }), []);
  // Germany registers first.
  assert.deepEqual(listed('DE', old), []);
  const recent = { publication_date: '2025-12-01', registration_date: '2025-11-20' };
  assert.deepEqual(listed('DE', recent), ['2026-03-01']);
  assert.deepEqual(listed('DE', { registration_date: '2025-11-20' }), ['publication_date']);
  assert.deepEqual(listed('DE', { registration_date: '2015-11-20' }), []);
});

test('every date that a real record states is the one that follows', {
  skip: skipWithout('trial-inputs'),
}, async () => {
  const compared = new Map<string, number>();
  for (const record of (await readRealRecords({ withLarge: isFull })).values()) {
    const read = readFacts(record);
    for (const { event, agreement, stated, computed } of computeDates(read, '2026-07-07')) {
      if (agreement !== 'agrees' && agreement !== 'differs') continue;
      assert.equal(agreement, 'agrees', `${record.jurisdiction_code} ${record.uid} ${stated} ${computed?.endsOn}`);
      const cell = `${record.jurisdiction_code} ${read.route} ${event}`;
      compared.set(cell, (compared.get(cell) ?? 0) + 1);
    }
  }
  // Taiwanese renewals are stated by the large file alone.
  const taiwanese = isFull ? ['TW direct renewal'] : [];
  for (const cell of ['EM direct renewal', 'DE direct renewal', 'DE direct opposition_end', ...taiwanese]) {
    assert.ok((compared.get(cell) ?? 0) > 0, cell);
  }
});
