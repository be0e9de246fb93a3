/** `tmds customer` and `tmds operator` as an operator runs them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';

test('a customer is suspended and removed only with --yes, and its state is listed', async (t) => {
  const { url } = await createTestDatabase(t);
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: join(makeFolder(t), 'data') };
  const run = (...words: string[]) => runHere(words, environment);
  const listed = async (): Promise<{ name: string; state: string }[]> => {
    const customers = JSON.parse((await run('customer', 'list', '--json')).stdout) as { name: string; state: string }[];
    return customers.map(({ name, state }) => ({ name, state }));
  };
  assert.equal((await run('key', 'issue', '--customer', 'Acme')).status, 0);
  assert.deepEqual(await run('customer', 'suspend', 'Acme'), {
    status: 2,
    stdout: '',
    stderr: 'tmds: customer Acme: all calls with its key would be refused; add --yes to do it\n',
  });
  assert.deepEqual(await listed(), [{ name: 'Acme', state: 'active' }]);
  const suspended = await run('customer', 'suspend', 'Acme', '--yes', '--reason', 'The invoice is open.');
  assert.deepEqual(suspended, { status: 0, stdout: 'customer Acme is suspended\n', stderr: '' });
  assert.deepEqual(await listed(), [{ name: 'Acme', state: 'suspended' }]);
  assert.equal((await run('customer', 'rename', 'Acme', 'Acme & Sons')).stdout, 'customer Acme is now Acme & Sons\n');
  assert.equal((await run('customer', 'resume', 'Acme & Sons')).stdout, 'customer Acme & Sons is resumed\n');
  assert.equal((await run('customer', 'remove', 'Acme & Sons')).status, 2);
  const removed = await run('customer', 'remove', 'Acme & Sons', '--yes', '--json');
  const kept = JSON.parse(removed.stdout) as { name: string; state: string };
  assert.deepEqual([removed.status, kept.state], [0, 'removed']);
  assert.match(kept.name, /^removed customer [0-9a-f-]{36}$/);
  assert.deepEqual(await listed(), [kept]);
  assert.deepEqual(await run('customer', 'resume', 'Acme'), {
    status: 1,
    stdout: '',
    stderr: 'tmds: there is no customer Acme; tmds customer list shows them\n',
  });
});

test('an invitation says when it has added a customer, since the name may be a slip', async (t) => {
  const { url } = await createTestDatabase(t);
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: join(makeFolder(t), 'data') };
  const invite = (customer: string) =>
    runHere(['customer', 'invite', 'ada@example.org', '--customer', customer], environment);
  assert.equal((await invite('Acme')).stderr, 'added the customer Acme\n');
  assert.equal((await invite('Acme')).stderr, '');
});

test('an operator is invited, listed and removed', async (t) => {
  const { url } = await createTestDatabase(t);
  const environment = {
    DATABASE_URL: url,
    TMDS_DATA_DIR: join(makeFolder(t), 'data'),
    TMDS_PUBLIC_URL: 'https://api.example',
  };
  const run = (...words: string[]) => runHere(words, environment);
  const invited = await run('operator', 'invite', 'Op@Example.org');
  assert.match(invited.stdout, /^https:\/\/api\.example\/portal\/invitation\/[\w-]{43}\n$/);
  const [listed] = JSON.parse((await run('operator', 'list', '--json')).stdout) as { email: string; state: string }[];
  assert.deepEqual([listed?.email, listed?.state], ['op@example.org', 'invited']);
  assert.equal((await run('operator', 'remove', 'op@example.org')).stdout, 'op@example.org is no longer an operator\n');
  assert.equal((await run('operator', 'list', '--json')).stdout, '[]\n');
  const none = 'there is no operator yet; tmds operator invite ADDRESS makes one\n';
  assert.equal((await run('operator', 'list')).stdout, none, 'a list of nobody is no bare head of a table');
  assert.deepEqual(await run('operator', 'remove', 'op@example.org'), {
    status: 1,
    stdout: '',
    stderr: 'tmds: op@example.org is not an operator; tmds operator list shows them\n',
  });
});
