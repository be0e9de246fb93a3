/** A thread for what takes long beside following: building segments of old publishes, merging, saving. */
import { randomUUID } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { collectGarbage } from '../base/threads.ts';
import { saveView } from '../index/files.ts';
import { mergeSegments } from '../index/merge.ts';
import { Segment, type SegmentParts } from '../index/segment.ts';
import { readRange, type StampRange } from '../store/publish/publishes.ts';
import { connectFollower } from './connect.ts';
import { buildSegments } from './entries.ts';
import type { Work, WorkAnswer } from './messages.ts';

const port = parentPort;
if (port === null) throw new Error('this file is run as a worker thread');

function say(answer: WorkAnswer): void {
  port?.postMessage(answer);
}

async function build(id: number, url: string, range: StampRange): Promise<readonly SegmentParts[]> {
  const database = await connectFollower(url);
  try {
    const built = await readRange(database, range, (published) =>
      buildSegments(published, (records) => say({ id, kind: 'progress', records })),
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

/** A merge of segments this large leaves much behind that nobody refers to. */
const COLLECTED_AFTER_RECORDS = 300_000;

port.on('message', ({ id, work }: { id: number; work: Work }) => {
  const records =
    work.kind === 'build'
      ? COLLECTED_AFTER_RECORDS
      : work.view.parts.reduce((sum, { parts }) => sum + parts.records, 0);
  run(id, work)
    .then(
      (segments) => say({ id, kind: 'done', segments }),
      (error: Error) => say({ id, kind: 'failed', message: error.message }),
    )
    .finally(() => {
      if (records >= COLLECTED_AFTER_RECORDS) setImmediate(collectGarbage);
    });
});
