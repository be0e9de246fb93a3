/** Owners in the findings of a page, in the spelling of the source: a comparison finds them in small letters. */
import type { Queryable } from '../../database/driver/db.ts';
import { spellRecords } from '../frame/party-names.ts';
import type { ResultRow } from './results.ts';

/** Between the owners of a record in a finding. */
const SEPARATOR = '; ';

/** The same rows, in their order. */
export async function spellOwners(db: Queryable, rows: readonly ResultRow[]): Promise<readonly ResultRow[]> {
  const named = rows.flatMap(({ finding: { jurisdiction_code, uid, differences } }, at) => {
    const owner = differences.find(({ field }) => field === 'owner')?.register ?? null;
    if (jurisdiction_code === null || uid === null || owner === null) return [];
    return [{ at, jurisdiction_code, uid, owner_names: owner.split(SEPARATOR), representative_names: null }];
  });
  const spelled = new Map(
    (await spellRecords(db, named)).map(({ at, owner_names: owners }) => [at, owners?.join(SEPARATOR) ?? null]),
  );
  return rows.map((row, at) => {
    const register = spelled.get(at);
    if (register === undefined) return row;
    const differences = row.finding.differences.map((difference) =>
      difference.field === 'owner' ? { ...difference, register } : difference,
    );
    return { ...row, finding: { ...row.finding, differences } };
  });
}
