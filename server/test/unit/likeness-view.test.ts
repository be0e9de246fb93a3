/** Searches for likeness over a view: segments, merges, filters, related classes, families. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HELD_AS_NAMES, LIKENESS_STRATEGY_NAMES } from '@tmds/contract/likeness';
import type { TrademarkDetail } from '@tmds/contract/record';
import fc from 'fast-check';
import { NEVER_INTERRUPTED } from '../../src/index/matchers.ts';
import { mergeSegments } from '../../src/index/merge.ts';
import { Segment, type View } from '../../src/index/segment.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import { arrangeNames, keyOfRecord } from '../../src/likeness/arrange.ts';
import { type AlikeNames, LikenessFinder } from '../../src/likeness/find.ts';
import { parseSimilar } from '../../src/parse/likeness.ts';
import { planSimilar } from '../../src/plan/likeness.ts';
import { foldName } from '../../src/record/names.ts';
import { spellName } from '../../src/record/spelling.ts';
import { runsOf } from '../support/depth.ts';
import { buildSegment } from '../support/segments.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, renderDetail, type StoredRecord } from '../support/stored.ts';

const stampOf = (number: number): string => `2026-01-01T00:00:00.${String(number).padStart(6, '0')}Z`;
const NAMES = [
  'rheobase',
  'rheoplan',
  'Rheo Top',
  'rheobasa',
  'base',
  'zara home',
  'tara home',
  'Зара',
  '北京',
  'home',
];

function store(number: number, fields: Parameters<typeof buildSource>[0]): StoredRecord {
  return buildStored(buildSource({ uid: `A${number}`, ...fields }), stampOf(number));
}

function search(mark: string, more: Record<string, string> = {}) {
  return planSimilar(parseSimilar({ mark, limit: '200', ...more }));
}

/** What a search found, apart from the order of the publishes. */
function listFound({ names, namesCompared, strategies }: AlikeNames): unknown {
  const found = names.map(({ records, ...name }) => ({ ...name, uids: records.map(({ uid }) => uid).sort() }));
  return { found, namesCompared, strategies };
}

test('finds the same over many segments, while they are merged, and over one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 30 }),
      fc.constantFrom(...NAMES, 'rheo', 'tara'),
      fc.integer({ min: 1, max: 4 }),
      (names, mark, size) => {
        const records = names.map((mark_name, number) => store(number, { mark_name }));
        const writer = new IndexWriter(() => Number.POSITIVE_INFINITY);
        const finder = new LikenessFinder();
        for (let from = 0; from < records.length; from += size) {
          const view = writer.apply([buildSegment(records.slice(from, from + size), `s${from}`)], from + 1);
          finder.prepare(view, NEVER_INTERRUPTED);
        }
        const many = listFound(finder.find(writer.view, search(mark), NEVER_INTERRUPTED));
        const { parts } = writer.view;
        writer.replace(parts, mergeSegments(parts, 'merged'));
        const merged = listFound(finder.find(writer.view, search(mark), NEVER_INTERRUPTED));
        const fresh = listFound(new LikenessFinder().find(writer.view, search(mark), NEVER_INTERRUPTED));
        assert.deepEqual(merged, many);
        assert.deepEqual(fresh, many);
      },
    ),
    { numRuns: runsOf(15) },
  );
});

function viewOf(records: readonly StoredRecord[]): View {
  const segment = new Segment(buildSegment(records, 'one').parts);
  return { number: 1, stamp: 1, parts: [{ segment, dead: null }] };
}

test('a name whose records are all replaced is not found, and a filter leaves only names of matching records', () => {
  const first = store(1, { uid: 'A1', mark_name: 'rheobase', nice_classes: [1] });
  const other = store(2, { uid: 'A2', mark_name: 'rheobasa', nice_classes: [9] });
  const writer = new IndexWriter(() => Number.POSITIVE_INFINITY);
  writer.apply([buildSegment([first, other], 's1')], 1);
  const finder = new LikenessFinder();
  const find = (more = {}): string[] =>
    finder.find(writer.view, search('rheobase', more), NEVER_INTERRUPTED).names.map(({ name }) => name);
  assert.deepEqual(find(), ['rheobase', 'rheobasa']);
  assert.deepEqual(find({ nice_class: '9' }), ['rheobasa']);
  const changed = store(3, { uid: 'A1', mark_name: 'unlike' });
  writer.apply([buildSegment([changed], 's2', () => stampOf(1))], 2);
  assert.deepEqual(find({ strategies: 'equal,edits' }), ['rheobasa']);
});

/** A record of the register that states pseudo marks. */
function storeForms(number: number, mark: string, variants: readonly string[], pseudo: readonly string[], nice = 9) {
  return store(number, {
    jurisdiction_code: 'US',
    mark_name: mark,
    mark_name_variants: variants.length === 0 ? null : [...variants],
    nice_classes: [nice],
    payload: { statements: pseudo.map((text, at) => ({ code: `PM000${at}`, text })) },
  });
}

test('compares the texts that are chosen, says what each is of its mark, and counts words in the classes [I-48]', () => {
  const texts = fc.array(fc.constantFrom(...NAMES), { maxLength: 2 });
  const record = fc.record({
    mark: fc.constantFrom(...NAMES),
    variants: texts,
    pseudo: texts,
    nice: fc.constantFrom(1, 9),
  });
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 12 }),
      fc.subarray([...HELD_AS_NAMES]),
      fc.integer({ min: 1, max: 4 }),
      (given, chosen, size) => {
        const records = given.map((each, at) => storeForms(at, each.mark, each.variants, each.pseudo, each.nice));
        const writer = new IndexWriter(() => Number.POSITIVE_INFINITY);
        for (let from = 0; from < records.length; from += size) {
          writer.apply([buildSegment(records.slice(from, from + size), `s${from}`)], from + 1);
        }
        const asked = { strategies: chosen.join(','), classes: '9' };
        const more = chosen.length === 0 ? { classes: '9' } : asked;
        const find = () => new LikenessFinder().find(writer.view, search('home', more), NEVER_INTERRUPTED);
        const found = find();
        const { parts } = writer.view;
        writer.replace(parts, mergeSegments(parts, 'merged'));
        assert.deepEqual(listFound(find()), listFound(found));

        const heldAs = chosen.length === 0 ? HELD_AS_NAMES : chosen;
        const waysOf = (at: number, name: string): string[] => {
          const { mark, variants, pseudo } = given[at]!;
          const isMark = foldName(mark) === name;
          const isHeld = {
            mark: isMark,
            variant: variants.some((each) => foldName(each) === name),
            pseudo_mark: false,
          };
          isHeld.pseudo_mark = pseudo.some((each) => foldName(each) === name);
          // What is the text of the mark is no other form of it.
          return heldAs.filter((way) => isHeld[way] && (way === 'mark' || !isMark));
        };
        const folded = [...new Set(NAMES.map(foldName))];
        const holders = (name: string) => given.flatMap((_, at) => (waysOf(at, name).length > 0 ? [at] : []));
        assert.equal(found.namesCompared, folded.filter((name) => holders(name).length > 0).length);
        for (const { name, records: hits, evidence } of found.names) {
          assert.deepEqual(
            hits.map(({ uid }) => uid).sort(),
            holders(name)
              .map((at) => `A${at}`)
              .sort(),
          );
          for (const { uid, held_as } of hits) assert.equal(held_as, waysOf(Number(uid.slice(1)), name)[0], name);
          for (const each of evidence) {
            if (each.strategy !== 'word') continue;
            const { word, names_in_classes } = each.held;
            const inClass = given.flatMap(({ mark, variants, pseudo, nice }) =>
              nice === 9 ? [mark, ...variants, ...pseudo].map(foldName) : [],
            );
            const having = [...new Set(inClass)].filter((text) => spellName(text).some((own) => own.text === word));
            assert.equal(names_in_classes, having.length, `${name}: ${word}`);
          }
        }
      },
    ),
    { numRuns: runsOf(40) },
  );
});

test('a word that most names of the classes have does not distinguish them, and a few names say little', () => {
  const store = (from: number, count: number, word: string, nice: number) =>
    Array.from({ length: count }, (_, at) =>
      storeForms(from + at, `${word}${word === 'dental' ? ' ' : ''}${at}`, [], [], nice),
    );
  const dentists = [...store(0, 200, 'dental', 5), ...store(200, 20, 'other', 5)];
  const records = [...dentists, ...store(1_000, 9_000, 'rest', 9), storeForms(20_000, 'zircon', [], [], 3)];
  const view = viewOf(records);
  const find = (mark: string, more: Record<string, string>): unknown => {
    const found = new LikenessFinder().find(view, search(mark, { strategies: 'word', ...more }), NEVER_INTERRUPTED);
    return found.names.slice(0, 1).map(({ evidence: [first] }) => (first?.strategy === 'word' ? first.held : null));
  };
  assert.deepEqual(find('dental', {}), [{ word: 'dental', names: 200, names_in_classes: null }]);
  assert.deepEqual(find('dental', { classes: '9' }), [{ word: 'dental', names: 200, names_in_classes: 0 }]);
  assert.deepEqual(find('dental', { classes: '5' }), [], 'nearly every name of the class has it');
  assert.deepEqual(find('zircon', { classes: '3' }), [{ word: 'zircon', names: 1, names_in_classes: 1 }]);
});

test('measures related classes by owner, register and year', () => {
  const records = Array.from({ length: 120 }, (_, number) =>
    store(number, {
      mark_name: `mark ${number}`,
      owner_names: [`owner ${number % 60}`],
      // The second filing of an owner is in another year for half of the owners.
      application_date: number >= 60 && number % 2 === 0 ? '2021-05-05' : '2020-05-05',
      nice_classes: number < 60 ? [9] : [42],
    }),
  );
  const found = new LikenessFinder().find(viewOf(records), search('mark', { classes: '9' }), NEVER_INTERRUPTED);
  assert.deepEqual(found.related, [{ nice_class: 9, related_class: 42, share: 0.5 }]);
});

test('classes in common come first within a tier, families fold, and no record comes twice', () => {
  const records = [
    store(1, { uid: 'A1', mark_name: 'rheobasa', nice_classes: [9], owner_names: ['x'] }),
    store(2, { uid: 'A2', mark_name: 'rheobaso', nice_classes: [1], owner_names: ['y'] }),
    store(3, { uid: 'A3', mark_name: 'rheobase', mark_name_variants: ['rheobasa'], owner_names: ['x'] }),
  ];
  const alike = new LikenessFinder().find(viewOf(records), search('rheobase', { classes: '1' }), NEVER_INTERRUPTED);
  const details = new Map(
    records.map((stored) => {
      const detail = JSON.parse(renderDetail(stored)) as TrademarkDetail;
      return [keyOfRecord(detail), detail];
    }),
  );
  const asked = { mark: 'rheobase', classes: [1], limit: 10, today: '2026-11-27' };
  const page = arrangeNames(alike, details, asked);
  assert.deepEqual(
    page.items.map(({ record, family }) => [record.uid, family?.members.map((member) => member.record.uid) ?? null]),
    [
      ['A3', ['A1']],
      ['A2', null],
    ],
  );
  assert.equal(page.items[1]!.goods!.relation, 'same');
  assert.equal(page.items[0]!.goods!.relation, 'unknown');
});

test('every strategy has a tier and a description that the page of likeness names', async () => {
  const { readFile } = await import('node:fs/promises');
  const page = await readFile(new URL('../../../docs/likeness.md', import.meta.url), 'utf8');
  for (const strategy of LIKENESS_STRATEGY_NAMES) assert.match(page, new RegExp(`\\| \`${strategy}\` \\|`));
});
