/** What is stored for a record: the delivered text, and what it is found by. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTENT_FIELDS } from '@tmds/contract/record';
import fc from 'fast-check';
import { RenderedContent, renderContent } from '../../src/record/content.ts';
import { parseStatement } from '../../src/record/merge.ts';
import { NAME_SEPARATOR } from '../../src/record/names.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow, listHeldAs, PSEUDO, splitForms, splitVariants } from '../../src/record/row.ts';
import { buildSource } from '../support/source.ts';

function rowOf(fields: Parameters<typeof buildSource>[0]) {
  return buildRow(normalizeRecord(buildSource(fields)));
}

test('renders every content key, null where the register is silent, payload apart [2.2.1, I-31]', () => {
  const row = rowOf({ mark_name: 'A "quoted" mark\n', nice_classes: [9], payload: { parties: [] } });
  const detail = JSON.parse(`${row.detail}}`);
  assert.deepEqual(Object.keys(detail), Object.keys(CONTENT_FIELDS));
  assert.equal(detail.mark_name, 'A "quoted" mark\n');
  assert.deepEqual(detail.nice_classes, [9]);
  assert.equal(detail.owner_names, null);
  assert.equal('payload' in detail, false);
  assert.equal(row.payload, '{"parties":[]}');
});

test('the delivered text is the JSON of the content, every field in the order of the table [2.2.1]', () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'));
  const texts = fc.option(fc.array(text));
  const fields = { mark_name: fc.option(text), tm5_status: text, office: text, nice_classes: fc.constant([42, 9]) };
  const lists = { owner_names: texts, vienna_codes: texts, priority_numbers: texts };
  fc.assert(
    fc.property(fc.record({ ...fields, ...lists, expiry_date: fc.constantFrom(null, '2027-03-15') }), (stated) => {
      const record = normalizeRecord(buildSource(stated));
      const content = Object.keys(CONTENT_FIELDS).map((field) => [field, record[field as 'uid']]);
      assert.equal(`${renderContent(record)}}`, JSON.stringify(Object.fromEntries(content)));
    }),
  );
});

test('a field read alone is the one that the whole text states, in any order of reading', () => {
  const tricky = fc.constantFrom('"', '\\', '\\"', ']', '","mark_name":', 'mark_name":', 'null', '商', '');
  const text = fc
    .array(fc.oneof(tricky, fc.string({ unit: 'binary' })), { maxLength: 4 })
    .map((parts) => parts.join(''));
  const stated = fc.record({
    mark_name: fc.option(text),
    tm5_status: text,
    nice_classes: fc.constantFrom(null, [], [42, 9]),
    owner_names: fc.option(fc.array(text)),
    designated_countries: fc.constantFrom(null, ['DE', 'FR']),
  });
  const names = Object.keys(CONTENT_FIELDS) as (keyof typeof CONTENT_FIELDS)[];
  const order = fc.array(fc.constantFrom(...names), { minLength: 5, maxLength: 20 });
  fc.assert(
    fc.property(stated, order, fc.boolean(), (fields, asked, isShort) => {
      const clean = JSON.parse(JSON.stringify(fields).replaceAll('\\u0000', ''));
      const content = renderContent(normalizeRecord(buildSource(clean)));
      // A text without what is appended today is understood too.
      const whole = isShort ? `${content}}` : `${content},"record_update_date":null}`;
      const parsed = JSON.parse(whole);
      const read = new RenderedContent(whole);
      for (const name of asked) assert.deepEqual(read[name], parsed[name], name);
    }),
  );
});

test('variants of a mark are kept once each in the form that is compared, without the mark itself [4.3, I-12]', () => {
  const variantsOf = (mark_name: string | null, ...mark_name_variants: string[]): string | null =>
    rowOf({ mark_name, mark_name_variants }).mark_variants;
  assert.equal(rowOf({ mark_name: 'ACME', mark_name_variants: null }).mark_variants, null);
  assert.equal(variantsOf('ACME', 'Acme', ' acme '), null);
  assert.equal(variantsOf('ACME', 'Акме', 'acme', 'АКМЕ', '商标'), `акме${NAME_SEPARATOR}商标`);
  assert.equal(variantsOf(null, 'Σίσυφος'), 'σίσυφοσ', 'both sigmas compare alike');
  assert.equal(variantsOf('ACME', `a${NAME_SEPARATOR}b`), 'a b', 'no name holds what separates them');
});

test('pseudo marks of American documents are held with the variants, and are neither variants nor content [I-48, I-22]', () => {
  const statements = [
    { code: 'PM0001', text: 'EXPRESS FOR YOU' },
    { code: 'PM0002', text: `Xprs ${PSEUDO}4 u` },
    { code: 'PM0003', text: 'EILIG' },
    { code: 'PM0004', text: ' express  for you' },
    { code: 'PMX', text: 'OTHER' },
    { code: 'PM0005' },
    'PM0006',
    { text: 'NO CODE' },
  ];
  const fields = { mark_name: 'XPRS 4 U', mark_name_variants: ['Eilig'], payload: { statements } };
  const own = rowOf({ ...fields, jurisdiction_code: 'US' });
  assert.deepEqual(splitForms(own.mark_variants), { variant: ['eilig'], pseudo_mark: ['express for you', 'eilig'] });
  assert.deepEqual(splitVariants(own.mark_variants), ['eilig']);
  assert.deepEqual(parseStatement({ ...own, detail: `${own.detail}}` }).mark_name_variants, ['eilig']);
  assert.equal(rowOf({ ...fields, jurisdiction_code: 'XA' }).mark_variants, 'eilig');
  const only = rowOf({ ...fields, mark_name_variants: null, jurisdiction_code: 'US' });
  assert.equal(splitVariants(only.mark_variants), null);
  assert.deepEqual(listHeldAs('XPRS 4 U', own.mark_variants, 'eilig'), ['variant', 'pseudo_mark']);
  assert.deepEqual(listHeldAs('XPRS 4 U', own.mark_variants, 'xprs 4 u'), ['mark']);
  assert.equal(rowOf({ ...fields, payload: { statements: 'PM0001' }, jurisdiction_code: 'US' }).mark_variants, 'eilig');
});
