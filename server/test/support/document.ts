/**
 * Checks what formats build against the schema of the document. Here the schema is closed: a member that it does not
 * name fails, while readers of the interface are told to expect more members in later versions.
 */
import assert from 'node:assert/strict';
import { DOCUMENT_SCHEMA } from '@tmds/contract/document';
import { Ajv2020 } from 'ajv/dist/2020.js';
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

/** Throws unless the payload of a record is a document of the schema. */
export function checkDocument({ uid, payload }: SourceRecord): void {
  const faults = listFaults(JSON.parse(JSON.stringify(payload)));
  assert.deepEqual(faults, [], `the document of ${uid} is as its schema says`);
}
