/** Filings with the records that they are for, as these are now. */
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Queryable } from '../../database/driver/db.ts';
import { type Filing, type FilingsOf, listFilings } from '../../store/dates/filings.ts';
import { listCurrentRecords } from '../../store/records/current-records.ts';

export interface ShownFiling {
  readonly filing: Filing;
  /** Null if no register has it. */
  readonly record: TrademarkDetail | null;
}

export async function readFilings(
  database: Queryable,
  customerId: string,
  of: FilingsOf,
  limit: number,
): Promise<ShownFiling[]> {
  const filings = await listFilings(database, customerId, of, limit);
  const nameOf = ({ jurisdiction_code, uid }: Pick<TrademarkDetail, 'jurisdiction_code' | 'uid'>): string =>
    `${jurisdiction_code} ${uid}`;
  const records = new Map((await listCurrentRecords(database, filings)).map((each) => [nameOf(each), each]));
  return filings.map((filing) => ({ filing, record: records.get(nameOf(filing)) ?? null }));
}
