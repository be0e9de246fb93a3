/** Dockets in every state that their pages show, as the portal would have stored them. */
import { randomUUID } from 'node:crypto';
import { describeFinding, Tally } from '@tmds/contract/docket/output';
import { reconcileRows } from '@tmds/contract/docket/reconcile';
import { readRow } from '@tmds/contract/docket/rows';
import { surveyDocket } from '@tmds/contract/docket/survey';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { buildReading, readPlan } from '../../src/portal/reconcile/plan.ts';
import { packFindings, packRows } from '../../src/portal/reconcile/results.ts';
import { openMemory, rememberRows } from '../../src/store/accounts/docket-memory.ts';
import {
  finishPart,
  insertDocket,
  insertDocketPart,
  leaveDocket,
  putMarks,
  startDocket,
} from '../../src/store/accounts/dockets.ts';

const TEXT = [
  'Unsere Marken;Stand heute',
  'Unser Zeichen;Land;Marke;Nummer;Status;Ablauf;Notiz',
  'M-2024/001;FR;Café Zürich;4812345;Pending;1.2.2030;x',
  'M-2024/002;FR;Nélyia;0;;;',
  ';Mars;;1;;;',
  'M-2024/004;FR;;—;?;soon;',
  '',
].join('\n');

/**
 * The paths of the dockets of a key's customer: planned, with and without the cost, compared, interrupted, and about to
 * be deleted. A running one is not among them: its page reloads itself.
 */
export async function storeDockets(db: Database, keyId: string): Promise<string[]> {
  const [owner] = await db.query<{ id: string }>(
    sql`select customer_id::text as id from access_key where key_id = ${keyId}`,
  );
  const sheet = { sheet: 'Marken', others: ['Designs', 'Domains'] };
  const survey = { ...(await surveyDocket(() => [new TextEncoder().encode(TEXT)])), sheet };
  const reading = buildReading(
    { ...survey, sheet: null },
    readPlan({ survey, rows: survey.rows }, new URLSearchParams(), ['FR']),
  );
  const record = {
    ...{ jurisdiction_code: 'FR', uid: 'full', application_number: '4812345', registration_number: null },
    ...{ international_registration_numbers: null, mark_name: null, status: 'Registered' as const, tm5_status: null },
    ...{ owner_names: null, nice_classes: null, application_date: null, registration_date: null },
    ...{ renewal_date: null, expiry_date: '2031-02-01', updated_at: '2026-01-02T03:04:05.000000Z' },
  };
  const known = { FR: '2026-01-02T03:04:05.000000Z' };
  const rows = survey.sample.map((row) => readRow(row, reading, new Set(['FR'])));
  const tally = new Tally();
  const findings = (await reconcileRows(rows, reading, async () => [record])).map((finding) =>
    describeFinding(finding, reading.mapping, new Map(Object.entries(known))),
  );
  for (const finding of findings) tally.add(finding);
  const since = [
    { kind: 'changed', was: 'found', at: known.FR } as const,
    { kind: 'new', was: null, at: null } as const,
  ];
  const kept = findings.map((finding, at) => ({ ...finding, memory: { row: `row${at}`, since: since[at] ?? null } }));
  const paths: string[] = [];
  for (const state of ['planned', 'compared', 'interrupted'] as const) {
    const id = randomUUID();
    await db.transaction(async (tx) => {
      await insertDocket(tx, {
        docket_id: id,
        customer_id: owner!.id,
        name: `${state}.csv`,
        rows: survey.rows,
        survey,
      });
      await insertDocketPart(tx, id, { number: 0, rows: survey.rows, cells: await packRows(survey.sample) });
      if (state !== 'planned')
        await startDocket(
          tx,
          id,
          { isFirst: true, reading, key_id: keyId, known_through: known, remembers: false },
          3600,
        );
      const part = { number: 0, findings: await packFindings(kept), counts: { ...tally.counts, known: 3, changed: 2 } };
      if (state === 'compared') await finishPart(tx, id, part);
      if (state === 'compared') {
        const { line, result } = kept[1]!;
        const mark = { line, part: 0, result, state: 'done', note: 'Withdrawn in 2024; the client knows.' } as const;
        await putMarks(tx, id, [mark], 'ada@example.org', false);
        await openMemory(tx, owner!.id, Buffer.alloc(32));
        const row = {
          row_digest: Buffer.from('row'),
          finding_digest: Buffer.from('f'),
          result,
          state: null,
          note: null,
        };
        await rememberRows(tx, owner!.id, id, [row]);
        await leaveDocket(tx, id, null);
      }
      if (state === 'interrupted') await leaveDocket(tx, id, 'quota_exceeded');
    });
    paths.push(`/portal/reconcile/${id}`);
  }
  const further = [`${paths[0]}?checked=1`, `${paths[0]}/delete`, `${paths[1]}/rows/0.4`];
  return ['/portal/reconcile', '/portal/reconcile/memory', ...paths, ...further];
}
