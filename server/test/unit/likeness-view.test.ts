/** Searches for likeness over a view: segments, merges, filters, related classes, families. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIKENESS_STRATEGY_NAMES } from '@tmds/contract/likeness';
import type { TrademarkDetail } from '@tmds/contract/record';
import fc from 'fast-check';
import { NEVER_INTERRUPTED } from '../../src/index/interruption.ts';
import { mergeSegments } from '../../src/index/merge.ts';
import { Segment } from '../../src/index/segment.ts';
import type { View } from '../../src/index/view.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import { arrangeNames, keyOfRecord } from '../../src/likeness/arrange.ts';
import { type AlikeNames, LikenessFinder } from '../../src/likeness/find.ts';
import { parseSimilar } from '../../src/parse/likeness.ts';
import { planSimilar } from '../../src/plan/likeness.ts';
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
