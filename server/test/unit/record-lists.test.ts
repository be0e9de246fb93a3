/** What a list of records shows of them: their goods, their names, and the values they share. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { renderToString } from 'preact-render-to-string';
import { renderFacets } from '../../src/portal/explorer/facets.ts';
import { renderMarkName } from '../../src/portal/explorer/record-parts.ts';
import { COLUMNS } from '../../src/portal/explorer/record-table.ts';

/** The visible text. */
function textOf(view: unknown): string {
  return renderToString(html`<div>${view}</div>` as never)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const GOODS = [
  {
    class: '9',
    texts: [
      { text: 'Софтуер', language: 'bg' },
      { text: 'Software', language: 'en' },
      { text: 'Programme', language: 'de' },
    ],
  },
];

function showGoods(languages: readonly string[], texts: readonly unknown[] = GOODS): string {
  const record = { payload: { goods_and_services: texts } } as unknown as TrademarkDetail;
  return textOf(COLUMNS.goods!.render(record, { keyId: '', from: null, languages }));
}

test('goods are shown in the language of the reader, else in the language of the page, else as the office begins', () => {
  assert.equal(showGoods(['de-AT', 'fr']), 'Programme');
  assert.equal(showGoods(['fr']), 'Software');
  assert.equal(showGoods(['fr'], [{ class: '9', texts: [{ text: 'Софтуер', language: 'bg' }] }]), 'Софтуер');
});

test('a mark without a text is distinguished from one that is called "Word"', () => {
  assert.equal(textOf(renderMarkName({ mark_name: 'Word', mark_feature: 'Word' } as TrademarkDetail)), 'Word');
  assert.equal(textOf(renderMarkName({ mark_name: null, mark_feature: 'Word' } as TrademarkDetail)), 'no text (Word)');
  assert.equal(textOf(renderMarkName({ mark_name: null, mark_feature: null } as TrademarkDetail)), 'no text');
});

test('among values with equal counts, class 3 comes before class 14', () => {
  const values = ['14', '3', '9'].map((value) => ({ value, count: value === '9' ? 2 : 1 }));
  const shown = textOf(renderFacets([{ field: 'nice_class', values }], [], () => '#'));
  assert.equal(
    shown,
    'Nice class 9 Electronics, software and instruments 2 3 Cosmetics and cleaning 1 14 Jewellery and watches 1',
  );
});
