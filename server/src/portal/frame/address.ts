/**
 * The network address that attempts are counted for. Behind a proxy every connection comes from the proxy; the header
 * in which it names the sender is believed only of proxies the operator named, because anybody can send the header.
 */
import { BlockList, isIP } from 'node:net';

export type AddressFinder = (peer: string, forwardedFor: string | string[] | undefined) => string;

/** `trusted`: addresses and networks, checked when the settings were read. */
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
    const chain = named.map((address) => bare(address.trim())).filter((address) => address !== '');
    let sender = bare(peer);
    // From the nearest back: each proxy vouches for the one before it, as long as it is trusted itself.
    while (isTrusted(sender) && chain.length > 0) {
      const previous = chain.pop()!;
      if (isIP(previous) === 0) break;
      sender = previous;
    }
    return sender;
  };
}

/** IPv4 addresses may arrive in IPv6 form. */
function bare(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
