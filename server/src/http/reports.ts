/** The endpoints that report on the service: health, usage, registers and their coverage. They have no parameters. */
import { apiError } from '../base/errors.ts';
import { checkDeclared } from '../parse/query.ts';
import { parseRegister } from '../parse/values.ts';
import { describeCoverage, renderCoverage } from '../render/coverage.ts';
import { renderHealth, renderJurisdictions, renderUsage } from '../render/reports.ts';
import { findMonthCount } from '../store/accounts/usage.ts';
import { withLimits } from '../store/driver/db.ts';
import { listRegisterFacts } from '../store/records/coverage.ts';
import { listRegisters, registerNotServed } from '../store/records/registers.ts';
import type { Endpoint } from './call.ts';

export const healthEndpoint: Endpoint<void> = {
  name: 'health',
  prepare: ({ pairs }) => void checkDeclared('health', pairs),
  serve: async (_plan, { checkHealth, version }, _caller, timing) => {
    // Health answers the same for every reason why the service cannot answer queries (rule I-26).
    await timing.measureAsync('store', checkHealth).catch((cause: unknown) => {
      throw apiError('unavailable', 'The service cannot answer queries at the moment.', { cause });
    });
    return renderHealth(version);
  },
};

export const usageEndpoint: Endpoint<void> = {
  name: 'usage',
  afterVerdict: true,
  prepare: ({ pairs }) => void checkDeclared('usage', pairs),
  serve: async (_plan, { primary }, caller, timing, { signal }) => {
    const { keyId, name, createdAt } = caller!;
    const count = await timing.measureAsync('store', () => findMonthCount(withLimits(primary, { signal }), keyId));
    return renderUsage(count, { id: keyId, name, created_at: createdAt });
  },
};

export const jurisdictionsEndpoint: Endpoint<void> = {
  name: 'jurisdictions',
  prepare: ({ pairs }) => void checkDeclared('jurisdictions', pairs),
  serve: async (_plan, { primary }, _caller, timing, { signal }) => {
    const items = await timing.measureAsync('store', () => listRegisters(withLimits(primary, { signal })));
    return timing.measure('render', () => renderJurisdictions(items));
  },
};

export const coverageEndpoint: Endpoint<string> = {
  name: 'coverage',
  prepare: ({ pairs, register }) => {
    checkDeclared('coverage', pairs);
    return parseRegister(register);
  },
  serve: async (register, { primary, clock }, _caller, timing, { signal }) => {
    const nowMs = clock.nowMs();
    const [facts] = await timing.measureAsync('store', () =>
      listRegisterFacts(withLimits(primary, { signal }), { register, nowMs }),
    );
    if (facts === undefined) throw registerNotServed();
    return timing.measure('render', () => renderCoverage(describeCoverage(facts, nowMs)));
  },
};
