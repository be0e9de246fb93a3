/** A part of a record that is merged onto the whole of it: what it states, it adds; what it leaves out stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NormalizedRecord } from '../../src/record/document.ts';
import { mergeRecords, parseStatement } from '../../src/record/merge.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { buildSource } from '../support/source.ts';

/** As it is stored and read again. */
function state(fields: Parameters<typeof buildSource>[0]): NormalizedRecord {
  const row = buildRow(normalizeRecord(buildSource(fields)));
  return parseStatement({ ...row, detail: `${row.detail},"updated_at":"2026-01-01T00:00:00.000000Z"}` });
}

const part = (fields: Parameters<typeof buildSource>[0]): NormalizedRecord =>
  state({ status: 'Unknown', is_partial: true, ...fields });

const FIELDS = {
  office: 'WO',
  application_number: '1',
  registration_number: '2',
  mark_name: 'Acme',
  status: 'Registered',
  tm5_status: 'Live',
  kind_of_mark: 'Trademark',
  mark_feature: 'Word',
  application_date: '2020-01-01',
  registration_date: '2020-01-02',
  publication_date: '2020-01-03',
  expiry_date: '2020-01-04',
  renewal_date: '2020-01-05',
  termination_date: '2020-01-06',
  opposition_period_end: '2020-01-07',
  status_date: '2020-01-08',
  external_update_date: '2020-01-09',
  nice_classes: [9, 42],
  vienna_codes: ['26.01.01'],
  owner_names: ['acme inc.'],
  owner_countries: ['US'],
  representative_names: ['bravo'],
  international_registration_numbers: ['1234567'],
  priority_numbers: ['P1'],
  designated_countries: ['CH', 'NO'],
} as const;
const FULL = state({ ...FIELDS, mark_name_variants: ['Αρκάς', 'アクメ'], payload: { parties: [{ role: 'owner' }] } });

const OTHERS: Record<string, unknown> = {
  registration_number: 'R',
  mark_name: 'Other',
  kind_of_mark: 'Service',
  mark_feature: 'Sound',
  nice_classes: [1],
};

test('a part that states nothing changes nothing, and one that states a field changes that alone [I-22, I-31]', () => {
  assert.deepEqual(mergeRecords(FULL, part({})), { ...FULL });
  for (const field of Object.keys(FIELDS) as (keyof typeof FIELDS)[]) {
    const value = FIELDS[field];
    assert.deepEqual(FULL[field], value, field);
    if (['office', 'application_number', 'status', 'tm5_status', 'status_date'].includes(field)) continue;
    const other = OTHERS[field] ?? (Array.isArray(value) ? ['ZZ'] : '2031-01-01');
    const { [field]: stated } = part({ [field]: other });
    assert.notDeepEqual(stated, value, field);
    assert.deepEqual(mergeRecords(FULL, part({ [field]: other })), { ...FULL, [field]: stated }, field);
  }
  const named = mergeRecords(FULL, part({ mark_name_variants: ['Akme'] }));
  assert.deepEqual(named, { ...FULL, mark_name_variants: ['akme'] });
});

test('a full statement is the record, whatever was stated before [I-22]', () => {
  const bare = state({});
  assert.equal(mergeRecords(FULL, bare), bare);
});

test('office and application number stay as first stated, but a Madrid mark that shows late is one [2.1]', () => {
  const { office, application_number } = mergeRecords(FULL, part({ office: 'EM', application_number: '9' }));
  assert.deepEqual([office, application_number], ['WO', '1']);
  const first = mergeRecords(part({ office: 'EM' }), part({ office: 'GB', application_number: '9' }));
  assert.deepEqual([first.office, first.application_number, first.is_partial], ['EM', '9', true]);
  assert.equal(mergeRecords(part({ office: 'BR' }), part({ office: 'WO' })).office, 'WO');
});

test('a status, its text and its day are one statement; Unknown without a text is not a statement [3, I-32]', () => {
  const day = '2031-01-01';
  const statusOf = (fields: Parameters<typeof buildSource>[0], before = FULL): unknown[] => {
    const { status, tm5_status, status_date } = mergeRecords(before, part(fields));
    return [status, tm5_status, status_date];
  };
  assert.deepEqual(statusOf({}), ['Registered', 'Live', '2020-01-08']);
  assert.deepEqual(statusOf({ status_date: day }), ['Registered', 'Live', '2020-01-08'], 'the day of no status');
  assert.deepEqual(statusOf({ status_date: day }, part({})), ['Unknown', null, day]);
  assert.deepEqual(statusOf({ status: 'Cancelled', tm5_status: 'Dead', status_date: day }), ['Cancelled', 'Dead', day]);
  assert.deepEqual(statusOf({ status: 'Cancelled', tm5_status: 'Dead' }), ['Cancelled', 'Dead', null]);
  assert.deepEqual(statusOf({ status: 'Unknown', tm5_status: 'On hold' }), ['Unknown', 'On hold', null]);
  assert.deepEqual(statusOf({ status: 'Registered' }), ['Registered', 'Live', '2020-01-08']);
  assert.deepEqual(statusOf({ status: 'Registered', tm5_status: 'Renewed' }), ['Registered', 'Renewed', null]);
  assert.deepEqual(statusOf({ status: 'Cancelled' }), ['Cancelled', null, null], 'text and day of another status');
  const event = { source: { format: 'x' } };
  const told = { status: 'Pending', tm5_status: 'Objection', payload: event };
  assert.deepEqual(statusOf(told), ['Registered', 'Objection', '2020-01-08'], 'the text of an event');
});

test('sections that are stated take their place, events and what the source says of itself add up [2.2.2]', () => {
  const payload = {
    parties: [{ role: 'owner' }],
    mark: { texts: [{ text: 'a' }] },
    events: [{ kind: 'history', code: 'A' }],
    images: null,
    source: { format: 'x', status_text: 'Live', Comment: 'kept' },
    extra: 1,
  };
  const stated = {
    parties: null,
    mark: {},
    goods_and_services: [{ class: '9' }],
    events: [{ kind: 'removal', code: 'Delete' }],
    images: [{ identifier: '1' }],
    source: { format: 'x', status_text: 'Dead' },
  };
  const merged = mergeRecords(state({ payload }), part({ payload: stated }));
  assert.deepEqual(merged.payload, {
    parties: [{ role: 'owner' }],
    mark: { texts: [{ text: 'a' }] },
    events: [...payload.events, ...stated.events],
    images: [{ identifier: '1' }],
    source: { format: 'x', status_text: 'Dead', Comment: 'kept' },
    extra: 1,
    goods_and_services: [{ class: '9' }],
  });
  assert.deepEqual(mergeRecords(merged, part({ payload: stated })).payload, merged.payload, 'again');
  assert.deepEqual(mergeRecords(state({}), part({ payload: stated })).payload, stated);
});

test('an event that is stated again takes the place it had, each of several alike its own [2.2.2]', () => {
  const event = (status: string, number = '1'): object => ({ kind: 'opposition', number, date: '2020-01-01', status });
  const merge = (before: unknown, stated: unknown): unknown =>
    mergeRecords(state({ payload: { events: before } }), part({ payload: { events: stated } })).payload?.events;
  const before = [event('open'), event('open'), event('open', '2'), 'a note'];
  assert.deepEqual(merge(before, [event('closed'), event('won', '3')]), [
    event('closed'),
    ...[event('open'), event('open', '2'), 'a note', event('won', '3')],
  ]);
  assert.deepEqual(merge(before, [event('a'), event('b'), event('c'), 'a note']), [
    ...[event('a'), event('b'), event('open', '2'), event('c'), 'a note'],
  ]);
  assert.deepEqual(merge('not a list', [event('open')]), ['not a list', event('open')]);
});

test('a text that is not said to be the status counts on its own, a status with it where none is known [3, I-32]', () => {
  const petition = { tm5_status: 'Petition granted', payload: { source: { format: 'x' } } };
  const statusOf = (earlier: NormalizedRecord, fields: Parameters<typeof buildSource>[0]): unknown[] => {
    const { status, tm5_status } = mergeRecords(earlier, part(fields));
    return [status, tm5_status];
  };
  assert.deepEqual(statusOf(FULL, petition), ['Registered', 'Petition granted']);
  assert.deepEqual(statusOf(FULL, { ...petition, status: 'Pending' }), ['Registered', 'Petition granted']);
  assert.deepEqual(statusOf(part({}), { ...petition, status: 'Pending' }), ['Pending', 'Petition granted']);
  for (const stated of [{ status_text: 'Registration refused' }, { status_code: 'R2' }]) {
    const refused = { tm5_status: 'Petition granted', status: 'Abandoned', payload: { source: stated } };
    assert.deepEqual(statusOf(FULL, refused), ['Abandoned', 'Petition granted']);
  }
});

test('parties of a side that is not stated stay, and members of a section too [I-22]', () => {
  const party = (role: string, text: string): object => ({ role, names: [{ text }] });
  const payload = {
    parties: [party('owner', 'a'), party('applicant', 'b'), party('attorney', 'c')],
    mark: { texts: [{ text: 'Acme' }], disclaimers: [{ text: 'INC' }] },
  };
  const merge = (stated: object): unknown => mergeRecords(state({ payload }), part({ payload: stated })).payload;
  assert.deepEqual(merge({ parties: [party('owner', 'd')], mark: { texts: [{ text: 'Bravo' }] } }), {
    parties: [party('owner', 'd'), party('attorney', 'c')],
    mark: { texts: [{ text: 'Bravo' }], disclaimers: [{ text: 'INC' }] },
  });
  assert.deepEqual(merge({ parties: [party('representative', 'e')] }), {
    ...payload,
    parties: [party('owner', 'a'), party('applicant', 'b'), party('representative', 'e')],
  });
});

test('events end in one order, in whichever order their statements came [2.2.2]', () => {
  const event = (date: string): object => ({ kind: 'history', date });
  const merge = (before: object[], stated: object[]): unknown =>
    mergeRecords(state({ payload: { events: before } }), part({ payload: { events: stated } })).payload?.events;
  const [first, second, third] = [event('2020-01-01'), event('2020-01-02'), event('2020-01-03')];
  assert.deepEqual(merge([first, third], [second, third]), [first, second, third]);
  assert.deepEqual(merge([third], [first, second, third]), [first, second, third]);
  assert.deepEqual(merge([first, second], [third]), [first, second, third]);
  const [one, other] = [
    { kind: 'history', details: 'one' },
    { kind: 'history', details: 'other' },
  ];
  assert.deepEqual(merge([one], [other]), [one, other], 'neither number nor date: another text is another event');
  assert.deepEqual(merge([one], [one]), [one]);
});

test('the higher version is the version of what was merged, in the order of the database', () => {
  const versionOf = (one: string | null, other: string | null): string | null =>
    mergeRecords(state({ source_version: one }), part({ source_version: other })).source_version;
  assert.equal(versionOf('20260101', '20260102'), '20260102');
  assert.equal(versionOf('20260102', '20260101'), '20260102');
  assert.equal(versionOf('20260101', null), '20260101');
  assert.equal(versionOf(null, '20260101'), '20260101');
  assert.equal(versionOf('\u{10000}', '\uffff'), '\u{10000}', 'by bytes, not by UTF-16 units');
});

test('numbers and names of a payload come out of a merge as they went in [I-38]', () => {
  const text = '{"__proto__":{"a":1},"big":9007199254740993,"tiny":1e-400}';
  const earlier = parseStatement({ ...buildRow(state({})), detail: '{"status":"Pending"}', payload: text });
  const { payload_text } = mergeRecords(earlier, part({ payload: { events: [{ kind: 'removal' }] } }));
  assert.equal(payload_text, `${text.slice(0, -1)},"events":[{"kind":"removal"}]}`);
});
