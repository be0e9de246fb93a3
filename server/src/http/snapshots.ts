/** The endpoints of snapshots: their manifests, and their files. */
import { apiError } from '../base/errors.ts';
import { checkDeclared } from '../parse/query.ts';
import { renderSnapshotFile, renderSnapshots } from '../render/snapshots.ts';
import { withLimits } from '../store/driver/db.ts';
import { findPublishState, type PublishState } from '../store/publish/publishes.ts';
import type { Asker } from '../store/records/records.ts';
import type { Endpoint, Services } from './call.ts';

/** Files of another database or lineage, such as those from before a restore, are not those of this service. */
async function findState({ database }: Services, { signal }: Asker): Promise<PublishState> {
  return await findPublishState(withLimits(database, { signal }));
}

export const snapshotsEndpoint: Endpoint<void> = {
  name: 'snapshots',
  prepare: ({ pairs }) => void checkDeclared('snapshots', pairs),
  serve: async (_plan, services, _caller, timing, asker) => {
    const list = async () => {
      const state = await findState(services, asker);
      return { items: await services.snapshots.list(state), lineage: state.lineage };
    };
    const { items, lineage } = await timing.measureAsync('store', list);
    return timing.measure('render', () => renderSnapshots(items, lineage));
  },
};

interface FileRequest {
  readonly snapshotId: string;
  readonly file: string;
}

export const snapshotFileEndpoint: Endpoint<FileRequest> = {
  name: 'snapshot_file',
  prepare: ({ pairs, snapshotId, file }) => {
    checkDeclared('snapshot_file', pairs);
    return { snapshotId, file };
  },
  serve: async ({ snapshotId, file }, services, _caller, timing, asker) => {
    const find = async () => {
      const state = await findState(services, asker);
      return { found: await services.snapshots.find(state, snapshotId, file), lineage: state.lineage };
    };
    const { found, lineage } = await timing.measureAsync('store', find);
    if (found === null) throw apiError('not_found', 'There is no such file of a snapshot; list the snapshots again.');
    return renderSnapshotFile(found, lineage);
  },
};
