/**
 * Which role may do what with the tables (docs/design/operations.md). The owner migrates and loads; `tmds_serve` has
 * the rights that a server needs, and `tmds_read` those that a report of registers needs. Both are groups that log in
 * through their members. A table that is not declared here is granted to nobody.
 */
import { OperatorError } from '../../base/errors.ts';
import type { Database, Queryable } from '../driver/db.ts';
import { identifier, joinSql, type Statement, sql } from '../driver/sql.ts';
import { LOCK_SPACE, ROLES_LOCK } from './locks.ts';

const ROLES = ['tmds_serve', 'tmds_read'] as const;
type RoleName = (typeof ROLES)[number];

/**
 * `registers`: what loads wrote, read by both roles. `accounts`: customers, their keys, calls and portal, written by
 * servers. `noted`: accounts to which servers only add. `loading`: for the owner alone.
 */
export type TableKind = 'registers' | 'accounts' | 'noted' | 'loading';

/** Every table and view of the schema; partitions of a table go with it. */
export const TABLE_KINDS: Readonly<Record<string, TableKind>> = {
  record: 'registers',
  record_version: 'registers',
  payload: 'registers',
  payload_dictionary: 'registers',
  register: 'registers',
  publish_clock: 'registers',
  publish_digest: 'registers',
  publish: 'registers',
  clock_repair: 'registers',
  load: 'registers',
  load_file: 'registers',
  register_load: 'registers',
  load_issue: 'registers',
  load_reject: 'registers',
  migration: 'registers',
  migration_step: 'registers',
  source_file: 'registers',
  source_check: 'registers',
  staged_record: 'loading',
  source_row: 'loading',
  supplement_change: 'loading',
  customer: 'accounts',
  invitation: 'accounts',
  access_key: 'accounts',
  key_secret: 'accounts',
  key_product: 'accounts',
  agreement: 'accounts',
  quota_notice: 'accounts',
  usage_day: 'accounts',
  usage_by_day: 'accounts',
  access_audit: 'noted',
  call_log: 'accounts',
  call_hour: 'accounts',
  refusal_day: 'accounts',
  portal_user: 'accounts',
  portal_session: 'accounts',
  portal_attempt: 'accounts',
  portal_signing: 'accounts',
  portal_key: 'accounts',
  saved_search: 'accounts',
  portal_form: 'accounts',
  portal_reveal: 'accounts',
  hit_seen: 'accounts',
  hit_handling: 'accounts',
  recent_search: 'accounts',
  watch: 'accounts',
  watch_record: 'accounts',
  watch_owner: 'accounts',
  watch_hit: 'accounts',
  hit_likeness: 'accounts',
  similar_judgement: 'accounts',
  watch_progress: 'accounts',
  webhook: 'accounts',
  webhook_delivery: 'accounts',
  webhook_progress: 'accounts',
  webhook_test: 'accounts',
  dismissal: 'accounts',
  hit_digest: 'accounts',
  calendar: 'accounts',
  date_reminder: 'accounts',
  filing_alarm: 'accounts',
  docket: 'accounts',
  docket_part: 'accounts',
  docket_mark: 'accounts',
  docket_memory: 'accounts',
  docket_memory_row: 'accounts',
};

/** What only a superuser, or an owner with CREATEROLE, may run. */
const CREATION: Readonly<Record<RoleName, string>> = {
  tmds_serve: 'create role tmds_serve nologin',
  tmds_read: 'create role tmds_read nologin',
};
/** Lets a server still see which publish is overdue. */
const STATISTICS = 'grant pg_read_all_stats to tmds_serve';

interface Found {
  readonly schema: string;
  readonly missing: readonly RoleName[];
  readonly seesStatistics: boolean;
}

async function findRoles(db: Queryable): Promise<Found> {
  const [found] = await db.query<{ schema: string; names: RoleName[]; sees: boolean }>(sql`
    select current_schema() as schema,
      coalesce((select array_agg(rolname::text) from pg_roles where rolname = any(${[...ROLES]}::text[])), '{}') as names,
      exists (select from pg_auth_members m join pg_roles member on member.oid = m.member
        join pg_roles role on role.oid = m.roleid
        where member.rolname = 'tmds_serve' and role.rolname = 'pg_read_all_stats') as sees`);
  const { schema, names, sees } = found!;
  return { schema, missing: ROLES.filter((role) => !names.includes(role)), seesStatistics: sees };
}

/** Statements that a superuser has to run first; empty if there are none. */
function listCreation({ missing, seesStatistics }: Found): string[] {
  return [...missing.map((role) => CREATION[role]), ...(seesStatistics ? [] : [STATISTICS])];
}

/** Brings the rights of both roles to exactly what is declared. The owner has to run it, in one transaction. */
function listGrants(schemaName: string): Statement[] {
  const schema = identifier(schemaName);
  const [serve, read] = [identifier('tmds_serve'), identifier('tmds_read')];
  const of = (...kinds: TableKind[]): Statement =>
    joinSql(
      Object.keys(TABLE_KINDS)
        .filter((name) => kinds.includes(TABLE_KINDS[name]!))
        .map((name) => sql`${schema}.${identifier(name)}`),
      ', ',
    );
  return [
    // Several nodes refuse rights on functions after rights on their tables, if those were given to all parts at once.
    sql`set local citus.multi_shard_modify_mode = 'sequential'`,
    sql`revoke all on all tables in schema ${schema} from ${serve}, ${read}`,
    sql`revoke all on all functions in schema ${schema} from public, ${serve}, ${read}`,
    sql`grant usage on schema ${schema} to ${serve}, ${read}`,
    sql`grant select on ${of('registers')} to ${serve}, ${read}`,
    // The stamp of the feed moves on while nothing is published, and a server notices a database that has gone back.
    sql`grant update (last_stamp, announced_stamp, lineage) on ${schema}.publish_clock to ${serve}`,
    // Operators close rejects in the portal.
    sql`grant update (closed_at, closed_by) on ${schema}.load_reject to ${serve}`,
    sql`grant select, insert, update, delete on ${of('accounts')} to ${serve}`,
    sql`grant select, insert on ${of('noted')} to ${serve}`,
    sql`grant usage on all sequences in schema ${schema} to ${serve}`,
    // It makes and drops the days of the call log, which belong to the owner.
    sql`alter function ${schema}.keep_call_days() security definer set search_path = ${schema}, pg_temp`,
    sql`grant execute on function ${schema}.keep_call_days() to ${serve}`,
  ];
}

/** The whole script, for operators who run SQL by other means. */
export async function renderRoles(db: Queryable): Promise<string> {
  const found = await findRoles(db);
  const creation = listCreation(found);
  const head = creation.length === 0 ? [] : ['-- as a superuser', ...creation.map((text) => `${text};`)];
  const grants = listGrants(found.schema).map(({ text }) => `${text};`);
  return [...head, '-- as the owner', 'begin;', ...grants, 'commit;'].join('\n');
}

/**
 * Makes the roles and gives them their rights; harmless when repeated. Throws OperatorError with the statements that a
 * superuser has to run if this role may not make roles.
 */
export async function applyRoles(db: Database): Promise<{ readonly created: readonly RoleName[] }> {
  const found = await findRoles(db);
  const [own] = await db.query<{ super: boolean; may: boolean }>(sql`
    select rolsuper as super, rolcreaterole as may from pg_roles where rolname = current_user`);
  const creation = listCreation(found);
  const mayCreate = own!.super || (own!.may && found.seesStatistics);
  if (creation.length > 0 && !mayCreate) {
    throw new OperatorError(
      `this role may not make roles; let a superuser run: ${creation.join('; ')}; then run this again`,
    );
  }
  await db.transaction(async (tx) => {
    await lockRoles(tx);
    for (const text of listCreation(await findRoles(tx))) await tx.runScript(text);
    await grant(tx);
  });
  return { created: found.missing };
}

/** After a migration: gives the roles, if they exist, their rights on new tables. False if they do not exist. */
export async function refreshGrants(db: Database): Promise<boolean> {
  if ((await findRoles(db)).missing.length > 0) return false;
  await db.transaction(async (tx) => {
    await lockRoles(tx);
    await grant(tx);
  });
  return true;
}

/** One at a time: PostgreSQL refuses concurrent changes of one role's rights. */
async function lockRoles(tx: Queryable): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${ROLES_LOCK}::int)`);
}

async function grant(tx: Queryable): Promise<void> {
  const { schema } = await findRoles(tx);
  for (const statement of listGrants(schema)) await tx.query(statement, { prepare: false });
}

export interface RoleInUse {
  readonly name: string;
  readonly isSuperuser: boolean;
  /** Whether it may change and drop the tables. */
  readonly isOwner: boolean;
}

/** The role of this connection. */
export async function findOwnRole(db: Queryable): Promise<RoleInUse> {
  const [role] = await db.query<{ name: string; super: boolean; owner: boolean }>(sql`
    select current_user::text as name, rolsuper as super,
      coalesce((select pg_has_role(current_user, relowner, 'usage') from pg_class
        where oid = to_regclass('record')), false) as owner
    from pg_roles where rolname = current_user`);
  return { name: role!.name, isSuperuser: role!.super, isOwner: role!.owner };
}
