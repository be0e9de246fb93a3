/** The answers with snapshots: their manifests, and their files as stored on the disk (docs/design/snapshots.md). */
import type { Delta, DeltasPage, Snapshot, SnapshotFormat, SnapshotsPage } from '@tmds/contract/snapshots';
import { type Answer, type FileBody, renderFile, renderTagged } from './answer.ts';

export const SNAPSHOT_TYPES: Readonly<Record<SnapshotFormat, string>> = {
  jsonl: 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
};

export function renderSnapshots(items: readonly Snapshot[], lineage: string): Answer {
  return renderTagged(JSON.stringify({ items: [...items] } satisfies SnapshotsPage), { 'feed-lineage': lineage });
}

export function renderDeltas(items: readonly Delta[], lineage: string): Answer {
  return renderTagged(JSON.stringify({ items: [...items] } satisfies DeltasPage), { 'feed-lineage': lineage });
}

export function renderSnapshotFile(file: FileBody & { readonly format: SnapshotFormat }, lineage: string): Answer {
  const answer = renderFile(file, SNAPSHOT_TYPES[file.format]);
  return { ...answer, headers: { ...answer.headers, 'feed-lineage': lineage } };
}
