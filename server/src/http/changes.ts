/** The endpoints of the change feed, for all registers and for one: parse, plan, store, render. */
import { parseChanges } from '../parse/changes.ts';
import { checkDeclared } from '../parse/query.ts';
import { type ChangesPlan, planChanges } from '../plan/changes.ts';
import { renderChangesPage } from '../render/pages.ts';
import { withLimits } from '../store/driver/db.ts';
import { findChangesPage } from '../store/records/changes.ts';
import type { Endpoint } from './call.ts';

function buildChangesEndpoint(name: 'changes' | 'scoped_changes'): Endpoint<ChangesPlan> {
  return {
    name,
    prepare: ({ pairs, register }, timing) => {
      const request = timing.measure('parse', () =>
        parseChanges(checkDeclared(name, pairs), name === 'changes' ? null : register),
      );
      return timing.measure('plan', () => planChanges(request));
    },
    serve: async (plan, { database, config }, _caller, timing, { signal }) => {
      const options = { horizonSeconds: config.changeHorizonSeconds };
      const page = await timing.measureAsync('store', () =>
        findChangesPage(withLimits(database, { signal }), plan, options),
      );
      return timing.measure('render', () => renderChangesPage(page));
    },
  };
}

export const changesEndpoint = buildChangesEndpoint('changes');
export const scopedChangesEndpoint = buildChangesEndpoint('scoped_changes');
