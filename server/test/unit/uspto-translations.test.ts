/** Statements of translation and transliteration: what each form gives for the mark, and what gives nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MarkVariants, readTranslations } from '../../src/load/formats/uspto-apc/translations.ts';

const translate = (mark: string | null, ...translations: string[]): MarkVariants =>
  readTranslations(mark, { transliterations: [], translations });
const transliterate = (mark: string | null, ...transliterations: string[]): MarkVariants =>
  readTranslations(mark, { transliterations, translations: [] });

const TRANSLATED: readonly (readonly [mark: string | null, statement: string, ...variants: string[]])[] = [
  ['LA FARO', 'The English translation of "LA FARO" in the mark is "the lighthouse".', 'the lighthouse'],
  ['LA FARO PENS', 'The English translation of "LA FARO" in the mark is "the lighthouse."', 'the lighthouse PENS'],
  ['la faro', 'THE ENGLISH TRANSLATION OF THE WORDS “LA FARO” IS “THE LIGHTHOUSE”', 'THE LIGHTHOUSE'],
  [null, 'The English translation of "LA FARO" in the mark is "the lighthouse".', 'the lighthouse'],
  ['LA FARO', 'The English translation of the mark is "THE LIGHTHOUSE".', 'THE LIGHTHOUSE'],
  ['LA FARO', 'The English translation of the foreign wording in the mark is: "the lighthouse".', 'the lighthouse'],
  ['LA FARO', 'The foreign wording in the mark translates into English as "the lighthouse".', 'the lighthouse'],
  ['LA FARO', 'The foreign wording in the mark translates into English as the lighthouse.', 'the lighthouse'],
  ['FARO PENS', 'The wording "FARO" means "lighthouse" in English.', 'lighthouse PENS'],
  ['FARO PENS', 'The Quillish word "FARO" translates into the English word "lighthouse".', 'lighthouse PENS'],
  ['FARO', 'The term "FARO" may be translated as "lighthouse".', 'lighthouse'],
  ['FARO', 'THE MARK "FARO" TRANSLATES TO "BEACON" IN ENGLISH.', 'BEACON'],
  ['FARO', "The English translation of 'FARO' is 'beacon'.", 'beacon'],
  ['FARO PENS', 'The English translation of FARO in the mark is BEACON.', 'BEACON PENS'],
  ['FARO PENS', 'The English translation of the word "FARO" in the mark is beacon.', 'beacon PENS'],
  ['FARO PENS', 'The English translation of "FARO" is "beacon" or "lamp".', 'beacon PENS', 'lamp PENS'],
  ['FARO', 'The English translation of "FARO" is "beacon," "lamp".', 'beacon', 'lamp'],
  [
    'FARO MARE PENS',
    'The English translation of "FARO" and "MARE" is "beacon" and "sea", respectively.',
    'beacon MARE PENS',
    'FARO sea PENS',
    'beacon sea PENS',
  ],
  ['FARO MARE', '"FARO" means "beacon" and "MARE" means "sea".', 'beacon MARE', 'FARO sea', 'beacon sea'],
  ['FARO FAROS', 'The English translation of "FARO" is "beacon".', 'beacon FAROS'],
  ['FAROPENS', 'The English translation of "FARO" in the mark is "beacon".', 'beaconPENS'],
  ['FARO', 'The English translation of "FARO" is "beacon". The wording "FARO" has no other meaning.', 'beacon'],
];

const TRANSLITERATED: typeof TRANSLATED = [
  [
    'X',
    'The non-Latin characters in the mark transliterate to "kasa" and this means "lamp" in English.',
    'kasa',
    'lamp',
  ],
  [null, 'The non-Latin characters in the mark transliterate to KASA and this means LAMP in English.', 'KASA', 'LAMP'],
  [
    null,
    'The non-Latin characters in the mark transliterate to "Kasa," and this means "Old Lamp."',
    'Kasa',
    'Old Lamp',
  ],
  ['X', 'The non-Latin characters transliterate into "kasa", which translates to "lamp".', 'kasa', 'lamp'],
  [
    'X',
    'The non-Latin characters in the mark transliterate to "kasa" and this has no meaning in a foreign language.',
    'kasa',
  ],
  ['灯 PENS', 'The non-Latin characters "灯" in the mark transliterate to "kasa".', 'kasa PENS'],
  ['X', 'The transliteration of the mark is "kasa" and the English translation is "lamp".', 'kasa', 'lamp'],
];

test('each form of a statement gives the text for the whole mark, or the mark with its words replaced [I-48]', () => {
  for (const [mark, statement, ...variants] of TRANSLATED) {
    assert.deepEqual(translate(mark, statement), { variants, unread: [] }, statement);
  }
  for (const [mark, statement, ...variants] of TRANSLITERATED) {
    assert.deepEqual(transliterate(mark, statement), { variants, unread: [] }, statement);
  }
});

test('a statement that there is no translation gives nothing and is no fault [I-48]', () => {
  for (const statement of [
    'The wording "FARO" has no meaning in a foreign language.',
    'The word(s) FARO has no meaning in English or in a foreign language.',
    'The wording "FARO" has no significance in the relevant trade, nor any meaning in a foreign language.',
    'The wording in the mark has no English translation.',
    'There is no English translation for "FARO".',
    'FARO does not translate into English.',
    'N/A',
    'None.',
  ]) {
    assert.deepEqual(translate('FARO', statement), { variants: null, unread: [] }, statement);
  }
});

test('nothing is invented from a statement of another form, or about other words than those of the mark [I-48]', () => {
  for (const statement of [
    'THE LIGHTHOUSE',
    'The English translation of "MARE" in the mark is "sea".',
    'The English translation of MARE in the mark is SEA.',
    'The English translation of FARO in the mark is unknown.',
    'The English translation of "FARO" is not known to the applicant.',
    'FARO is Quillish for lighthouse (or beacon).',
    'The English translation of "FARO is "beacon".',
    'The English translation of "FARO" is "beacon". It was the name of a ship.',
    'The English translation of "FARO" and "FARO" is "beacon".',
    'The English translation of "" is "beacon".',
    `The English translation of "FARO" is "${'beacon'.repeat(1_000)}".`,
  ]) {
    assert.deepEqual(translate('FARO', statement), { variants: null, unread: [statement] }, statement);
  }
  const bare = 'The English translation of FARO in the mark is BEACON.';
  assert.deepEqual(translate(null, bare), { variants: null, unread: [bare] });
});

test('several statements are read together, transliterations first [I-48]', () => {
  const statements = {
    transliterations: ['The non-Latin characters in the mark transliterate to "kasa".'],
    translations: ['The English translation of "kasa" is "lamp".', 'The English translation of "FARO" is "beacon".'],
  };
  assert.deepEqual(readTranslations('FARO 灯', statements), { variants: ['kasa', 'lamp', 'beacon 灯'], unread: [] });
});
