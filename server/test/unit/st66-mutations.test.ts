/** A spoilt file is never read as if it were whole: its record says so, or an issue, or a refusal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { st66Format } from '../../src/load/formats/st66/adapter.ts';
import { listItems } from '../support/formats.ts';
import { EUROPEAN_RECORD, FRENCH_NOTICE, GERMAN_RECORD } from '../support/st66-fixtures.ts';
import { listMutations } from '../support/xml-mutations.ts';

/** Two ways to write the same. */
const EQUAL = /DesignatedCountry\/DesignatedCountryCode moved$/;

/** All that a load comes to know of a file. */
async function readOutcome(xml: string): Promise<string> {
  try {
    const items = await listItems(st66Format, xml);
    return JSON.stringify(items.map((item) => (item.kind === 'record' ? [item.record, item.issues] : item.reason)));
  } catch (error) {
    return String(error);
  }
}

for (const [office, fixture] of Object.entries({
  European: EUROPEAN_RECORD,
  German: GERMAN_RECORD,
  French: FRENCH_NOTICE,
})) {
  test(`no spoilt element of a ${office} mark passes in silence`, async () => {
    const whole = await readOutcome(fixture);
    assert.match(whole, /,\[\]\]\]$/, 'the fixture itself raises no issue');
    const mutations = listMutations(fixture, 'TradeMark').filter(({ title }) => !EQUAL.test(title));
    assert.ok(mutations.length > 100);
    const silent: string[] = [];
    for (const { title, text } of mutations) if ((await readOutcome(text)) === whole) silent.push(title);
    assert.deepEqual(silent, []);
  });
}
