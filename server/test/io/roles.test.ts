/** A server that may do no more than it needs: everything works, and nothing else is allowed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import { identifier, sql } from '../../src/database/driver/sql.ts';
import { TABLE_KINDS } from '../../src/database/schema/roles.ts';
import { buildRetentionLook } from '../../src/upkeep/retention/retention-watch.ts';
import { createAccount } from '../support/account.ts';
import { runHere } from '../support/command.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { createCustomer, follow, joinPortal } from '../support/portal.ts';
import { runTmds, startServing, waitFor } from '../support/process.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

async function applyRoles(url: string): Promise<void> {
  const { status, stderr } = await runHere(['roles', '--apply'], { DATABASE_URL: url });
  assert.equal(status, 0, stderr);
}

const PATHS = [
  '/v1/health',
  '/v1/usage',
  '/v1/jurisdictions',
  '/v1/trademarks?status=Pending&expand=payload&count=capped',
  '/v1/XA/trademarks?mark_name_contains=mark',
  '/v1/XA/trademarks/R1?expand=payload',
  '/v1/changes?since=2026-01-01&expand=payload',
  '/v1/XA/changes?since=2026-01-01',
  '/v1/digests?as_of=2026-01-02',
  '/v1/XA/digests?as_of=2026-01-02',
  '/v1/XA/digests/0?as_of=2026-01-02',
  '/readyz',
];

const PAGES = [
  '',
  '/keys',
  '/keys/new',
  '/explorer?status=Pending',
  '/feed',
  '/monitoring',
  '/log',
  '/team',
  '/team/activity',
  '/account',
];

test('a server serves everything as a member of tmds_serve, which may change no register and no table', async (t) => {
  const { url, db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(3, { mark_name: 'a mark', payload: { text: 'x' } }));
  await applyRoles(url);
  await applyRoles(url);
  const account = await createAccount(t, db, url, 'in role tmds_serve');
  const watched = { TMDS_METRICS_PORT: '0', TMDS_LOG_LEVEL: 'info', TMDS_LOG_FORMAT: 'json' };
  const environment = { DATABASE_URL: account.url, ...watched };
  const server = await startServing(t, environment, ['serve', '--no-migrate']);
  const customer = await createCustomer(db);
  await waitFor(async () => (await fetch(`${server.address}/readyz`)).status === 200);
  for (const path of PATHS) {
    const { status } = await fetch(server.address + path, { headers: { 'x-api-key': customer.key } });
    assert.equal(status, 200, `${path}: ${server.stderr()}`);
  }
  const person = await joinPortal(server.address, customer);
  for (const page of PAGES) assert.equal((await person.visit(`/portal${page}`)).status, 200, page);
  await person.visit('/portal/keys/new');
  const issued = await follow(person, await person.post('/portal/keys', { name: 'n', product: 'records', quota: '' }));
  assert.equal(issued.status, 200);
  const [, keyId] = /tmds_([a-z0-9]+)_/.exec(issued.text)!;
  assert.equal((await person.post(`/portal/keys/${keyId}/rotate`, { grace: '3600' })).status, 303);
  assert.equal((await person.post(`/portal/keys/${keyId}/revoke`, { sure: 'yes' })).status, 303);
  assert.equal((await person.post('/portal/team/invitations', { email: 'b@example.org' })).status, 303);
  assert.equal((await person.post('/portal/sign-out')).status, 303);
  const logged = sql`select count(*)::int4 as calls from call_log`;
  await waitFor(async () => (await db.query<{ calls: number }>(logged))[0]!.calls > 0);
  const metrics = /"address":"(http:[^"]*\/metrics)"/;
  await waitFor(async () => metrics.test(server.stderr()));
  assert.match(await (await fetch(metrics.exec(server.stderr())![1]!)).text(), /^tmds_database_read 1$/m);
  server.kill('SIGTERM');
  assert.equal((await server.ended).status, 0);
  assert.doesNotMatch(server.stderr(), /permission denied|must be owner|"level":(?:50|60)/);

  const own = await connectTestDatabase(account.url, { poolMax: 1 });
  const refused = [
    sql`update record set mark_variants = null`,
    sql`delete from record`,
    sql`insert into register (jurisdiction_code) values ('ZZ')`,
    sql`update payload set document = null`,
    sql`update access_audit set actor = 'nobody'`,
    sql`delete from access_audit`,
    sql`select 1 from source_row`,
    sql`truncate usage_day`,
    sql`drop table key_secret`,
    sql`alter table record add column extra text`,
    sql`create table own (id int)`,
    sql`create role another`,
  ];
  for (const statement of refused) {
    await assert.rejects(own.query(statement, { prepare: false }), /permission denied|must be owner/, statement.text);
  }
  await own.close();
});

const OLD = sql`now() - interval '900 days'`;

test('the retention of a server leaves what only the owner may remove, says so once, and does the rest', async (t) => {
  const { url, db } = await createTestDatabase(t);
  await applyRoles(url);
  await db.transaction((tx) =>
    tx.runScript(`do $$ declare day date := (now() at time zone 'UTC')::date - 10; begin
      execute format('create table %I partition of call_log for values from (%L) to (%L)',
        'call_log_' || to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
    end $$`),
  );
  await db.query(sql`
    with loaded as (
      insert into load (load_id, format, source, state, started_at, finished_at)
      values (gen_random_uuid(), 'ndjson', 'test', 'finished', ${OLD}, ${OLD}) returning load_id
    )
    insert into load_reject (load_id, ordinal, position, reason, raw, closed_at)
    select load_id, 1, 'line 1', 'test', 'x', now() from loaded`);
  await db.query(sql`
    insert into access_audit (audit_id, at, actor, action, change) values (gen_random_uuid(), ${OLD}, 'test', 'test', '{}')`);
  await db.query(sql`insert into portal_attempt values ('\\x01', ${OLD}, 1)`);
  const countLeft = async (): Promise<unknown> =>
    (
      await db.query(sql`
        select (select count(*) from load_reject)::int4 as rejects,
          (select count(*) from portal_attempt)::int4 as attempts,
          (select count(*) from access_audit)::int4 as audit,
          to_regclass('call_log_' || to_char((now() at time zone 'UTC')::date - 10, 'YYYYMMDD')) is not null as day`)
    )[0];
  const account = await createAccount(t, db, url, 'in role tmds_serve');
  const own = await connectTestDatabase(account.url, { poolMax: 2 });
  const lines: { msg: string; withheld?: string[] }[] = [];
  const look = buildRetentionLook({
    database: own,
    rejectsFolder: '/nowhere',
    days: {
      keepCallsDays: 7,
      keepRefusalsDays: 7,
      keepUsageDays: 7,
      keepAuditDays: 7,
      keepFindingsDays: 7,
      keepWatchesDays: 7,
    },
    sessions: { idleSeconds: 60, absoluteSeconds: 600 },
    attemptSeconds: 60,
    clock: systemClock,
    log: buildLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } }),
    signal: new AbortController().signal,
  });
  await look();
  await look();
  await own.close();
  assert.deepEqual(
    lines.map(({ msg, withheld }) => withheld ?? msg),
    ['what was kept long enough has been removed', ['call_log', 'access_audit', 'load_issue', 'load_reject']],
  );
  assert.deepEqual(await countLeft(), { rejects: 1, attempts: 0, audit: 1, day: true });

  const days = { TMDS_KEEP_CALLS_DAYS: '7', TMDS_KEEP_AUDIT_DAYS: '7', TMDS_KEEP_FINDINGS_DAYS: '7' };
  // What a command asks for before it begins, whatever it does.
  await db.session((session) => session.runScript(`grant create on schema public to ${account.name}`));
  const refused = await runHere(['prune'], { DATABASE_URL: account.url, ...days });
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /may not remove rows of call_log, access_audit, load_issue, load_reject; run tmds prune as/,
  );
  const pruned = await runHere(['prune', '--json'], { DATABASE_URL: url, ...days });
  assert.equal(pruned.status, 0, pruned.stderr);
  assert.deepEqual(await countLeft(), { rejects: 0, attempts: 0, audit: 0, day: false });
});

test('a reader of registers sees no customer, and writes nothing', async (t) => {
  const { url, db } = await createTestDatabase(t);
  await applyRoles(url);
  const account = await createAccount(t, db, url, 'in role tmds_read');
  const own = await connectTestDatabase(account.url, { poolMax: 1 });
  for (const [table, kind] of Object.entries(TABLE_KINDS)) {
    const reading = own.query(sql`select count(*)::int4 as rows from ${identifier(table)}`, { prepare: false });
    if (kind === 'registers') assert.equal((await reading).length, 1, table);
    else await assert.rejects(reading, /permission denied/, table);
    const [rights] = await own.query<{ writes: boolean }>(sql`
      select has_table_privilege(${table}, 'insert, update, delete, truncate') as writes`);
    assert.deepEqual(rights, { writes: false }, table);
  }
  await own.close();
});

test('every table has a kind, and no right is given beyond what is declared', async (t) => {
  const { url, db } = await createTestDatabase(t);
  await applyRoles(url);
  const tables = await db.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
      and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by 1`);
  assert.deepEqual(
    tables.map(({ name }) => name),
    Object.keys(TABLE_KINDS).sort(),
  );
  const open = await db.query(sql`
    select table_name, privilege_type from information_schema.role_table_grants
    where table_schema = 'public' and grantee = 'PUBLIC' and table_name = any(${tables.map(({ name }) => name)}::text[])`);
  assert.deepEqual(open, []);
});

test('an owner that may not make roles sees what a superuser has to run, and then gives the roles their rights', async (t) => {
  const { url, db } = await createTestDatabase(t, { migrated: false });
  // An earlier test made it in the same cluster: rights in this database are still to be given.
  await db.session((session) =>
    session.runScript(`do $$ begin create role tmds_serve; exception when duplicate_object then end $$;
      do $$ begin create role tmds_read; exception when duplicate_object then end $$;
      revoke pg_read_all_stats from tmds_serve`),
  );
  const owner = await createAccount(t, db, url, '');
  await db.session((session) => session.runScript(`grant create, usage on schema public to ${owner.name}`));
  const environment = { DATABASE_URL: owner.url };
  const migrated = await runHere(['migrate'], environment);
  assert.equal(migrated.status, 0, migrated.stderr);
  const refused = await runTmds(t, ['roles', '--apply'], environment);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /let a superuser run: grant pg_read_all_stats to tmds_serve; then run this again/);
  const { stdout } = await runHere(['roles'], environment);
  assert.match(stdout, /^-- as a superuser\ngrant pg_read_all_stats to tmds_serve;\n-- as the owner\nbegin;\n/);
  await db.session((session) => session.runScript('grant pg_read_all_stats to tmds_serve'));
  await applyRoles(owner.url);
  const server = await createAccount(t, db, url, 'in role tmds_serve');
  const doctor = await runHere(['doctor', '--json'], { DATABASE_URL: owner.url });
  const { findings } = JSON.parse(doctor.stdout) as { findings: { subject: string; seen: string; advice?: string }[] };
  const role = findings.find(({ subject }) => subject === 'role')!;
  assert.equal(role.seen, `${owner.name} is the owner of the tables`);
  assert.match(role.advice!, /tmds_serve/);
  const serving = await startServing(t, { DATABASE_URL: server.url }, ['serve', '--no-migrate']);
  assert.equal((await fetch(`${serving.address}/v1/health`)).status, 200);
});
