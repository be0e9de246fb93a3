import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSettings } from '../../src/base/config.ts';
import { NoAnswer } from '../../src/base/no-answer.ts';
import { identifier, sql } from '../../src/database/driver/sql.ts';
import { explainUnreachable } from '../../src/database/driver/unreachable.ts';
import { checkIndexes } from '../../src/upkeep/health/checks.ts';
import { findConnectionLimit } from '../../src/upkeep/health/connection-limit.ts';
import { problemOf } from '../support/connection-problem.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { CERTIFICATE_ELSEWHERE, CERTIFICATE_HERE, startTlsDatabase } from '../support/tls-database.ts';

function change(url: string, parts: { database?: string; role?: string }): string {
  const changed = new URL(url);
  if (parts.database !== undefined) changed.pathname = `/${parts.database}`;
  if (parts.role !== undefined) changed.username = parts.role;
  if (parts.role !== undefined) changed.password = 'x';
  return changed.href;
}

test('a fitting database passes, migrated or empty', async (t) => {
  const migrated = await createTestDatabase(t);
  const empty = await createTestDatabase(t, { migrated: false });
  assert.deepEqual([await problemOf(migrated.url), await problemOf(empty.url)], [null, null]);
});

test('an empty database that many processes begin to use at once passes for each of them', async (t) => {
  const problems: (string | null)[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { url } = await createTestDatabase(t, { migrated: false });
    problems.push(...(await Promise.all(Array.from({ length: 8 }, () => problemOf(url)))));
  }
  assert.deepEqual(new Set(problems), new Set([null]));
});

test('an encoding other than UTF8 is refused with the way out, and any ctype will do', async (t) => {
  const { url, db } = await createTestDatabase(t, { migrated: false });
  const names = { latin: `latin_${process.pid}`, plain: `plain_${process.pid}` };
  await db.query(
    sql`create database ${identifier(names.latin)} encoding 'LATIN1' locale 'C' locale_provider 'libc' template template0`,
  );
  await db.query(
    sql`create database ${identifier(names.plain)} encoding 'UTF8' locale 'C' locale_provider 'libc' template template0`,
  );
  const problems = await Promise.all(Object.values(names).map((database) => problemOf(change(url, { database }))));
  for (const name of Object.values(names)) await db.query(sql`drop database ${identifier(name)} with (force)`);
  assert.deepEqual(problems, [
    "the database of DATABASE_URL cannot be used: its encoding is LATIN1; create one with: create database … encoding 'UTF8' template template0",
    null,
  ]);
});

test('missing rights are refused with the statement that grants them', async (t) => {
  const { url, db } = await createTestDatabase(t, { migrated: false });
  const role = `guest_${process.pid}`;
  await db.query(sql`create role ${identifier(role)} login password 'x'`);
  const withoutTables = await problemOf(change(url, { role }));
  await db.query(sql`grant create on schema public to ${identifier(role)}`);
  const allowed = await problemOf(change(url, { role }));
  await db.query(sql`drop owned by ${identifier(role)}`);
  await db.query(sql`drop role ${identifier(role)}`);
  assert.deepEqual(
    { withoutTables, allowed },
    {
      withoutTables: `the database of DATABASE_URL cannot be used: role ${role} may not create tables in schema public; run: grant create, usage on schema public to ${role}`,
      allowed: null,
    },
  );
});

test('a search_path without a usable schema is refused as such, with the statements that fix it', async (t) => {
  const { url, db } = await createTestDatabase(t, { migrated: false, isSingle: true });
  const role = `pathless_${process.pid}`;
  await db.query(sql`create role ${identifier(role)} login password 'x'`);
  await db.query(sql`alter role ${identifier(role)} set search_path = nowhere`);
  const pathless = await problemOf(change(url, { role }));
  await db.query(sql`create schema authorization ${identifier(role)}`);
  await db.query(sql`alter role ${identifier(role)} set search_path = ${identifier(role)}`);
  const mended = await problemOf(change(url, { role }));
  await db.query(sql`drop owned by ${identifier(role)}`);
  await db.query(sql`drop role ${identifier(role)}`);
  assert.deepEqual(
    { pathless, mended },
    {
      pathless: `the database of DATABASE_URL cannot be used: search_path (nowhere) names no schema that role ${role} may use; run: create schema authorization ${role}; alter role ${role} set search_path = ${role}`,
      mended: null,
    },
  );
});

test('a read-only database is refused: it is a standby or set so', async (t) => {
  const { url, db } = await createTestDatabase(t, { migrated: false });
  const name = new URL(url).pathname.slice(1);
  await db.query(sql`alter database ${identifier(name)} set default_transaction_read_only = on`);
  assert.equal(
    await problemOf(url),
    'the database of DATABASE_URL cannot be used: it is read-only; set default_transaction_read_only to off',
  );
});

test('a wrong password and a missing database are distinguished, and the password is not repeated', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  const problems = [
    await problemOf(change(url, { database: 'none_such' })),
    await problemOf(change(url, { role: 'nobody_such' })),
  ];
  assert.match(
    problems[0]!,
    /: database "none_such" does not exist; create it .*, or correct its name in DATABASE_URL$/,
  );
  assert.match(
    problems[1]!,
    /: password authentication failed for user "nobody_such"; correct role and password in DATABASE_URL$/,
  );
});

test('each cause that keeps a connection from being opened has its own message, and only a server that does not run is to be started', () => {
  const failed = (code: string | undefined, message: string): string => {
    const cause = Object.assign(new Error(message), code === undefined ? {} : { code });
    const { seen, remedy } = explainUnreachable(new NoAnswer('database_away', { cause }), 'DATABASE_URL');
    assert.equal(seen, message);
    return remedy ?? 'start it';
  };
  const told: Readonly<Record<string, RegExp>> = {
    [failed('53300', 'sorry, too many clients already')]: /raise the limit: max_connections/,
    [failed('28P01', 'password authentication failed for user "x"')]: /correct role and password/,
    [failed('28000', 'no pg_hba.conf entry for host')]: /pg_hba/,
    [failed('3D000', 'database "x" does not exist')]: /create database/,
    [failed('42501', 'permission denied for database "x"')]: /grant connect/,
    [failed('57P03', 'the database system is starting up')]: /^wait until it accepts connections/,
    [failed('57P03', 'the database system is shutting down')]: /^start it again once it has ended$/,
    [failed('57P02', 'terminating connection because of crash of another server process')]: /recovered/,
    [failed('57P01', 'terminating connection due to administrator command')]: /somebody has stopped it/,
    [failed('EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:5432')]: /network and the firewalls/,
    [failed('ENOTFOUND', 'getaddrinfo ENOTFOUND db')]: /name servers/,
    [failed(undefined, 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')]: /put the password/,
    [failed('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1')]: /^start it$/,
  };
  assert.equal(Object.keys(told).length, 13);
  for (const [remedy, words] of Object.entries(told)) assert.match(remedy, words);
  assert.equal(
    failed('57P03', 'the database system is in recovery mode'),
    failed('57P03', 'the database system is starting up'),
  );
  assert.equal(
    failed(undefined, 'timeout expired: no connection within 2 s'),
    failed('ETIMEDOUT', 'connect ETIMEDOUT'),
  );
});

test('a role that may open fewer connections than a server does is named, with whatever limits it', async (t) => {
  const { url, db } = await createTestDatabase(t, { migrated: false });
  const name = new URL(url).pathname.slice(1);
  const role = `limited_${process.pid}`;
  await db.query(sql`create role ${identifier(role)} login password 'x' connection limit 7`);
  const limited = await connectTestDatabase(change(url, { role }));
  const found = async (): Promise<string> => {
    // The pool and its quarter, four for webhooks, ten single ones.
    const { seen, advice } = await findConnectionLimit(limited, 16);
    return `${seen}; ${advice?.split(',')[0] ?? 'fine'}`;
  };
  const opens = 'a server opens up to 34';
  assert.equal(
    await found(),
    `the role ${role} allows 7 connections, ${opens}; alter role ${role} connection limit 34`,
  );
  await db.query(sql`alter database ${identifier(name)} connection limit 5`);
  assert.equal(
    await found(),
    `the database ${name} allows 5 connections, ${opens}; alter database ${name} connection limit 34`,
  );
  await db.query(sql`alter database ${identifier(name)} connection limit 34`);
  await db.query(sql`alter role ${identifier(role)} connection limit -1`);
  assert.equal(await found(), `the database ${name} allows 34 connections, ${opens}; fine`);
  await db.query(sql`alter database ${identifier(name)} connection limit -1`);
  assert.match(
    (await findConnectionLimit(limited, 1000)).advice ?? '',
    /^raise max_connections, or lower TMDS_POOL_MAX;/,
  );
  await limited.close();
  await db.query(sql`drop role ${identifier(role)}`);
});

test('an index that answers rely on and that is missing or not valid is named', async (t) => {
  const { db } = await createTestDatabase(t);
  assert.equal((await checkIndexes(db)).remedy, null);
  await db.query(sql`drop index record_change`);
  await db.query(sql`update pg_index set indisvalid = false where indexrelid = 'payload_pkey'::regclass`);
  const { seen, remedy } = await checkIndexes(db);
  assert.equal(seen, 'missing or not valid: payload_pkey, record_change');
  assert.match(remedy!, /tmds migrate/);
});

test('a database whose certificate verifies passes; any other is refused with what to set', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  const folder = makeFolder(t);
  await writeFile(join(folder, 'here.pem'), CERTIFICATE_HERE);
  await writeFile(join(folder, 'elsewhere.pem'), CERTIFICATE_ELSEWHERE);
  const verify = (front: { url: string }, certificate: string | null): Promise<string | null> => {
    const address = new URL(front.url);
    address.searchParams.set('sslmode', 'verify-full');
    if (certificate !== null) address.searchParams.set('sslrootcert', join(folder, certificate));
    return problemOf(address.href).then(
      (problem) => problem?.replace(/^.*?\/test_\w+: /, '').replaceAll(folder, '.') ?? null,
    );
  };
  const good = await startTlsDatabase(t, url, 'none');
  const other = await startTlsDatabase(t, url, 'untrusted');
  const broken = await startTlsDatabase(t, url, 'no cipher');
  assert.equal(await verify(good, 'here.pem'), null);
  assert.equal(
    await verify(good, null),
    'nobody trusted here has signed its certificate (self-signed certificate); add sslrootcert=/path/to/ca.pem to its address, the certificate of who signed it',
  );
  assert.equal(
    await verify(other, 'elsewhere.pem'),
    'its certificate is for DNS:elsewhere.example; put a name of the certificate into its address',
  );
  assert.equal(
    await verify(good, 'missing.pem'),
    'the certificate file ./missing.pem cannot be read (ENOENT); correct its address',
  );
  assert.equal(
    await verify(broken, 'here.pem'),
    'its TLS fails (sslv3 alert handshake failure); correct its certificate or its settings of TLS',
  );
});

test('a database outside this machine that does not speak TLS is refused, unless its address allows that', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  const front = new URL((await startTlsDatabase(t, url, 'refused')).url);
  // Any address of this machine, and not one of loopback.
  front.hostname = '0.0.0.0';
  front.searchParams.delete('sslmode');
  const { databaseUrl } = readSettings({ DATABASE_URL: front.href }).config;
  const problem = await problemOf(databaseUrl ?? '');
  assert.equal(
    problem?.replace(/^.*?\/test_\w+: /, ''),
    'it does not speak TLS, which a connection to another machine needs; set ssl = on there, or add sslmode=disable to its address if only trusted machines share the network',
  );
});
