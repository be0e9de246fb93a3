/** The network of an address, as large as one caller may own. Limits by address count by network. */
import ipaddr from 'ipaddr.js';

/** A caller gets an IPv6 network of this many bits, with far too many addresses to count. */
const IPV6_PREFIX = 64;

/** An IPv4 address, also where it is written as IPv6, or an IPv6 network such as `2001:db8:0:1::/64`. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const kept = parsed.toByteArray().slice(0, IPV6_PREFIX / 8);
  return `${Buffer.from(kept)
    .toString('hex')
    .replaceAll(/(.{4})(?!$)/g, '$1:')}::/${IPV6_PREFIX}`;
}
