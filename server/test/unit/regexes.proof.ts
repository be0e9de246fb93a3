/** The check of regular expressions finds those that it is for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFault } from '../support/regex-time.ts';

test('an expression that takes the square of the length is found [I-45]', () => {
  for (const source of ['\\s*\\s*x', '<!--[^]*?-->']) {
    assert.notEqual(findFault({ place: 'here', source, flags: 'g' }), null, source);
  }
});
