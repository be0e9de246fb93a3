/** A worker thread for the writer's long jobs: building segments, merging them, saving snapshots. */
import { randomUUID } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { collectGarbage, lowerPriority } from '../base/threads.ts';
import { saveView } from '../index/files.ts';
import { mergeSegments } from '../index/merge.ts';
import { Segment, type SegmentParts } from '../index/segment.ts';
import { readRange, type StampRange } from '../store/publish/publishes.ts';
import { connectFollower } from './connect.ts';
import { buildSegments } from './follower.ts';
import type { Work, WorkAnswer } from './messages.ts';

const port = parentPort;
if (port === null) throw new Error('this file only runs as a worker thread');

lowerPriority();

function send(answer: WorkAnswer): void {
  port?.postMessage(answer);
}

async function build(id: number, url: string, range: StampRange): Promise<readonly SegmentParts[]> {
  const database = await connectFollower(url);
  try {
    const built = await readRange(database, range, (published) =>
      buildSegments(published, (records) => send({ id, kind: 'progress', records })),
    );
    return built.map(({ parts }) => parts);
  } finally {
    await database.close();
  }
}

async function run(id: number, work: Work): Promise<readonly SegmentParts[]> {
  switch (work.kind) {
    case 'build':
      return await build(id, work.url, work.range);
    case 'merge': {
      const parts = work.view.parts.map(({ parts: each, dead }) => ({ segment: new Segment(each), dead }));
      return [mergeSegments(parts, randomUUID())];
    }
    case 'save':
      await saveView(work.folder, work.databaseId, work.view);
      return [];
  }
}

/** Merges of segments this large leave enough garbage behind to collect it at once. */
const COLLECTED_AFTER_RECORDS = 300_000;

port.on('message', ({ id, work }: { id: number; work: Work }) => {
  const records =
    work.kind === 'build'
      ? COLLECTED_AFTER_RECORDS
      : work.view.parts.reduce((sum, { parts }) => sum + parts.records, 0);
  run(id, work)
    .then(
      (segments) => send({ id, kind: 'done', segments }),
      (error: Error) => send({ id, kind: 'failed', message: error.message }),
    )
    .finally(() => {
      if (records >= COLLECTED_AFTER_RECORDS) setImmediate(collectGarbage);
    });
});
