/** The address of a database, for people. */
import { listServers } from '../../base/setting-values.ts';

/** The address without the password. */
export function describeAddress(url: string): string {
  const servers = listServers(url).map((server) => new URL(server));
  const hosts = servers.map(({ host, searchParams }) => searchParams.get('host') ?? (host || 'localhost'));
  return `${hosts.join(',')}${servers[0]!.pathname}`;
}
