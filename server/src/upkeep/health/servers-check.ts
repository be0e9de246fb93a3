/** Checks the servers of `DATABASE_URL`, if it names several, for `tmds doctor` (docs/design/standbys-and-nodes.md). */
import type { Clock } from '../../base/clock.ts';
import { buildLog } from '../../base/log.ts';
import type { Observation } from '../../base/observation.ts';
import { listServers } from '../../base/setting-values.ts';
import { describeAddress } from '../../database/driver/address.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { explainUnreachable } from '../../database/driver/unreachable.ts';
import { type SeenServer, seeServers } from '../../database/readers/primary.ts';
import { findForeign, IS_PRIMARY, readIdentity, type ServerIdentity } from '../../database/readers/server-state.ts';
import { REJOIN } from './standby-check.ts';

/** One finding for each; none for a single server. `database` is the primary's. */
export async function checkServers(address: string, database: Queryable, clock: Clock): Promise<Observation[]> {
  const servers = listServers(address).map((url) => ({ url, place: describeAddress(url) }));
  if (servers.length === 1) return [];
  const log = buildLog({ level: 'silent' });
  const seen = await seeServers(servers, { applicationName: 'tmds check', clock, log });
  const primary = await readIdentity(database);
  return seen.map((server) => describe(server, primary));
}

function describe({ place, state }: SeenServer, primary: ServerIdentity): Observation {
  if (state instanceof Error) {
    const { seen, remedy } = explainUnreachable(state, 'DATABASE_URL');
    return {
      seen: `${place} does not answer: ${seen}`,
      remedy: remedy ?? 'start it as a standby of the primary, or take it out of DATABASE_URL',
    };
  }
  const fault = findForeign(state, primary);
  if (fault === IS_PRIMARY) return { seen: `${place} ${IS_PRIMARY}`, remedy: null };
  if (fault === null) return { seen: `${place} is a standby`, remedy: null };
  if (state.isStandby) {
    return { seen: `${place} cannot take the place of the primary: it ${fault}`, remedy: REJOIN };
  }
  if (state.system !== primary.system) {
    return { seen: `${place} belongs to another database`, remedy: 'correct DATABASE_URL' };
  }
  const timelines = `it is on timeline ${state.timeline}, the primary on ${primary.timeline}`;
  return { seen: `${place} can be written too: ${timelines}`, remedy: `stop it, then ${REMADE}` };
}

const REMADE = 'make it a standby of the primary (pg_rewind, or a new copy)';
