/** Whatever is sent: no 5xx, every refusal in the envelope, every answer as described. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { runsOf } from '../support/depth.ts';
import { generateOdd, type OddRequest } from '../support/malformed.ts';
import { startService, type TestAnswer } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

const COUNT = runsOf(500);
const SEED = Number(process.env.TMDS_ODD_SEED ?? 20261121);
const CALLERS = 16;

test('gives no 5xx and one envelope to whatever is sent [7, I-9]', async (t) => {
  const service = await startService(t);
  const records = Array.from({ length: 60 }, (_, number) =>
    buildStored(buildSource({ uid: `XA${number}`, mark_name: `mark ${number}` }), '2026-01-02T03:04:05.678901Z'),
  );
  await storeRecords(service.db, records);
  const { key } = await service.issue();
  const requests = generateOdd(SEED, COUNT, key);
  const statuses = new Map<number, number>();
  let startBytes = 0;
  let sent = 0;
  const call = async (): Promise<void> => {
    for (const request of requests) {
      const answer = await service.call(request.target, request);
      checkAnswer(request, answer);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      sent += 1;
      if (sent === Math.floor(COUNT / 10)) startBytes = readHeapBytes();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  const grownBytes = readHeapBytes() - startBytes;
  t.diagnostic(
    `${COUNT} requests: ${JSON.stringify(Object.fromEntries([...statuses].sort()))}, heap +${grownBytes} bytes`,
  );
  for (const status of [200, 400, 401, 404, 405, 422]) assert.ok(statuses.has(status), `no ${status} among them`);
  assert.ok(grownBytes < 50 * 1024 * 1024, `the heap grew by ${grownBytes} bytes`);
});

function checkAnswer(request: OddRequest, answer: TestAnswer): void {
  const about = `${request.method} ${request.target} → ${answer.status} ${answer.text}`;
  assert.ok(answer.status < 500, about);
  if (answer.status < 400 || request.method === 'HEAD') return;
  const { error } = answer.body as { error: { code: unknown; message: unknown } };
  assert.ok(typeof error.code === 'string' && typeof error.message === 'string' && error.message !== '', about);
}

/** After a full collection: what waits to be collected says nothing of what is kept. */
function readHeapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
