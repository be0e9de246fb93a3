/**
 * The network address by which sign-in attempts are counted. Behind a proxy every connection comes from the proxy,
 * which names the sender in a header. Anybody can send that header, so only proxies that the operator trusts are
 * believed.
 */
import { BlockList, isIP } from 'node:net';

export type AddressFinder = (peer: string, forwardedFor: string | string[] | undefined) => string;

/** `trusted` has addresses and networks; reading the settings has validated them. */
export function buildAddressFinder(trusted: readonly string[]): AddressFinder {
  const proxies = new BlockList();
  for (const network of trusted) {
    const [address = '', length] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (length === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(length), family);
  }
  const isTrusted = (address: string): boolean => {
    const family = isIP(address);
    return family !== 0 && proxies.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
  return (peer, forwardedFor) => {
    const named = [forwardedFor ?? []].flat().join(',').split(',');
    const chain = named.map((address) => unmapped(address.trim())).filter((address) => address !== '');
    let sender = unmapped(peer);
    // From the nearest hop outwards: each trusted proxy vouches for the hop before it.
    while (isTrusted(sender) && chain.length > 0) {
      const previous = chain.pop()!;
      if (isIP(previous) === 0) break;
      sender = previous;
    }
    return sender;
  };
}

/** IPv4 addresses may arrive mapped to IPv6. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
