/**
 * Where in the console a logged call can be made again. The log has secrets and cursors masked and long addresses cut;
 * such a call leads to the first page of its search, or nowhere.
 */
import { parseTarget } from '../../render/description/endpoints.ts';
import { consolePath } from '../request/request-view.ts';

const MASKED = '***';
/** What the journal appends to an address that it cut. */
const CUT = '…';

interface LoggedRequest {
  readonly key_id: string;
  readonly path: string;
}

/** The page of the console, filled in and not sent; null if the call is not of an endpoint. */
export function findReplay({ key_id, path }: LoggedRequest, recordPrefix: string): string | null {
  if (path.endsWith(CUT)) return null;
  const inside = path.startsWith(`/${recordPrefix}/`) ? path.slice(recordPrefix.length + 1) : path;
  const request = parseTarget(inside);
  if (request === null) return null;
  const values = new Map([...request.values].filter(([name, value]) => name !== 'cursor' || value !== MASKED));
  if ([...values.values(), request.more].some((text) => text.includes(MASKED))) return null;
  return consolePath({ ...request, values }, { keyId: key_id });
}
