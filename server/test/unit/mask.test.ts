/** What is kept of a refused call holds no key, however it was put into the address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildKeyId, buildKeyText } from '../../src/access/secret.ts';
import { maskTarget, maskText } from '../../src/base/mask.ts';

test('no part of a key is kept, by name, value, path, cut or encoded [5.4]', () => {
  for (let round = 0; round < 50; round += 1) {
    const { text } = buildKeyText(buildKeyId());
    const secret = text.split('_')[2] ?? '';
    const every = [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    const forms = [text, every, encodeURIComponent(every), text.replace('_', '%5F'), text.slice(0, 40), secret];
    for (const form of forms) {
      const places = [`?apikey=${form}`, `?mark_name=${form}`, `?${form}=1`, `?${form}`, `?cursor=${form}`];
      for (const target of [...places.map((query) => `/v1/trademarks${query}`), `/v1/${form}/trademarks`]) {
        const kept = maskTarget(target);
        assert.ok(kept.includes('***'), target);
        assert.ok(!decodeURIComponent(decodeURIComponent(kept)).includes(secret.slice(0, 12)), target);
      }
      assert.doesNotMatch(maskText(`The parameter ${form} is unknown.`), new RegExp(secret.slice(0, 12)));
    }
  }
});

test('values of parameters that are named for a secret are not kept, whatever they are [5.4]', () => {
  assert.equal(
    maskTarget('/v1/usage?api_key=abc&X-Token=1&p%61ssword=x&limit=5'),
    '/v1/usage?api_key=***&X-Token=***&p%61ssword=***&limit=5',
  );
});

test('what is not a secret is kept as sent [5.4]', () => {
  for (const target of [
    '/records/v1/trademarks?mark_name_contains=ab&nice_class=9,42&updated_since=2026-01-01T00:00:00.123456Z',
    '/v1/US/trademarks/US500000097123456?expand=all',
    '/v1/trademarks?international_registration_number=1234567&owner_name=%C3%89mile%20%zz',
    '/v1/changes?since=2026-01-01&cursor=AQAB',
  ]) {
    assert.equal(maskTarget(target), target);
  }
  const message = 'mark_name_contains needs at least 3 characters, not "ab".';
  assert.equal(maskText(message), message);
});
