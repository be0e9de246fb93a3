/** Settings as the real command takes them: which file, which status, what is said. */
import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { createDataFolder, runTmds, startServing, waitFor } from '../support/process.ts';

test('--config may come before or after the command and overrides TMDS_CONFIG, and a wrong file ends with status 2', async (t) => {
  const folder = await createDataFolder(t);
  const one = join(folder, 'one.toml');
  const two = join(folder, 'two.toml');
  const wrong = join(folder, 'wrong.toml');
  await writeFile(one, 'pool_max = 11\n');
  await writeFile(two, 'pool_max = 22\n');
  await writeFile(wrong, 'pool_max = 1\npol_max = 3\n');
  const poolMax = async (words: readonly string[], environment: Record<string, string> = {}): Promise<unknown> => {
    const { status, stdout } = await runHere([...words, '--json'], environment);
    assert.equal(status, 0);
    const { file, settings } = JSON.parse(stdout) as {
      file: string | null;
      settings: { key: string; value: string }[];
    };
    return [file, settings.find(({ key }) => key === 'pool_max')?.value];
  };
  assert.deepEqual(await poolMax(['config']), [null, '16']);
  assert.deepEqual(await poolMax(['config'], { TMDS_CONFIG: two }), [two, '22']);
  assert.deepEqual(await poolMax(['config', '--config', one], { TMDS_CONFIG: two }), [one, '11']);
  assert.deepEqual(await poolMax(['--config', one, 'config']), [one, '11']);
  assert.deepEqual(await runTmds(t, ['registers', '--config', wrong]), {
    status: 2,
    stdout: '',
    stderr: `tmds: invalid settings: pol_max (${wrong}, line 2) is not a setting; pool_max (${wrong}, line 1) must be an integer from 2 to 500, not "1"\n`,
  });
});

test('a server takes its database from a secret file, warns of one that everybody can read, and says nothing of it', {
  skip: process.platform === 'win32' && 'files have no mode there',
}, async (t) => {
  const address = new URL((await createTestDatabase(t)).url);
  // A server that trusts everybody takes any.
  address.password ||= 'never to be said';
  const folder = await createDataFolder(t);
  const secret = join(folder, 'database-url');
  await writeFile(secret, `${address.href}\n`);
  await chmod(secret, 0o644);
  const environment = { DATABASE_URL_FILE: secret, TMDS_DATA_DIR: folder, TMDS_LOG_LEVEL: 'debug' };
  const server = await startServing(t, environment);
  await waitFor(async () => server.stderr().includes(`every account of this machine can read ${secret}`));
  const { password } = address;
  assert.equal((await fetch(`${server.address}/readyz`)).status, 200);
  server.kill('SIGTERM');
  const { status, stdout, stderr } = await server.ended;
  assert.equal(status, 0);
  assert.ok(password.length > 8);
  assert.ok(!`${stdout}${stderr}`.includes(password));
});
