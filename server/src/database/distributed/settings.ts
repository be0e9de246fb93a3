/**
 * Settings of a transaction on every node that it uses. `set_config` affects only the node that receives it; the
 * statements which that node sends to others are planned and run there without the setting.
 */
import type { Transaction } from '../driver/db.ts';

/** By name, until the transaction ends. On one database the same as `set local`. */
export async function setOnNodes(tx: Transaction, settings: Readonly<Record<string, string>>): Promise<void> {
  const set = Object.entries(settings).map(([name, value]) => `set local ${name} to ${quote(value)}`);
  await tx.runScript(["set local citus.propagate_set_commands to 'local'", ...set].join('; '));
}

/** `set` takes no values. */
function quote(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
