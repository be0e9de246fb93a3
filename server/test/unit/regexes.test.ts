/** Every regular expression takes time that grows with the text, whatever the text is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFault } from '../support/regex-time.ts';
import { findRegexes } from '../support/regexes.ts';
import { readSources } from '../support/sources.ts';

/** Built in a function, from what the operator or the sources of this program say. */
const BUILT_LATER: readonly string[] = [
  // The function is called when the module is loaded.
  'contract/src/numbers.ts',
  // From the name of a filter, for our own message.
  'server/src/portal/explorer/search-words.ts',
  // From the paths of our own endpoints: `[^/]+` between slashes.
  'server/src/render/description/endpoints.ts',
  // From a declared pattern, for the names of files, which have at most 200 characters.
  'server/src/sync/declared/file-names.ts',
  // From our own keys, for the operator's file.
  'server/src/base/config-sources.ts',
  // From our own words, for our own migrations.
  'server/src/upkeep/backup/backup-tables.ts',
];

test('every regular expression of the sources takes time that grows with the text [I-45]', async () => {
  const { regexes, builtLater } = await findRegexes(readSources('contract/src', 'server/src', 'client/src'));
  assert.ok(regexes.length > 300);
  assert.deepEqual([...builtLater].sort(), [...BUILT_LATER].sort());
  const faults = regexes.map(findFault).filter((fault) => fault !== null);
  assert.deepEqual(faults, []);
});
