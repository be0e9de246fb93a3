/** Names in lists are spelled as the source spells them, for no unit and within a bound; the API has small letters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrademarkDetail } from '@tmds/contract/record';
import { findFormat } from '../../src/load/formats/registry.ts';
import { findWaitingNames } from '../../src/portal/explorer/waiting-names.ts';
import { spellRecords } from '../../src/portal/frame/party-names.ts';
import { type ResultRow, spellOwners } from '../../src/portal/reconcile/results.ts';
import { listDocuments } from '../../src/store/records/documents.ts';
import { createTestDatabase } from '../support/database.ts';
import { loadSources, UNLIMITED } from '../support/loads.ts';
import { openPortal } from '../support/open-portal.ts';
import { writeKeys, writePartyFile } from '../support/party-file.ts';
import { storeMark } from '../support/portal.ts';
import { openText } from '../support/texts.ts';
import { writeTransaction } from '../support/trade-mark.ts';
import { storeWatch } from '../support/watch-hits.ts';

const PAYLOAD = {
  parties: [
    { role: 'owner', names: [{ text: 'ÅLMA Seilduk AS' }] },
    { role: 'owner', names: [{ text: 'Former Ltd.' }], current: false },
    { role: 'representative', names: [{ text: 'McBride & Söhne' }] },
  ],
};
const MARK = {
  mark_name: 'NÉLYIA',
  owner_names: ['ålma seilduk as', 'other gmbh'],
  payload: PAYLOAD,
};
const columnOf = (text: string, label: string): string[] =>
  [...text.matchAll(new RegExp(`data-label="${label}"[^>]*>(.*?)</td>`, 'gs'))].map(([, cell = '']) =>
    cell.replace(/<[^>]*>/g, '').trim(),
  );

test('results and changes spell names as the source does, and the API keeps small letters [I-32, I-28]', async (t) => {
  const { db, call, customer, person } = await openPortal(t, { quota: 10 });
  await storeMark(db, { uid: '1', ...MARK });
  await storeMark(db, { uid: '2', mark_name: 'Two', owner_names: ['no document inc.'] });
  const found = await person.visit('/portal/explorer?jurisdiction=FR&sort=application_date');
  assert.deepEqual(columnOf(found.text, 'Owner').sort(), ['no document inc.', 'ÅLMA Seilduk AS +1']);
  assert.match(found.text, /1 of 10 units used this month/);
  const changes = await person.visit('/portal/feed?show=1');
  assert.ok(columnOf(changes.text, 'Owner').includes('ÅLMA Seilduk AS +1'));
  const api = await call('/v1/FR/trademarks/1', { key: customer.key });
  assert.deepEqual((api.body as TrademarkDetail).owner_names, ['ålma seilduk as', 'other gmbh']);
});

test('results say which names are missing because their office publishes them in separate files', async (t) => {
  const { db, person } = await openPortal(t, {}, { database: await createTestDatabase(t, UNLIMITED) });
  const format = findFormat('euipo')!;
  const load = (...files: readonly string[]): Promise<unknown> =>
    loadSources(db, { format, sources: files.map((file, place) => openText(`${place}.xml`, [file])) });
  const mark = (number: string, keys: Record<string, readonly string[]>): string =>
    writeTransaction({ number, body: writeKeys(keys) });
  await storeMark(db, { uid: '1', mark_name: 'No owner at all' });
  await load(
    mark('018000001', { applicants: ['7'], representatives: ['9'] }),
    mark('018000002', { applicants: ['8'] }),
    mark('018000003', {}),
  );
  const missing = async (columns = ''): Promise<string | undefined> => {
    const { text } = await person.visit(`/portal/explorer?jurisdiction=EM,FR${columns}`);
    return /Names of .*? yet\./s.exec(text)?.[0].replace(/\s+/g, ' ');
  };
  const cause = 'the European Union publishes names in separate files, which we do not have yet.';
  assert.equal(await missing(), `Names of owners are missing for 2 of these trademarks: ${cause}`);
  assert.equal(
    await missing('&columns=owner.representative'),
    `Names of owners and representatives are missing for 2 of these trademarks: ${cause}`,
  );
  assert.equal(
    await missing('&columns=representative'),
    `Names of representatives are missing for 1 of these trademarks: ${cause}`,
  );
  assert.equal(await missing('&columns=status'), undefined);
  assert.equal(await missing('&view=grid'), undefined);
  // Answers are remembered, so each of these is another search.
  await load(writePartyFile({ applicants: [{ key: '7' }] }));
  assert.equal(
    await missing('&sort=application_date'),
    `Names of owners are missing for 1 of these trademarks: ${cause}`,
  );
  await load(writePartyFile({ applicants: [{ key: '8' }] }));
  assert.equal(await missing('&sort=registration_date'), undefined);
});

test('names that wait are read in one statement, and in none where every row has a name', async (t) => {
  const { db } = await createTestDatabase(t);
  const row = (uid: string, owner: string | null): TrademarkDetail =>
    ({
      jurisdiction_code: 'FR',
      uid,
      owner_names: owner === null ? null : [owner],
      representative_names: null,
    }) as never;
  let statements = 0;
  const query = (...asked: Parameters<typeof db.query>): Promise<unknown> => {
    statements += 1;
    return db.query(...asked);
  };
  const find = (rows: TrademarkDetail[], columns: string[]): Promise<unknown> =>
    findWaitingNames({ ...db, query } as unknown as typeof db, rows, columns);
  assert.equal(await find([row('1', 'acme')], ['owner', 'status']), null);
  assert.equal(await find([row('1', null)], ['status']), null);
  assert.equal(statements, 0);
  assert.equal(await find([row('1', null), row('2', null), row('3', 'acme')], ['owner']), null);
  assert.equal(statements, 1);
});

test('rows of a docket quote owners as the source spells them', async (t) => {
  const { db } = await createTestDatabase(t);
  await storeMark(db, { uid: '1', ...MARK });
  const row = (uid: string | null): ResultRow =>
    ({
      part: 0,
      mark: null,
      finding: {
        jurisdiction_code: 'FR',
        uid,
        differences: [
          { field: 'owner', yours: 'Alma', register: 'ålma seilduk as; other gmbh' },
          { field: 'mark', yours: 'x', register: 'y' },
        ],
      },
    }) as unknown as ResultRow;
  const [spelled, unfound] = await spellOwners(db, [row('1'), row(null)]);
  assert.deepEqual(
    spelled?.finding.differences.map(({ register }) => register),
    ['ÅLMA Seilduk AS; other gmbh', 'y'],
  );
  assert.equal(unfound?.finding.differences[0]?.register, 'ålma seilduk as; other gmbh');
});

test('documents of a list are read in its order, as far as they fit, and none without need', async (t) => {
  const { db } = await createTestDatabase(t);
  for (const uid of ['1', '2', '3']) await storeMark(db, { uid, ...MARK });
  const records = ['3', 'none', '1', '2'].map((uid) => ({ jurisdiction_code: 'FR', uid }));
  const bytes = Buffer.byteLength(JSON.stringify(PAYLOAD));
  const sizes = async (max: number) => (await listDocuments(db, records, max)).map((each) => each?.length ?? null);
  assert.deepEqual(await sizes(10 * bytes), [bytes, null, bytes, bytes]);
  assert.deepEqual(await sizes(2 * bytes), [bytes, null, bytes, null]);
  assert.deepEqual(await listDocuments(db, [], 1), []);
  const han = { jurisdiction_code: 'FR', uid: '1', owner_names: ['商标注册'], representative_names: null };
  const unread = { ...db, queryBytes: () => assert.fail('names without capitals need no document') };
  assert.deepEqual(await spellRecords(unread as unknown as typeof db, [han]), [han]);
});

test('a watch that was never checked says so, and a new one is defined by the fields of a search', async (t) => {
  const { db, customer, person } = await openPortal(t);
  await storeWatch(db, customer.name);
  assert.match(
    (await person.visit('/portal/watches/brands')).text,
    /Checked up to<\/dt><dd>(?:<[^>]*>)?not checked yet/,
  );
  const form = (await person.visit('/portal/new-watch')).text;
  assert.match(form, /<form method="get" action="\/portal\/new-watch"/);
  const filled = await person.visit(
    '/portal/new-watch?fields=1&mark_name_text=acme&mark_name_how=startswith&status=Pending',
  );
  assert.equal(filled.to, '/portal/new-watch?search=status%3DPending%26mark_name_startswith%3Dacme');
  assert.match((await person.visit(filled.to ?? '')).text, /Mark starts with: <bdi>acme/);
  assert.equal((await person.visit('/portal/new-watch?fields=1')).to, '/portal/new-watch');
});
