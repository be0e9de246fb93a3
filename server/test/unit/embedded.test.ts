import assert from 'node:assert/strict';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isReachable, parseAccounts } from '../../src/database/embedded/account.ts';
import { findPostmaster, parsePostmasterNote, socketPathFits } from '../../src/database/embedded/postmaster.ts';
import { buildServerSettings } from '../../src/database/embedded/settings.ts';
import { makeFolder } from '../support/folder.ts';

const NOTE = ['4711', '/proc/self/cwd', '1795258696', '5432', '.', '', '  2162728        15', 'ready   ', ''];

test('a note of PostgreSQL gives an address only once it says that it is ready', () => {
  const states = [
    parsePostmasterNote(''),
    parsePostmasterNote('4711\n'),
    parsePostmasterNote(NOTE.slice(0, 5).join('\n')),
    parsePostmasterNote(NOTE.with(7, 'starting').join('\n')),
    parsePostmasterNote(NOTE.with(7, 'stopping').join('\n')),
    parsePostmasterNote(NOTE.join('\n')),
    parsePostmasterNote(NOTE.with(3, '41233').with(4, '').with(5, '127.0.0.1').join('\n')),
    parsePostmasterNote('-4711\n'),
  ];
  const unready = { pid: 4711, address: null };
  assert.deepEqual(states, [
    null,
    unready,
    unready,
    unready,
    unready,
    { pid: 4711, address: { host: null, port: 5432 } },
    { pid: 4711, address: { host: '127.0.0.1', port: 41233 } },
    null,
  ]);
});

test('a note that names a live process which works elsewhere is not believed, and is taken away', async (t) => {
  const data = makeFolder(t);
  await writeFile(join(data, 'postmaster.pid'), NOTE.with(0, String(process.pid)).join('\n'));
  assert.deepEqual([await findPostmaster(data), await findPostmaster(data)], [null, null]);
  await assert.rejects(rm(join(data, 'postmaster.pid')), { code: 'ENOENT' });
});

test('a socket path is counted in bytes', () => {
  assert.deepEqual(['/short', `/${'a'.repeat(88)}`, `/${'a'.repeat(89)}`, `/${'ä'.repeat(50)}`].map(socketPathFits), [
    true,
    true,
    false,
    false,
  ]);
});

test('an account reaches a file only through folders it may enter', async (t) => {
  const root = makeFolder(t);
  const file = join(root, 'open', 'file');
  await mkdir(join(root, 'open'));
  await writeFile(file, '');
  const stranger = { uid: 12_345, gid: 12_345 };
  const reached = [];
  for (const [folderMode, fileMode] of [
    [0o700, 0o644],
    [0o711, 0o644],
    [0o711, 0o600],
  ] as const) {
    await chmod(root, folderMode);
    await chmod(join(root, 'open'), 0o711);
    await chmod(file, fileMode);
    reached.push(await isReachable(file, stranger));
  }
  assert.deepEqual([...reached, await isReachable(join(root, 'none'), stranger)], [false, true, false, false]);
});

test('accounts are read from the list of the system', () => {
  const accounts = parseAccounts('root:x:0:0:root:/root:/bin/bash\n\nnobody:x:65534:65534::/:/bin/false\nbroken\n');
  assert.deepEqual(
    [...accounts],
    [
      ['root', { uid: 0, gid: 0 }],
      ['nobody', { uid: 65_534, gid: 65_534 }],
    ],
  );
});

test('memory settings stay within what the machine has', async () => {
  const settings = await buildServerSettings(100 * 2 ** 30);
  const shared = Number.parseInt(String(settings.shared_buffers), 10);
  assert.ok(shared >= 128 && shared <= 16_384 && shared * 2 ** 20 <= totalmem() / 2);
  assert.equal(settings.jit, 'off');
});
