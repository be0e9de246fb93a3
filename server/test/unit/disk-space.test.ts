import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import { judgeDisk, readDiskSpace, walBytesMax } from '../../src/database/embedded/disk-space.ts';
import { buildServerSettings } from '../../src/database/embedded/settings.ts';
import type { OpenAlarms } from '../../src/upkeep/health/alarms.ts';
import { buildDiskLook } from '../../src/upkeep/health/machine-watch.ts';

const MEGABYTE = 1024 ** 2;
const GIGABYTE = 1024 ** 3;

function judge(freeBytes: number, totalBytes: number): string | null {
  return judgeDisk('/data', { freeBytes, totalBytes, isFull: freeBytes === 0 })?.level ?? null;
}

test('a disk is named while a tenth of it is left, 5 GB of a large one, and again when it is full', () => {
  const seen = [
    [30, 100],
    [5, 1000],
    [4.9, 1000],
    [2, 20],
    [1.9, 20],
    [0.3, 1],
    [0.2, 1],
    [0.05, 1000],
    [0, 20],
  ].map(([free, total]) => judge(free! * GIGABYTE, total! * GIGABYTE));
  assert.deepEqual(seen, [null, null, 'warning', null, 'warning', null, 'warning', 'warning', 'error']);
  assert.deepEqual(judgeDisk('/data', { freeBytes: 700 * MEGABYTE, totalBytes: 20 * GIGABYTE, isFull: false }), {
    check: 'disk_room',
    level: 'warning',
    seen: 'the disk of /data has 700 MB of 20.0 GB free: it will soon be full',
    remedy: 'make room, or move the data folder to a larger disk',
  });
});

test('the write-ahead log is bounded by a tenth of what is free, and a warning comes while it can grow to that', async () => {
  const free = [Number.POSITIVE_INFINITY, 100, 20, 1, 0.1];
  const settings = await Promise.all(free.map((gigabytes) => buildServerSettings(gigabytes * GIGABYTE)));
  for (const [position, { max_wal_size: max, min_wal_size: min }] of settings.entries()) {
    const [maxMegabytes, minMegabytes] = [max, min].map((size) => Number.parseInt(String(size), 10)) as [
      number,
      number,
    ];
    // PostgreSQL takes no less than two segments of 16 MB, and needs as many again while it makes a checkpoint.
    const bound = Math.max(free[position]! * 1024 * 0.1, 64);
    assert.ok(maxMegabytes <= bound, `${max} of ${free[position]} GB`);
    assert.ok(minMegabytes >= 32 && minMegabytes < maxMegabytes, `${min} of ${max}`);
  }
  for (const totalGigabytes of [2, 8, 20, 40, 100, 1000]) {
    const total = totalGigabytes * GIGABYTE;
    assert.equal(judge(walBytesMax(total) * 0.99, total), 'warning', `${totalGigabytes} GB`);
  }
});

test('the room for a folder that does not exist yet is the room of its parent folder', async () => {
  const [above, below] = await Promise.all([readDiskSpace(tmpdir()), readDiskSpace(join(tmpdir(), 'none', 'such'))]);
  assert.ok(above !== null && below !== null);
  assert.equal(below.totalBytes, above.totalBytes);
});

test('a disk that fills up is logged when it is low, when it is full, and when there is room again', async () => {
  const lines: { level: number; alarm: string; msg: string }[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  const free = [25, 4.5, 4, 0.01, 0.01, 25].map((gigabytes) => gigabytes * GIGABYTE);
  const alarms: OpenAlarms = new Set();
  const look = buildDiskLook({
    alarms,
    folder: '/data',
    clock: { ...systemClock, monotonicMs: () => 0 },
    log: buildLog({ level: 'info', destination }),
    readSpace: async () => {
      const freeBytes = free.shift()!;
      return { freeBytes, totalBytes: 100 * GIGABYTE, isFull: freeBytes < GIGABYTE };
    },
  });
  const open: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    await look();
    open.push(alarms.size);
  }
  assert.deepEqual(open, [0, 1, 1, 1, 1, 0]);
  assert.deepEqual(
    lines.map(({ level, alarm }) => [level, alarm]),
    [
      [40, 'disk_room'],
      [50, 'disk_room'],
      [30, 'disk_room'],
    ],
  );
});
