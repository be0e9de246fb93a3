/** Real records of every format, each field compared with the words of its source that were read by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFormat } from '../../src/load/formats/registry.ts';
import { checkMark } from '../support/checked.ts';
import { CHECKED } from '../support/checked-all.ts';
import { skipWithout } from '../support/formats.ts';

for (const [name, marks] of Object.entries(CHECKED)) {
  for (const mark of marks) {
    const what = [mark.file, mark.member ?? mark.number].filter((part) => part !== undefined).join(' ');
    test(`${name} says of ${what} what its source says, and nothing else [2.2]`, {
      skip: skipWithout(mark.file),
    }, async () => {
      const format = findFormat(name);
      assert.ok(format !== null);
      await checkMark(format, mark);
    });
  }
}
