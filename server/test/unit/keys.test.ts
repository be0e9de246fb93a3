/** The text of a key. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildKeyId, buildKeyText, buildToken, parseKeyText } from '../../src/access/secret.ts';

test('reads back what it issued, and stores only a digest of it [5.4]', () => {
  const id = buildKeyId();
  const { text, digest } = buildKeyText(id);
  assert.match(text, /^tmds_[0-9a-z]{12}_[0-9A-Za-z]{38}$/);
  assert.deepEqual(parseKeyText(text), { keyId: id, digest });
  assert.equal(digest.length, 32);
  assert.notEqual(buildKeyText(id).text, text);
});

test('refuses every single-character change and every cut of a key without a database [5.6]', () => {
  const { text } = buildKeyText(buildKeyId());
  for (let position = 0; position < text.length; position += 1) {
    const other = text[position] === 'a' ? 'b' : 'a';
    assert.equal(parseKeyText(text.slice(0, position) + other + text.slice(position + 1)), null, text);
    assert.equal(parseKeyText(text.slice(0, position)), null);
  }
  assert.equal(parseKeyText(`${text} `), null);
  assert.equal(parseKeyText(`${text}\n`), null);
});

test('draws every character of the alphabet, so that keys keep all their bits [5.4]', () => {
  const drawn = new Set<string>();
  for (let round = 0; round < 200; round += 1)
    for (const character of buildKeyText(buildKeyId()).text.slice(18, 50)) drawn.add(character);
  assert.equal(drawn.size, 62);
  assert.match(buildToken().text, /^[\w-]{43}$/);
});
