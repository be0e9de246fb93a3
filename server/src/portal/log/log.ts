/** The data of the call log's page: the calls of a filter, their errors in groups, and how many are missing. */
import {
  CALLS_PAGE,
  type CallFilter,
  type CallGroup,
  type CallRow,
  type HourCalls,
  listCallGroups,
  listCallHours,
  listCalls,
} from '../../store/accounts/portal-calls.ts';
import { type CustomerKey, listCustomerKeys } from '../../store/accounts/portal-keys.ts';
import type { MemberCall } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { parseFilter, parsePosition } from './call-filter.ts';

export interface LogState {
  readonly keys: readonly CustomerKey[];
  readonly filter: CallFilter;
  readonly calls: readonly CallRow[];
  readonly hasOlder: boolean;
  readonly isFirstPage: boolean;
  /** Whether the page refreshes itself. */
  readonly isLive: boolean;
  readonly groups: readonly CallGroup[];
  readonly hours: readonly HourCalls[];
  readonly recordPrefix: string;
}

export async function readLog(
  { user, query }: MemberCall,
  { database, recordPrefix }: PortalServices,
): Promise<LogState> {
  const keys = await listCustomerKeys(database, user.customer_id);
  const filter = parseFilter(
    query,
    user.customer_id,
    keys.map(({ id }) => id),
  );
  const before = parsePosition(query.get('before'));
  const [found, groups, hours] = await Promise.all([
    listCalls(database, filter, before),
    before === null ? listCallGroups(database, filter) : [],
    before === null ? listCallHours(database, filter) : [],
  ]);
  return {
    keys,
    filter,
    calls: found.slice(0, CALLS_PAGE),
    hasOlder: found.length > CALLS_PAGE,
    isFirstPage: before === null,
    isLive: before === null && query.get('live') === '1',
    groups,
    hours,
    recordPrefix,
  };
}
