/**
 * The servers on which the databases of tests are made: one, or the coordinator and the workers of a Citus cluster. A
 * database of Citus is made under one name on every node.
 */
import { isDistributed } from '../../src/database/distributed/distribution.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { identifier, type Statement, sql } from '../../src/database/driver/sql.ts';

const UNPREPARED = { prepare: false };

/** `url` leads to the database `postgres` of the node; the coordinator comes first. */
export interface TestNode {
  readonly admin: Database;
  readonly url: string;
}

/** On all nodes; the copy of a template, if one is named. */
export async function createOnNodes(nodes: readonly TestNode[], name: string, template?: string): Promise<void> {
  const copied = template === undefined ? sql`` : sql`template ${identifier(template)}`;
  for (const { admin } of nodes) await admin.query(sql`create database ${identifier(name)} ${copied}`, UNPREPARED);
}

export async function dropOnNodes(nodes: readonly TestNode[], name: string): Promise<void> {
  for (const { admin } of nodes) {
    // A prepared transaction of a test that failed would keep the database, and so would the daemon, for a moment.
    for (let tries = 1; ; tries += 1) {
      try {
        await admin.query(sql`drop database if exists ${identifier(name)} with (force)`, UNPREPARED);
        break;
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
  }
}

/** Any connection would keep a database from being copied and renamed, the daemon of Citus included. */
export async function renameOnNodes(nodes: readonly TestNode[], from: string, to: string): Promise<void> {
  for (const { admin } of nodes) {
    for (;;) {
      const ended = await admin.query(sql`
        select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${from}`);
      if (ended.length === 0) break;
    }
    await admin.query(sql`alter database ${identifier(from)} rename to ${identifier(to)}`, UNPREPARED);
  }
}

/** The addresses of the workers that the coordinator knows, without its own. */
export async function listWorkerUrls(coordinator: Database, url: string): Promise<string[]> {
  const workers = await coordinator.query<{ host: string; port: number }>(sql`
    select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by nodeid`);
  return workers.map(({ host, port }) => {
    const changed = new URL(url);
    changed.hostname = host;
    changed.port = String(port);
    return changed.href;
  });
}

/** Makes a cluster of the databases of one name; `coordinator` is connected to the database of the first node. */
export async function joinNodes(
  coordinator: Database,
  nodes: readonly TestNode[],
  connect: (node: TestNode) => Promise<Database>,
): Promise<void> {
  for (const node of nodes.slice(1)) {
    const database = await connect(node);
    await database.query(sql`create extension citus`, UNPREPARED).finally(() => database.close());
  }
  await coordinator.query(sql`create extension citus`, UNPREPARED);
  const [first, ...workers] = nodes.map(({ url }) => new URL(url));
  await coordinator.query(sql`select citus_set_coordinator_host(${first!.hostname}, ${Number(first!.port)}::int)`);
  for (const { hostname, port } of workers) {
    await coordinator.query(sql`select citus_add_node(${hostname}, ${Number(port)}::int)`);
  }
}

/**
 * Runs a statement on each part of a table, where it lies: the whole table on one database, each shard on several
 * nodes. Resolves to what each says in its column `result`, if it says anything.
 */
export async function runOnParts(
  db: Database,
  table: string,
  statement: (part: Statement) => Statement,
): Promise<string[]> {
  if (!(await isDistributed(db))) {
    const rows = await db.query<{ result: string }>(statement(identifier(table)), UNPREPARED);
    return rows.map(({ result }) => result);
  }
  const answers = await db.query<{ success: boolean; result: string }>(sql`
    select success, result from run_command_on_shards(${table}, ${statement(sql`%s`).text})`);
  const refused = answers.find(({ success }) => !success);
  if (refused !== undefined) throw new Error(refused.result);
  return answers.map(({ result }) => result);
}
