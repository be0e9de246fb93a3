/** Dockets in every state that their pages show, as the portal would have stored them. */
import { randomUUID } from 'node:crypto';
import { describeFinding, Tally } from '@tmds/contract/docket/output';
import { reconcileRows } from '@tmds/contract/docket/reconcile';
import { readRow } from '@tmds/contract/docket/rows';
import { surveyDocket } from '@tmds/contract/docket/survey';
import { buildReading, readPlan } from '../../src/portal/reconcile/plan.ts';
import { packFindings, packRows } from '../../src/portal/reconcile/stored-docket.ts';
import {
  finishPart,
  insertDocket,
  insertDocketPart,
  leaveDocket,
  startDocket,
} from '../../src/store/accounts/dockets.ts';
import type { Database } from '../../src/store/driver/db.ts';
import { sql } from '../../src/store/driver/sql.ts';

const TEXT = 'Land;Nummer;Status;Ablauf;Notiz\nFR;4812345;Pending;1.2.2030;x\nFR;0;;;\nMars;1;;;\nFR;—;?;soon;\n';

/**
 * The paths of the dockets of a key's customer: planned, with and without the cost, compared, interrupted, and about to
 * be deleted. A running one is not among them: its page reloads itself.
 */
export async function storeDockets(db: Database, keyId: string): Promise<string[]> {
  const [owner] = await db.query<{ id: string }>(
    sql`select customer_id::text as id from access_key where key_id = ${keyId}`,
  );
  const survey = await surveyDocket(() => [new TextEncoder().encode(TEXT)]);
  const reading = buildReading(survey, readPlan(survey, new URLSearchParams(), ['FR']));
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
      if (state !== 'planned') await startDocket(tx, id, { reading, key_id: keyId, known_through: known }, 3600);
      const part = { number: 0, findings: await packFindings(findings), counts: tally.counts };
      if (state === 'compared') await finishPart(tx, id, part);
      if (state === 'compared') await leaveDocket(tx, id, null);
      if (state === 'interrupted') await leaveDocket(tx, id, 'quota_exceeded');
    });
    paths.push(`/portal/reconcile/${id}`);
  }
  return ['/portal/reconcile', ...paths, `${paths[0]}?checked=1`, `${paths[0]}/delete`];
}
