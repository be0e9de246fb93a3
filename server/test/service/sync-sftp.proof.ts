/** Files of SFTP servers that cut and lie arrive whole and in order; a server with another key is sent nothing. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { UNLIMITED } from '../support/loads.ts';
import { makeKey, openSftpOffice, type SftpOffice } from '../support/office-sftp.ts';
import {
  buildStandingClock,
  type Checked,
  type CheckOptions,
  checkSources,
  declareSources,
  listStates,
  statement,
} from '../support/sources-declared.ts';

const FIRST = 'day-2026-11-01.ndjson';
const SECOND = 'day-2026-11-02.ndjson';

interface World {
  office: SftpOffice;
  db: CheckOptions['db'];
  dataDir: string;
  check(more?: { hostKey?: string; password?: string; by?: string; text?: string }): Promise<Checked>;
}

async function openWorld(t: TestContext): Promise<World> {
  const office = await openSftpOffice(t);
  const { db } = await createTestDatabase(t, { ...UNLIMITED, poolMax: 10 });
  const dataDir = makeFolder(t);
  const clock = buildStandingClock('2026-11-20T12:00:00Z');
  return {
    ...{ office, db, dataDir },
    async check({ hostKey = office.hostKey, password = 'secret', by, text = '' } = {}) {
      const file = join(dataDir, 'password');
      writeFileSync(file, `${password}\n`);
      const toml = `[source.office]
        kind = "sftp"
        url = "sftp://127.0.0.1:${office.port}/out"
        user = "tmds"
        ${by ?? `password = "file:${file}"`}
        host_key = "${hostKey}"
        format = "ndjson"
        files = "day-{YYYY}-{MM}-{DD}.ndjson"
        ${text}`;
      return await checkSources(declareSources(toml), { db, dataDir, clock });
    },
  };
}

test('files of a folder are loaded in the order of their periods, and a changed one again', async (t) => {
  const { office, db, check } = await openWorld(t);
  office.files.set(SECOND, { content: statement('XA1', 'second'), modified: 1_000 });
  office.files.set(FIRST, { content: statement('XA1', 'first'), modified: 2_000 });
  assert.deepEqual((await check()).said, [`office: loaded ${FIRST}`, `office: loaded ${SECOND}`]);
  office.reads.length = 0;
  assert.deepEqual((await check()).said, []);
  assert.deepEqual(office.reads, [], 'nothing is read again');
  office.files.set(SECOND, { content: statement('XA1', 'corrected'), modified: 3_000 });
  assert.deepEqual((await check()).said, [`office: revised ${SECOND}`, `office: loaded ${SECOND}`]);
  assert.deepEqual(await listStates(db, 'office'), [`${FIRST} loaded`, `${SECOND} loaded revision 2`]);
});

test('a connection that ends in the middle of a file costs no byte twice beyond what was under way', async (t) => {
  const { office, dataDir, check } = await openWorld(t);
  const content = Buffer.concat(Array.from({ length: 3_000 }, (_, at) => statement(`XA${at}`, `mark ${at}`)));
  office.files.set(FIRST, { content, modified: 1_000 });
  let cut = 0;
  office.cuts = (_name, offset) => {
    if (offset < (cut + 1) * 60_000 || cut === 3) return false;
    cut += 1;
    return true;
  };
  assert.deepEqual((await check()).said, [`office: loaded ${FIRST}`]);
  assert.equal(cut, 3);
  assert.deepEqual(readFileSync(join(dataDir, 'sources', 'office', FIRST)), content);
  assert.equal(office.reads.filter((line) => line === `${FIRST} 0`).length, 1, 'never from the beginning again');
});

test('a server that shows another key gets no password', async (t) => {
  const { office, check } = await openWorld(t);
  const { results } = await check({ hostKey: `SHA256:${'A'.repeat(43)}` });
  assert.match(results[0]!.failure ?? '', /shows the key SHA256:.*, not the one that is declared; ask the office/);
  assert.ok(results[0]!.failure?.includes(office.hostKey));
  assert.deepEqual(office.signIns, []);
});

test('a wrong password says so without it, and a missing folder is named', async (t) => {
  const { office, check } = await openWorld(t);
  const { results, notes } = await check({ password: 'wRoNg-one' });
  assert.match(results[0]!.failure ?? '', /refuses the user: check user and password/);
  assert.ok(!JSON.stringify(notes).includes('wRoNg'));
  assert.deepEqual(office.signIns, ['tmds wRoNg-one'], 'it is not tried again: accounts are locked that way');
  const { results: found } = await check({ text: 'register = "XA"' });
  assert.equal(found[0]!.failure, null);
});

test('a user signs in with a private key, with or without a passphrase', async (t) => {
  for (const passphrase of [null, 'open sesame']) {
    const { office, dataDir, check } = await openWorld(t);
    office.files.set(FIRST, { content: statement('XA1', 'one'), modified: 1_000 });
    const { key } = makeKey(passphrase);
    office.userKey = key.public;
    writeFileSync(join(dataDir, 'key'), key.private);
    writeFileSync(join(dataDir, 'passphrase'), `${passphrase}\n`);
    const by = passphrase === null ? '' : `\npassphrase = "file:${join(dataDir, 'passphrase')}"`;
    const { said } = await check({ by: `private_key = "file:${join(dataDir, 'key')}"${by}` });
    assert.deepEqual([said, office.signIns], [[`office: loaded ${FIRST}`], []]);
  }
});

test('a wrong size is detected, and nothing of the file is loaded', async (t) => {
  for (const lie of [10, -10]) {
    const { office, db, check } = await openWorld(t);
    office.files.set(FIRST, { content: statement('XA1', 'one'), modified: 1_000 });
    office.sizeOf = (_name, { content }) => content.length + lie;
    const { results } = await check();
    assert.match(results[0]!.failure ?? '', lie > 0 ? /broke off after 76 of 86 bytes/ : /more than the 66 bytes/);
    assert.deepEqual(await listStates(db, 'office'), [`${FIRST} seen`]);
  }
});

test('checksums are next to the files', async (t) => {
  const { office, check } = await openWorld(t);
  office.files.set(FIRST, { content: statement('XA1', 'one'), modified: 1_000 });
  assert.match((await check({ text: 'checksums = "SUMS"' })).results[0]!.failure ?? '', /there is no SUMS/);
  office.files.set('SUMS', { content: Buffer.from(`${'0'.repeat(64)}  ${FIRST}\n`), modified: 1_000 });
  assert.match((await check({ text: 'checksums = "SUMS"' })).results[0]!.failure ?? '', /its checksum is not 000/);
});
