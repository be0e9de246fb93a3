/** The names of registers and countries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinNames, nameAndCode, registerName } from '../../src/portal/frame/registers.ts';

test('offices of several countries and countries have names, and other codes stay codes', () => {
  assert.deepEqual(['EM', 'US', 'GB', 'DE', 'BX', 'WO'].map(registerName), [
    'European Union',
    'United States',
    'United Kingdom',
    'Germany',
    'Benelux',
    'WIPO, Madrid',
  ]);
  assert.deepEqual(['XA', 'XB', 'ZZ', 'QM', 'us', '1A', '', 'USA'].map(registerName), [
    'XA',
    'XB',
    'ZZ',
    'QM',
    'us',
    '1A',
    '',
    'USA',
  ]);
  assert.equal(nameAndCode('EM'), 'European Union (EM)');
  assert.equal(nameAndCode('XA'), 'XA');
  assert.deepEqual(
    [[], ['FR'], ['FR', 'EM'], ['FR', 'EM', 'US'], ['FR', 'EM', 'US', 'XA', 'XB']].map((codes) => joinNames(codes)),
    [
      '',
      'France',
      'France and European Union',
      'France, European Union and United States',
      'France, European Union, United States and 2 more',
    ],
  );
});
