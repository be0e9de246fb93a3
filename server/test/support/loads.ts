/** Loads in tests: the product's own run over text made by the test, and everything a load may leave behind. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { Database, Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { silentProgress } from '../../src/load/findings/progress.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import { type LoadOptions, runLoad } from '../../src/load/run.ts';
import { testLog } from './database.ts';
import { openText } from './texts.ts';

/** A load connects without a statement time limit, because one COPY takes as long as its source. */
export const UNLIMITED = { statementTimeoutMs: 0 };

export async function loadSources(
  db: Database,
  options: Partial<LoadOptions> & Pick<LoadOptions, 'sources'>,
): Promise<LoadReport> {
  const format = findFormat('ndjson');
  if (format === null) throw new Error('no ndjson format');
  return await runLoad({
    db,
    clock: systemClock,
    log: testLog,
    format,
    register: null,
    currentThrough: null,
    spoolFolders: [tmpdir()],
    rejectsPath: join(tmpdir(), 'tmds-test-{load}.txt'),
    keepRejectsFile: false,
    progress: silentProgress,
    ...options,
  });
}

export async function loadText(db: Database, text: string, options: Partial<LoadOptions> = {}): Promise<LoadReport> {
  return await loadSources(db, { sources: [openText('test.ndjson', [text])], ...options });
}

/** One record per line. */
export function renderLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

export async function loadRecords(
  db: Database,
  records: readonly object[],
  options: Partial<LoadOptions> = {},
): Promise<LoadReport> {
  return await loadText(db, renderLines(records), options);
}

/** Only the counts of a report. */
export function countsOf(report: LoadReport): number[] {
  return [report.read, report.new, report.changed, report.unchanged, report.rejected];
}

/** Everything that is served, without stamps: databases with the same text hold the same records. */
export async function dumpContent(db: Queryable): Promise<string> {
  const rows = await db.query<{ row: string }>(sql`
    select json_build_array(record.jurisdiction_code, record.uid, encode(content_digest, 'hex'), mark_variants,
      regexp_replace(detail, '"record_update_date".*$', ''), document)::text as row
    from record left join payload using (jurisdiction_code, uid)
    order by record.jurisdiction_code, record.uid`);
  const registers = await db.query<{ row: string }>(
    sql`select jurisdiction_code || ' ' || record_count as row from register order by 1`,
  );
  return [...rows, ...registers].map(({ row }) => row).join('\n');
}

/** Staging tables that still exist. */
export async function listStages(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`select relname as name from pg_class where relname ~ '^stage_[0-9a-f]{32}$' and relkind = 'r'`,
  );
  return rows.map(({ name }) => name);
}
