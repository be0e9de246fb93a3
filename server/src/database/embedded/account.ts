/**
 * Which account of the operating system runs the embedded PostgreSQL. PostgreSQL refuses to run as root, so root picks
 * an unprivileged account; anyone else runs it as themselves. It decides no path and starts nothing.
 */
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Accounts to run as, best first. */
const UNPRIVILEGED_NAMES = ['postgres', 'nobody'] as const;
/** The usual ids of nobody on Linux, if the account list does not name it. */
const NOBODY: Account = { uid: 65_534, gid: 65_534 };

/** Null = the account of this process. Root uses the owner of an existing cluster, or else an unprivileged account. */
export async function findAccount(clusterFolder: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(clusterFolder).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = parseAccounts(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  for (const name of UNPRIVILEGED_NAMES) {
    const account = accounts.get(name);
    if (account !== undefined && account.uid !== 0) return account;
  }
  return NOBODY;
}

/** Accounts by name from the text of `/etc/passwd`. */
export function parseAccounts(text: string): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const line of text.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && uid && gid) accounts.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}

/** True if `account` may read the file `path` and enter every folder above it. */
export async function isReachable(path: string, account: Account): Promise<boolean> {
  let needed = 4;
  for (let at = path; ; at = dirname(at)) {
    const entry = await stat(at).catch(() => undefined);
    if (entry === undefined || (permissionsOf(entry, account) & needed) !== needed) return false;
    if (at === dirname(at)) return true;
    needed = 1;
  }
}

function permissionsOf(entry: { mode: number; uid: number; gid: number }, account: Account): number {
  if (entry.uid === account.uid) return (entry.mode >> 6) & 7;
  if (entry.gid === account.gid) return (entry.mode >> 3) & 7;
  return entry.mode & 7;
}
