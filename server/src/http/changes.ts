/** The endpoints of the change feed, for all registers and for one. */

import { withLimits } from '../database/driver/db.ts';
import { parseChanges } from '../parse/changes.ts';
import { type ChangesPlan, planChanges } from '../plan/changes.ts';
import { renderChangesPage } from '../render/pages.ts';
import { type ChangesPage, findChangesPage } from '../store/records/changes.ts';
import type { Call } from './call.ts';
import { defineEndpoint, type Services } from './endpoint.ts';

function readChanges(plan: ChangesPlan, { database, config }: Services, { signal }: Call): Promise<ChangesPage> {
  return findChangesPage(withLimits(database, { signal }), plan, { horizonSeconds: config.changeHorizonSeconds });
}

export const changesEndpoint = defineEndpoint({
  name: 'changes',
  parse: ({ values }) => parseChanges(values, null),
  plan: planChanges,
  read: readChanges,
  render: renderChangesPage,
});

export const scopedChangesEndpoint = defineEndpoint({
  name: 'scoped_changes',
  parse: ({ values, path }) => parseChanges(values, path.register),
  plan: planChanges,
  read: readChanges,
  render: renderChangesPage,
});
