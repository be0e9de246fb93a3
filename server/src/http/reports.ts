/** The endpoints that report on the service: health, usage, registers and their coverage. They have no parameters. */

import { apiError } from '../base/errors.ts';
import { NoAnswer } from '../base/no-answer.ts';
import { withLimits } from '../database/driver/db.ts';
import { parseRegister } from '../parse/values.ts';
import { describeCoverage, renderCoverage } from '../render/coverage.ts';
import { renderHealth, renderJurisdictions, renderUsage } from '../render/reports.ts';
import { findMonthCount } from '../store/accounts/usage.ts';
import { listRegisterFacts, listRegisters } from '../store/records/registers.ts';
import { defineEndpoint } from './endpoint.ts';

export const healthEndpoint = defineEndpoint({
  name: 'health',
  parse: () => undefined,
  read: async (_plan, { checkHealth, version }) => {
    // Health answers the same for every reason why the service cannot answer queries (rule I-26).
    await checkHealth().catch((cause: unknown) => {
      throw apiError('unavailable', 'The service cannot answer queries at the moment.', { cause });
    });
    return version;
  },
  render: renderHealth,
});

export const usageEndpoint = defineEndpoint({
  name: 'usage',
  afterVerdict: true,
  parse: () => undefined,
  read: (_plan, { primary }, { key, signal }) => findMonthCount(withLimits(primary, { signal }), key.keyId),
  render: (count, _plan, { key: { keyId, name, createdAt } }) =>
    renderUsage(count, { id: keyId, name, created_at: createdAt }),
});

export const jurisdictionsEndpoint = defineEndpoint({
  name: 'jurisdictions',
  parse: () => undefined,
  covers: () => null,
  read: (_plan, { primary }, { signal }) => listRegisters(withLimits(primary, { signal })),
  render: renderJurisdictions,
});

export const coverageEndpoint = defineEndpoint({
  name: 'coverage',
  parse: ({ path }) => parseRegister(path.register),
  covers: (register) => [register],
  read: async (register, { primary, clock }, { signal }) => {
    const nowMs = clock.nowMs();
    const [facts] = await listRegisterFacts(withLimits(primary, { signal }), { register, nowMs });
    if (facts === undefined) throw new NoAnswer('register_not_served');
    return describeCoverage(facts, nowMs);
  },
  render: renderCoverage,
});
