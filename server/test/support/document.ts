/**
 * Checks what formats build against the schema of the document. Here the schema is closed: a member that it does not
 * name fails, while the documentation asks readers to expect more members in later versions.
 */
import assert from 'node:assert/strict';
import { DOCUMENT_SCHEMA, type NormalizedDocument } from '@tmds/contract/document';
import { normalizeName } from '@tmds/contract/text';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { splitAliases } from '../../src/record/aliases.ts';
import type { SourceRecord } from '../../src/record/document.ts';

const validate = new Ajv2020({ strict: true }).compile(closeObjects(DOCUMENT_SCHEMA) as object);

function closeObjects(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closeObjects);
  const copy = Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, closeObjects(inner)]));
  return 'properties' in copy ? { additionalProperties: false, ...copy } : copy;
}

/** What is wrong with a document, one line for each fault. */
export function listFaults(document: unknown): string[] {
  if (validate(document)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
}

/** Fields of a record that only repeat, in other words or none, what its document states. */
const STATED_IN_DOCUMENT = [
  'mark_name',
  'tm5_status',
  'owner_names',
  'representative_names',
  'international_registration_numbers',
  'priority_numbers',
] as const satisfies readonly (keyof SourceRecord)[];

const OWNERS: readonly string[] = ['owner', 'applicant'];

/** What a document shows of a record and a filter has to find: its fields state each of these. */
function listFindable({
  parties,
  mark,
  goods_and_services: goods,
  source,
}: NormalizedDocument): Record<string, string[]> {
  const names = (isOwner: boolean): string[] =>
    (parties ?? [])
      .filter(({ role, current }) => role !== 'other' && OWNERS.includes(role) === isOwner && current !== false)
      .flatMap((party) => party.names ?? [])
      // An alias is there with the words that make it one, such as DBA.
      .flatMap(({ text, kind }) => (kind === 'trading_as' ? [] : splitAliases(text)));
  const texts = [...(mark?.texts ?? []), ...(mark?.translations ?? []), ...(mark?.transliterations ?? [])];
  const classes = (goods ?? []).flatMap((entry) => (entry.scheme === 'nice' ? Number(entry.class) : []));
  return {
    owner_names: names(true),
    representative_names: names(false),
    // Offices state translations as sentences, too, and former wordings.
    mark_name: source.format === 'sample' ? texts.map(({ text }) => text) : [],
    nice_classes: classes.filter((number) => number >= 1 && number <= 45).map(String),
  };
}

/** Throws where a document shows what a filter would have to find and does not. */
export function checkFindable(record: SourceRecord, document: NormalizedDocument): void {
  const { mark_name, mark_name_variants } = record;
  const stated: Record<string, unknown> = { ...record, mark_name: [mark_name, ...(mark_name_variants ?? [])] };
  for (const [field, shown] of Object.entries(listFindable(document))) {
    const found = new Set(
      [stated[field] ?? []].flat().flatMap((value) => splitAliases(String(value)).map(normalizeName)),
    );
    for (const text of shown) assert.ok(found.has(normalizeName(text)), `${field} of ${record.uid} lacks ${text}`);
  }
}

/**
 * Throws unless the payload of a record is a document of the schema, states what the record says, and states nothing
 * that a filter would have to find and does not.
 */
export function checkDocument(record: SourceRecord): void {
  const text = JSON.stringify(record.payload);
  const document = JSON.parse(text) as NormalizedDocument;
  assert.deepEqual(listFaults(document), [], `the document of ${record.uid} is as its schema says`);
  // A journal names what happened last; the document says which of the events made the status.
  if (document.source.format !== 'inpi-br') {
    assert.equal(document.source.status_text ?? null, record.tm5_status, `the wording of the status of ${record.uid}`);
  }
  for (const field of STATED_IN_DOCUMENT) {
    for (const value of [record[field] ?? []].flat()) {
      assert.ok(text.includes(JSON.stringify(value).slice(1, -1)), `${field} of ${record.uid}: ${value}`);
    }
  }
  checkFindable(record, document);
}
