/** The endpoints of snapshots and deltas: their manifests, and their files. */
import { apiError } from '../base/errors.ts';
import { withLimits } from '../database/driver/db.ts';
import { findPublishState, type PublishState } from '../database/readers/publish-state.ts';
import { parseDeltas } from '../parse/digests.ts';
import { renderDeltas, renderSnapshotFile, renderSnapshots } from '../render/snapshots.ts';
import type { Call } from './call.ts';
import { defineEndpoint, type Services } from './endpoint.ts';

/** Files of another database or lineage, such as those from before a restore, are not those of this service. */
async function findState({ database }: Services, { signal }: Call): Promise<PublishState> {
  return await findPublishState(withLimits(database, { signal }));
}

export const snapshotsEndpoint = defineEndpoint({
  name: 'snapshots',
  parse: () => undefined,
  read: async (_plan, services, call) => {
    const state = await findState(services, call);
    return { items: await services.snapshots.list(state), lineage: state.lineage };
  },
  render: ({ items, lineage }) => renderSnapshots(items, lineage),
});

export const deltasEndpoint = defineEndpoint({
  name: 'deltas',
  parse: ({ values }) => parseDeltas(values),
  read: async ({ after }, services, call) => {
    const state = await findState(services, call);
    const deltas = await services.snapshots.listDeltas(state);
    // Instants of one fixed form compare as text.
    const items = after === null ? deltas : deltas.filter(({ as_of }) => as_of > after);
    return { items, lineage: state.lineage };
  },
  render: ({ items, lineage }) => renderDeltas(items, lineage),
});

export const snapshotFileEndpoint = defineEndpoint({
  name: 'snapshot_file',
  parse: ({ path }) => ({ snapshotId: path.snapshot, file: path.file }),
  read: async ({ snapshotId, file }, services, call) => {
    const state = await findState(services, call);
    const found = await services.snapshots.find(state, snapshotId, file);
    if (found === null) throw apiError('not_found', 'There is no such file of a snapshot; list the snapshots again.');
    return { found, lineage: state.lineage };
  },
  render: ({ found, lineage }) => renderSnapshotFile(found, lineage),
});
