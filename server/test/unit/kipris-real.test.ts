/** The Korean reader over saved answers of the service, compared with what a plain search of their text says. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kiprisFormat } from '../../src/load/formats/kipris/adapter.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { listItems, REAL_DATA, skipWithout } from '../support/formats.ts';

const skip = skipWithout('kipris');

const listFiles = (folder: string): string[] =>
  readdirSync(join(REAL_DATA, 'kipris', folder)).map((name) => `kipris/${folder}/${name}`);

/** The text of an element in each mark of an answer; null where it is blank. */
function listStated(text: string, element: string): (string | null)[] {
  return [...text.matchAll(/<TradeMarkInfo>[\s\S]*?<\/TradeMarkInfo>/g)].map(([mark]) => {
    const stated = new RegExp(`<${element}>([^<]*)</${element}>`).exec(mark)?.[1]?.trim() ?? '';
    return stated === '' ? null : unescapeText(stated);
  });
}

function unescapeText(text: string): string {
  return text
    .replaceAll(/&(?:apos|#0?39);/g, "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}

test('reads every real answer that holds marks as its text says, without rejects or issues', { skip }, async () => {
  let marks = 0;
  for (const file of [...listFiles('applicant'), ...listFiles('other')]) {
    const text = readFileSync(join(REAL_DATA, file), 'utf8');
    if (!text.includes('<TradeMarkInfo>')) continue;
    const records = (await listItems(kiprisFormat, text, { register: null }, file)).map((item) => {
      assert.ok(item.kind === 'record', `${file}: ${item.kind === 'reject' ? item.reason : ''}`);
      assert.deepEqual(item.issues, [], item.position);
      buildRow(normalizeRecord(item.record));
      return item.record;
    });
    marks += records.length;
    const compact = (dates: (string | null)[]): (string | null)[] =>
      dates.map((date) => date?.replaceAll('-', '') ?? null);
    const says = (element: string): (string | null)[] => listStated(text, element);
    assert.deepEqual(
      records.map((record) => record.application_number),
      says('ApplicationNumber'),
    );
    assert.deepEqual(
      records.map((record) => record.registration_number),
      says('RegistrationNumber'),
    );
    assert.deepEqual(
      records.map((record) => record.mark_name),
      says('Title'),
    );
    assert.deepEqual(
      records.map((record) => record.tm5_status),
      says('ApplicationStatus'),
    );
    assert.deepEqual(compact(records.map((record) => record.application_date)), says('ApplicationDate'));
    assert.deepEqual(compact(records.map((record) => record.registration_date)), says('RegistrationDate'));
    assert.deepEqual(
      records.map((record) => record.nice_classes?.map((number) => String(number).padStart(2, '0')).join('|') ?? null),
      says('GoodClassificationCode'),
    );
    assert.deepEqual(
      records.map((record) => record.vienna_codes?.map((code) => code.replaceAll('.', '')).join('|') ?? null),
      says('ViennaCode'),
    );
    for (const [index, name] of says('ApplicantName').entries()) {
      for (const part of name?.split('|') ?? []) assert.ok(records[index]?.owner_names?.includes(part), part);
    }
  }
  assert.equal(marks, 503);
});

test('refuses the real answers that are errors or of goods, and believes the empty one', { skip }, async () => {
  const reasonOf = async (name: string): Promise<string> => {
    const file = `kipris/other/${name}.xml`;
    let saysNone = false;
    const context = { register: null, noteNoRecords: () => (saysNone = true) };
    try {
      const items = await listItems(kiprisFormat, readFileSync(join(REAL_DATA, file), 'utf8'), context, name);
      return `${items.length} records${saysNone ? ', says none' : ''}`;
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.match(await reasonOf('Error_InvalidKey'), /error answer with the code 30/);
  assert.match(await reasonOf('Error_EmptyApplicationNumber'), /error answer with the code 10/);
  assert.match(await reasonOf('TrademarkDesignationGoodstInfo'), /the goods of a mark that it does not name/);
  assert.equal(await reasonOf('Empty_TradeMarkInfo'), '0 records, says none');
  // It neither holds goods nor says that there are none: a load of it fails.
  assert.equal(await reasonOf('Empty_TrademarkDesignationGoodstInfo'), '0 records');
});

test('separates the joint owners of real answers, and keeps their agents', { skip }, async () => {
  const file = 'kipris/other/advanced-search-2017.xml';
  const items = await listItems(kiprisFormat, readFileSync(join(REAL_DATA, file), 'utf8'), { register: null }, file);
  const records = items.map((item) => {
    assert.ok(item.kind === 'record');
    assert.deepEqual(item.issues, [], item.position);
    return normalizeRecord(item.record);
  });
  assert.equal(records.length, 20);
  const joint = records.filter(({ owner_names }) => owner_names?.length === 2);
  assert.deepEqual(joint.map(({ uid }) => uid).sort(), ['KR504020120080037', 'KR504020130000707']);
  const agents = new Set(records.flatMap(({ representative_names }) => representative_names ?? []));
  assert.ok([...agents].every((name) => name.includes('특허법인') && name !== '특허법인'));
});

const skipMade = skipWithout('trial-inputs/W1-kipris-old-classes.xml');

test('reads the inputs that failed in the trial [I-51, I-37]', { skip: skipMade }, async () => {
  const read = async (name: string): Promise<unknown[]> => {
    const file = `trial-inputs/${name}.xml`;
    let saysNone = false;
    const context = { register: null, noteNoRecords: () => (saysNone = true) };
    const items = await listItems(kiprisFormat, readFileSync(join(REAL_DATA, file), 'utf8'), context, name);
    if (saysNone) return ['none'];
    return items.map((item) => {
      assert.ok(item.kind === 'record');
      const { nice_classes, representative_names, mark_feature } = normalizeRecord(item.record);
      return [nice_classes, representative_names, mark_feature, item.issues.map(({ code }) => code)];
    });
  };
  const old = [null, null, null, []];
  assert.deepEqual(await read('W1-kipris-old-classes'), [old, old, old, old, [[43], null, null, []]]);
  assert.deepEqual(await read('W5-D5-D6-kipris-item'), [
    [[30], ['김앤박 법률사무소'], null, []],
    [[43], null, null, ['unmapped_status']],
  ]);
  assert.deepEqual(await read('D6-kipris-no-result-20'), ['none']);
  assert.deepEqual(await read('D6-kipris-pascal-item'), [[[9, 35], null, 'Combined', ['unmapped_class']]]);
  assert.deepEqual(await read('D6-kipris-extra-elements'), [[[9], null, 'Combined', []]]);
  await assert.rejects(read('D6-kipris-biblio'), /an answer about the file of one mark/);
});
