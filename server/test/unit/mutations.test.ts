/** A spoilt file is never read as if it were whole: the record says so, or an issue, a reject or a refusal does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Issue } from '../../src/record/document.ts';
import { listItems } from '../support/formats.ts';
import { listMutations } from '../support/mutations.ts';
import { REGISTER_FIXTURES, type RegisterFixture } from '../support/register-fixtures.ts';

/** All that a load comes to know of a file, places in it aside. */
async function readOutcome({ format }: RegisterFixture, text: string): Promise<string> {
  const ofFile: [string, Issue | number | string][] = [];
  const context = {
    register: null,
    noteIssue: (issue: Issue) => void ofFile.push(['issue', issue]),
    noteNoRecords: () => void ofFile.push(['no records', 0]),
    noteFrontier: (instant: string) => void ofFile.push(['frontier', instant]),
  };
  try {
    const items = await listItems(format, text, context);
    const found = items.map((item) => (item.kind === 'record' ? [item.record, item.issues] : item.reason));
    return JSON.stringify([found, ofFile]);
  } catch (error) {
    return String(error);
  }
}

for (const fixture of REGISTER_FIXTURES) {
  test(`nothing that is done to a part of a record passes in silence: ${fixture.title}`, async () => {
    const whole = await readOutcome(fixture, fixture.file);
    assert.match(whole, /^\[\[\[\{.*\},\[\]\]\],\[(\["frontier",[^\]]*\])?\]\]$/, 'the fixture itself raises no issue');
    const mutations = listMutations(fixture.file, fixture.record);
    assert.ok(mutations.length >= 60, `${mutations.length} mutations`);
    const silent: string[] = [];
    for (const { place, kind, text } of mutations) {
      if ((await readOutcome(fixture, text)) === whole) silent.push(`${place} ${kind}`);
    }
    const { silences = [] } = fixture;
    assert.deepEqual(
      silent.filter((mutation) => !silences.some(({ where }) => where.test(mutation))),
      [],
    );
    for (const { where } of silences) {
      assert.ok(
        silent.some((mutation) => where.test(mutation)),
        `${where} excuses nothing`,
      );
    }
  });
}
