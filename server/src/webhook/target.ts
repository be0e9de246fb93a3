/**
 * Decides where a webhook may lead: the form of its address, its port, and which network addresses are public.
 * Invariant: an address not known to be public is private, in every notation and every way of writing IPv4 as IPv6.
 */
import { WEBHOOK_URL_MAX } from '@tmds/contract/webhooks';
import ipaddr from 'ipaddr.js';

/** `allow`: also private addresses, any port, and plain http; for trials on one machine or within one's own network. */
export type PrivateTargets = 'refuse' | 'allow';

export interface Target {
  /** In its normal form. */
  readonly url: string;
  /** With its port. */
  readonly host: string;
}

/** The address, or a sentence that says what is wrong with it. */
export function parseTarget(text: string, privateTargets: PrivateTargets): Target | { readonly fault: string } {
  const typed = text.trim();
  if (typed.length > WEBHOOK_URL_MAX) return { fault: `An address has at most ${WEBHOOK_URL_MAX} characters.` };
  if (!URL.canParse(typed)) return { fault: 'Enter a whole address, such as https://example.com/hooks/trademarks.' };
  const url = new URL(typed);
  const isPlain = url.protocol === 'http:';
  if (url.protocol !== 'https:' && !(isPlain && privateTargets === 'allow')) {
    return { fault: 'The address must begin with https://.' };
  }
  if (url.username !== '' || url.password !== '') {
    return { fault: 'Leave user and password out of the address. Your receiver knows us by the signature.' };
  }
  url.hash = '';
  const literal = bareHost(url);
  if (privateTargets === 'refuse') {
    if (!isOpenPort(url)) return { fault: PORT };
    if (ipaddr.isValid(literal) && !isPublicAddress(literal)) return { fault: PRIVATE };
  }
  return { url: url.href, host: `${url.hostname}:${url.port === '' ? (isPlain ? '80' : '443') : url.port}` };
}

export const PRIVATE = 'The address must be one of the public internet.';
export const PORT = 'The port must be 443, or above 1023.';

/** Below 1024 are mail, name servers, remote shells: services that nobody may reach through this one. */
export function isOpenPort({ protocol, port }: URL): boolean {
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return number === 443 || number > 1023;
}

/** The host of an address as the network knows it: IPv6 without brackets. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Reachable from within an Azure machine only; serves its settings and secrets, although it is written as a public
 * address.
 */
const AZURE_HOST = '168.63.129.16';

/** The part of IPv6 that is allocated to networks. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the public internet. False for loopback, private and link-local ones (so also for the
 * metadata of clouds), for every way of carrying IPv4 in IPv6 (mapped, NAT64, 6to4, Teredo), and for reserved
 * addresses.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || address.toString() === AZURE_HOST) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}
