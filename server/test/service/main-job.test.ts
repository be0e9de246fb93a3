/**
 * The main job on the offices' own files: load them, then look up, search and follow their records over HTTP. What is
 * expected is read off the source text by plain patterns, not by the readers under test.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import { findFormat } from '../../src/load/formats/registry.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { createTestDatabase } from '../support/database.ts';
import { isFull } from '../support/depth.ts';
import { REAL_DATA, skipWithout } from '../support/formats.ts';
import { loadSources, UNLIMITED } from '../support/loads.ts';
import { listEuMarks } from '../support/real-files.ts';
import { type startService, startWithKey, type TestService } from '../support/service.ts';

type Item = Record<string, unknown>;

const skip = skipWithout('uspto/apc/case-file-79366581.xml') || skipWithout('euipo/EUTM-sample.zip');

async function load(service: TestService, formatName: string, ...paths: readonly string[]): Promise<void> {
  const format = findFormat(formatName);
  assert.ok(format !== null, formatName);
  const sources = await Promise.all(paths.map((path) => openSource(join(REAL_DATA, path))));
  await loadSources(service.db, { format, sources });
}

async function startLoaded(t: Parameters<typeof startService>[0] & Parameters<typeof createTestDatabase>[0]) {
  const { key, ...service } = await startWithKey(t, { database: await createTestDatabase(t, UNLIMITED) });
  const call = async (path: string): Promise<Item> => {
    const answer = await service.call(path, { key });
    assert.equal(answer.status, 200, `${path} ${answer.text}`);
    return answer.body as Item;
  };
  return { service, call };
}

/** The whole feed of a register by small pages; the last page has to be empty. */
async function followChanges(call: (path: string) => Promise<Item>, register: string, limit: number): Promise<Item[]> {
  const changes: Item[] = [];
  let cursor = '';
  for (;;) {
    const page = await call(`/v1/${register}/changes?since=2000-01-01&limit=${limit}${cursor}`);
    const items = page.items as Item[];
    if (items.length === 0) {
      assert.equal(page.next_cursor, null);
      return changes;
    }
    changes.push(...items);
    cursor = `&cursor=${page.next_cursor as string}`;
  }
}

function stated(source: string, element: string): string | null {
  return new RegExp(`<${element}>([^<]+)</${element}>`).exec(source)?.[1] ?? null;
}

function isoDate(digits: string | null): string | null {
  return digits?.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3') ?? null;
}

test('records of the USPTO are looked up, searched and followed as their source states them [2.2, 4.3, 4.5, 4.6]', {
  skip,
}, async (t) => {
  const { service, call } = await startLoaded(t);
  await load(service, 'uspto-apc', 'uspto/apc/apc180218-sample.xml');
  await load(service, 'uspto-apc', 'uspto/apc/case-file-79366581.xml');
  const daily = readFileSync(join(REAL_DATA, 'uspto/apc/apc180218-sample.xml'), 'utf8');
  const sources = [...daily.matchAll(/<case-file>[\s\S]*?<\/case-file>/g)].map(([source]) => source);
  assert.equal(sources.length, 11);
  for (const source of sources) {
    const serial = stated(source, 'serial-number') ?? '';
    const record = await call(`/v1/US/trademarks/US50${serial.padStart(13, '0')}`);
    assert.deepEqual(
      [record.application_number, record.mark_name, record.application_date, record.status_date],
      [
        serial,
        stated(source, 'mark-identification')?.replaceAll('&amp;', '&').replaceAll('&apos;', "'") ?? null,
        isoDate(stated(source, 'filing-date')),
        isoDate(stated(source, 'status-date')),
      ],
    );
    const found = await call(`/v1/US/trademarks?application_number=${serial}`);
    assert.deepEqual(
      (found.items as Item[]).map(({ uid }) => uid),
      [record.uid],
    );
  }
  const madrid = (await call('/v1/trademarks?jurisdiction=US&office=WO&international_registration_number=1722108'))
    .items as Item[];
  assert.deepEqual(
    madrid.map(({ uid, office, mark_name }) => [uid, office, mark_name]),
    [['US500000079366581', 'WO', 'NITRO GLISSERIN']],
  );
  const followed = await followChanges(call, 'US', 5);
  assert.equal(new Set(followed.map(({ uid }) => uid)).size, 12);
  assert.equal(followed.length, 12);
});

test('the marks of the EUIPO are counted by status as their files state it, and followed once each [4.3, 4.6.1]', {
  skip,
  timeout: 300_000,
}, async (t) => {
  const { service, call } = await startLoaded(t);
  const { paths, marks } = listEuMarks({ withLarge: isFull });
  await load(service, 'euipo', ...paths);
  const counts = new Map<string, number>();
  for (const path of paths) {
    const source = await openSource(join(REAL_DATA, path));
    for await (const entry of source.entries((name) => name.endsWith('.xml'))) {
      const status = /<MarkCurrentStatusCode[^>]*>([^<]*)</.exec(await readText(entry.stream))?.[1] ?? '';
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  }
  assert.equal(
    [...counts.values()].reduce((sum, count) => sum + count),
    marks,
  );
  const followed = await followChanges(call, 'EM', 200);
  assert.equal(followed.length, marks);
  assert.equal(new Set(followed.map(({ uid }) => uid)).size, marks);
  const delivered = new Map<string, number>();
  for (const { tm5_status } of followed) {
    delivered.set(tm5_status as string, (delivered.get(tm5_status as string) ?? 0) + 1);
  }
  assert.deepEqual([...delivered].sort(), [...counts].sort());
  const countOf = (...texts: string[]) => texts.reduce((sum, text) => sum + (counts.get(text) ?? 0), 0);
  const expected = {
    Registered: countOf('Registered', 'Registration cancellation pending'),
    Pending: countOf(
      'Appeal pending',
      'Application filed',
      'Application opposed',
      'Application published',
      'Application under examination',
    ),
    Abandoned: countOf('Application refused', 'Application withdrawn'),
  };
  for (const [status, count] of Object.entries(expected)) {
    const page = await call(`/v1/EM/trademarks?status=${status}&count=capped&limit=1`);
    assert.equal(page.matched_count, count, status);
  }
});
