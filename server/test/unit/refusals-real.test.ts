/**
 * Every real file given to every format: it loads, or the refusal names a format that loads it, or says that there is
 * none. No advice leads to a second refusal.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import type { Format } from '../../src/load/formats/format.ts';
import { FORMATS } from '../../src/load/formats/registry.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { readWhole } from '../support/deliveries.ts';
import { chooseCases, isFull } from '../support/depth.ts';
import { REAL_DATA, skipWithout } from '../support/formats.ts';
import { isLarge } from '../support/real-files.ts';

/** Null when the file is read, be it that a record of it is rejected; else why it is not. */
async function refusalOf(format: Format, path: string): Promise<string | null> {
  try {
    const { rejects } = await readWhole(format, [await openSource(path)], { itemsMax: 1 });
    const [first] = rejects;
    if (first === undefined) return null;
    // The other members of an archive are of the same kind.
    const isMember = !/, line \d+$/.test(first.position);
    if (isMember || first.isForeign === true) return first.reason;
    return format.name === 'ndjson' ? `rejected: ${first.reason}` : null;
  } catch (error) {
    assert.ok(error instanceof OperatorError, `${format.name} ${path}: ${String(error)}`);
    assert.equal(error.exitStatus, 1);
    // It is of the format, but an answer without any mark that does not say so.
    if (/--allow-empty/.test(error.message)) return null;
    return error.message;
  }
}

const FILES_A_DAY = 20;

/** An object a line is read line by line, whatever it is; each of these files is one reject. */
/** `ndjson` is no office's format, and no real row of the Australian tables is held (docs/design/offices.md). */
const WITHOUT_REAL_FILES: ReadonlySet<string> = new Set(['ndjson', 'ip-australia']);
const IS_JSON_LINE = /^rejected: (?:unknown field|the line is|\w+ is missing)/;

test('a real file loads, or its refusal names a format that loads it or says that none does', {
  skip: skipWithout('euipo'),
}, async () => {
  const files = readdirSync(REAL_DATA, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('trial-inputs'))
    // The one office of a masked file is masked, too.
    .filter((entry) => !entry.name.includes('.MASKED.'))
    .map((entry) => join(entry.parentPath, entry.name));
  assert.ok(files.length > 100);
  const readBy = new Map<string, number>();
  const small = files.filter((path) => isFull || !isLarge(relative(REAL_DATA, path)));
  for (const path of chooseCases(small, FILES_A_DAY)) {
    const refusals = new Map<string, string>();
    for (const format of FORMATS) {
      const refusal = await refusalOf(format, path);
      if (refusal === null) readBy.set(format.name, (readBy.get(format.name) ?? 0) + 1);
      else refusals.set(format.name, refusal);
    }
    for (const [name, refusal] of refusals) {
      const advised = /: try the format (\S+)$/.exec(refusal)?.[1];
      const what = `${name} ${path}: ${refusal}`;
      if (name === 'ndjson' && IS_JSON_LINE.test(refusal)) continue;
      if (refusals.size < FORMATS.length) assert.ok(advised !== undefined && !refusals.has(advised), what);
      else assert.ok(advised === undefined && /no format reads that|error answer/.test(refusal), what);
    }
  }
  if (!isFull) return;
  assert.deepEqual(
    [...readBy.keys()].sort(),
    FORMATS.map(({ name }) => name)
      .filter((name) => !WITHOUT_REAL_FILES.has(name))
      .sort(),
  );
});
