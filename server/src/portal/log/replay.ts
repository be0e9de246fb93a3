/**
 * Where in the explorer a logged call can be made again: searches, records and pages of changes. The log has secrets
 * and cursors masked and long addresses cut; such a call is led to the first page of its search, or nowhere.
 */

const MASKED = '***';
/** What the journal puts at the end of an address that it cut. */
const CUT = '…';

interface LoggedRequest {
  readonly key_id: string;
  /** Path and query as the log has them. */
  readonly path: string;
}

/** A path of the portal; null for a call that the explorer does not make. */
export function findReplay({ key_id, path }: LoggedRequest, recordPrefix: string): string | null {
  const [, target = '', queryText = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(path) ?? [];
  if (path.endsWith(CUT) || target.includes(MASKED)) return null;
  const query = new URLSearchParams(queryText);
  query.delete('cursor');
  if ([...query].some(([name, value]) => name === MASKED || value === MASKED)) return null;
  query.set('key', key_id);
  const inside = target.startsWith(`/${recordPrefix}/`) ? target.slice(recordPrefix.length + 1) : target;
  return linkSearch(inside, query) ?? linkChanges(inside, query) ?? linkRecord(inside, key_id);
}

function linkSearch(path: string, query: URLSearchParams): string | null {
  const found = /^\/v1(?:\/(?<register>[^/]+))?\/trademarks$/.exec(path)?.groups;
  if (found === undefined) return null;
  if (found.register !== undefined) query.set('jurisdiction', decode(found.register));
  return `/portal/explorer?${query.toString()}`;
}

/** The page of changes shows the feed from an instant on. */
function linkChanges(path: string, query: URLSearchParams): string | null {
  const found = /^\/v1(?:\/(?<register>[^/]+))?\/changes$/.exec(path)?.groups;
  if (found === undefined || !query.has('since')) return null;
  const fields = new URLSearchParams({ show: '1', since: query.get('since') ?? '', key: query.get('key') ?? '' });
  if (found.register !== undefined) fields.set('register', decode(found.register));
  return `/portal/feed?${fields.toString()}`;
}

function linkRecord(path: string, keyId: string): string | null {
  const found = /^\/v1\/(?<register>[^/]+)\/trademarks\/(?<uid>.+)$/.exec(path)?.groups;
  if (found === undefined) return null;
  return `/portal/explorer/records/${found.register}/${found.uid}?${new URLSearchParams({ key: keyId }).toString()}`;
}

/** The text itself where it is not percent-encoded UTF-8. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
