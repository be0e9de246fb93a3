/** What callers and people see when a stage has no answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode } from '@tmds/contract/errors';
import type { FastifyRequest } from 'fastify';
import { apiError } from '../../src/base/errors.ts';
import { NoAnswer, type NoAnswerCode } from '../../src/base/no-answer.ts';
import { orNull } from '../../src/http/page-reads.ts';
import { explainFailure } from '../../src/portal/routes.ts';
import { toApiError } from '../../src/render/failure.ts';
import { testLog } from '../support/database.ts';

const request = { id: 'r1' } as FastifyRequest;
const EXPECTED: readonly (readonly [cause: NoAnswerCode, code: ErrorCode, page: number])[] = [
  ['database_away', 'unavailable', 503],
  ['records_changing', 'unavailable', 503],
  ['too_many_changed', 'unavailable', 503],
  ['index_out_of_order', 'unavailable', 503],
  ['search_over_time', 'query_timeout', 503],
  ['register_not_served', 'not_found', 404],
  ['no_such_record', 'not_found', 404],
];

test('a page of the portal and a call of the API agree on why there is no answer [7, I-35]', async () => {
  for (const [cause, code, page] of EXPECTED) {
    const failure = new NoAnswer(cause, { register: 'XA' });
    assert.equal(toApiError(failure).code, code, cause);
    assert.equal(explainFailure(failure, request, testLog).status, page, cause);
    assert.equal(await orNull(() => Promise.reject(failure)), null, cause);
  }
});

test('a fault of the program stays one, on every page [7]', async () => {
  const fault = new Error('a fault');
  assert.equal(explainFailure(fault, request, testLog).status, 500);
  await assert.rejects(
    orNull(() => Promise.reject(fault)),
    fault,
  );
  assert.equal(explainFailure(apiError('unavailable', 'Busy.'), request, testLog).status, 503);
});
