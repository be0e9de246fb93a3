/** The address of a record in a table. */
import type { TrademarkDetail } from '@tmds/contract/record';

/** How the records of a table open: the key they are charged to, and the page they lead back to. */
export interface Opening {
  readonly keyId: string;
  /** Null when the address of the page is too long to pass on. */
  readonly from: string | null;
}

/** Also how the records of a table are shown. */
export interface RecordsShown extends Opening {
  /** Languages that the reader wants, the best first. */
  readonly languages: readonly string[];
}

export function recordPath(
  { jurisdiction_code: register, uid }: Pick<TrademarkDetail, 'jurisdiction_code' | 'uid'>,
  { keyId, from }: Opening,
): string {
  const query = new URLSearchParams({ key: keyId, ...(from === null ? {} : { from }) });
  return `/portal/explorer/records/${encodeURIComponent(register)}/${encodeURIComponent(uid)}?${query.toString()}`;
}
