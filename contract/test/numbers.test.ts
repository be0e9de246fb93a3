/** The forms in which a number is searched for: each pair is how a person writes it and how the register holds it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  listFormsOfAll,
  listNumberForms,
  listSpellings,
  NUMBER_CHARACTERS_MAX,
  spellNumber,
  tidyNumber,
} from '@tmds/contract/numbers';

const WRITTEN: readonly (readonly [register: string, written: string, held: string])[] = [
  ['US', '97/123,456', '97123456'],
  ['US', 'Serial No. 97123456', '97123456'],
  ['US', 'Reg. No. 1,638,204', '1638204'],
  ['US', '0098699', '98699'],
  ['EM', '18229854', '018229854'],
  ['EM', 'EUTM 18 229 854', '018229854'],
  ['EM', '018229854 (EUTM)', '018229854'],
  ['GB', '3289573', 'UK00003289573'],
  ['GB', 'uk 3289573', 'UK00003289573'],
  ['DE', '30 2020 123 456', '302020123456'],
  ['DE', 'DE 302020123456.7/09', '302020123456'],
  ['DE', 'e17341', 'E17341'],
  ['FR', '20 4123456', '4123456'],
  ['FR', '204123456', '20 4123456'],
  ['JP', '2020123456', '2020-123456'],
  ['JP', '商願2020-123456', '2020-123456'],
  ['KR', '40-2020-0123456', '4020200123456'],
  ['KR', '40-1962584', '4019625840000'],
  ['SE', '1900/62281', '1900-62281'],
  ['CH', '12345-2020', '12345/2020'],
  ['AT', '12345/2020', 'AM 12345/2020'],
  ['TR', '2020 123456', '2020/123456'],
  ['PL', 'Z-123456', 'Z.123456'],
  ['RO', '2012/91', 'M 2012 00091'],
  ['CA', '1,234,567', 'TMA1234567'],
  ['CA', '1057613-00', '1057613'],
  ['TW', '2207609', '02207609'],
  ['WO', 'IR 1 234 567A', '1234567A'],
  ['WO', 'W01892865', '1892865'],
  ['XA', '１２３４５', '12345'],
  ['US', '88831436', '88/831436'],
  ['FR', '351961', '0351961'],
  ['JP', '267253', '0267253'],
  ['JP', '323669-2', '323669-2'],
  ['JP', '323669-002', '0323669-002'],
  ['JP', '1934-4875', '1934004875'],
  ['AT', '2/2018', 'AM 00002/2018'],
  ['AT', '33687', '033687'],
  ['CH', '44537', '044537'],
  ['RU', '44537', '044537'],
  ['SE', '44537', '044537'],
];

for (const [register, written, held] of WRITTEN) {
  test(`${register} holds what is written ${written} as ${held} [I-11, I-33]`, () => {
    const forms = listNumberForms(register, written);
    assert.ok(forms.includes(held), forms.join(' | '));
    assert.equal(listNumberForms(register, held)[0], held, 'the form that is held is searched for first, unchanged');
  });
}

test('a text without digits, or too long, is no number', () => {
  for (const text of ['', ' ', 'pending', 'n/a', '1'.repeat(NUMBER_CHARACTERS_MAX + 1)]) {
    assert.deepEqual(listNumberForms('US', text), []);
  }
  assert.equal(tidyNumber(' 97/123,456 '), '97/123456');
});

const SPELLED: readonly (readonly [register: string, written: string, application: string, registration: string])[] = [
  ['US', '0172053', '0172053', '172053'],
  ['US', '172053', '172053', '172053'],
  ['US', '0000000', '0000000', '0000000'],
  ['US', '0A1', '0A1', '0A1'],
  ['KR', '40-2021-0000001', '4020210000001', '40-2021-0000001'],
  ['KR', '4020210000001', '4020210000001', '4020210000001'],
  ['KR', '40-1234567', '40-1234567', '4012345670000'],
  ['KR', '40-1234567-0102', '40-1234567-0102', '4012345670102'],
  ['KR', '40-1234567-01-02', '40-1234567-01-02', '4012345670102'],
  ['KR', '40-2021-1', '40-2021-1', '40-2021-1'],
  ['CA', '1057613-00', '1057613', '1057613'],
  ['CA', '1057613-01', '1057613-01', '1057613-01'],
  ['CA', 'TMA580662-00', 'TMA580662', 'TMA580662'],
  ['XA', '0172053', '0172053', '0172053'],
  ['', '1057613-00', '1057613-00', '1057613-00'],
];

test('each register has one spelling of its numbers, and a number of another form stays as written [I-50]', () => {
  for (const [register, written, application, registration] of SPELLED) {
    const spelled = (['application_number', 'registration_number'] as const).map((kind) =>
      spellNumber(register, kind, written),
    );
    assert.deepEqual(spelled, [application, registration], `${register} ${written}`);
  }
  assert.deepEqual(listSpellings('registration_number', '0172053'), [{ register: 'US', number: '172053' }]);
  assert.deepEqual(listSpellings('application_number', '0172053'), []);
  assert.deepEqual(listSpellings('application_number', '40-2021-0000001'), [
    { register: 'KR', number: '4020210000001' },
  ]);
});

test('a number without its register has the forms of all, the general ones before those of one', () => {
  const forms = listFormsOfAll('2207626');
  assert.equal(forms[0], '2207626');
  const ofOne = ['02207626', '002207626', 'UK00002207626', 'TMA2207626', '4022076260000', 'M2207626'];
  assert.deepEqual(
    ofOne.filter((form) => !forms.includes(form)),
    [],
  );
  assert.equal(new Set(forms).size, forms.length);
  assert.equal(listFormsOfAll('75847216').includes('75/847,216'), true, 'a priority, as other offices quote it');
  assert.deepEqual(listFormsOfAll('pending'), []);
});

test('a Swiss number is found without its zeros', () => {
  assert.equal(listNumberForms('CH', '1/2020').includes('00001/2020'), true);
  assert.equal(listNumberForms('CH', '54321/2020').includes('54321/2020'), true);
  assert.equal(listNumberForms('CH', '1/1820').includes('00001/1820'), false);
});
