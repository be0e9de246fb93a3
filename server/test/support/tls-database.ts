/** A database whose TLS fails: it speaks PostgreSQL until a connection is encrypted, then relays to the real one. */
import { createServer, connect as dial, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { TestContext } from './service.ts';

export const TLS_FAULTS = ['refused', 'no answer', 'nonsense', 'closed', 'no TLS', 'no cipher', 'untrusted'] as const;
export type TlsFault = (typeof TLS_FAULTS)[number];

export interface TlsDatabase {
  /** Its address for clients that verify nothing. */
  readonly url: string;
  /** Breaks the encryption of every open connection. */
  corrupt(): void;
}

/** `untrusted` works for clients that verify nothing, `none` for those that trust `CERTIFICATE_HERE` as well. */
export async function startTlsDatabase(t: TestContext, url: string, fault: TlsFault | 'none'): Promise<TlsDatabase> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    // A TLS request is the first message.
    socket.once('data', () => answerTlsRequest(socket, new URL(url), fault));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const front = new URL(url);
  front.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  front.searchParams.delete('host');
  front.searchParams.set('sslmode', 'no-verify');
  const corrupt = (): void => {
    for (const socket of sockets) socket.write('no record of TLS begins like this');
  };
  return { url: front.href, corrupt };
}

function answerTlsRequest(socket: Socket, url: URL, fault: TlsFault | 'none'): void {
  if (fault === 'no answer') socket.end();
  else if (fault === 'refused') socket.write('N');
  else if (fault === 'nonsense') socket.write('?');
  else if (fault === 'closed') socket.end('S');
  else if (fault === 'no TLS') socket.write('S200 OK');
  else {
    socket.write('S');
    const secureContext = createSecureContext(SECRETS[fault] ?? {});
    const secure = new TLSSocket(socket, { isServer: true, secureContext });
    secure.on('error', () => socket.destroy());
    passOn(secure, dialDatabase(url));
  }
}

export function dialDatabase(url: URL): Socket {
  const folder = url.searchParams.get('host');
  return folder === null
    ? dial(Number(url.port), url.hostname)
    : dial(`${folder}/.s.PGSQL.${url.port === '' ? 5432 : url.port}`);
}

function passOn(client: Socket, database: Socket): void {
  database.on('error', () => client.destroy());
  database.on('close', () => client.destroy());
  client.on('close', () => database.destroy());
  client.pipe(database).pipe(client);
}

/** For a host that does not exist, so it is worthless to anyone. */
const KEY_ELSEWHERE = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgulx1lTBFC396dx3k
djF7xZ3JimjyhwYcAIsoLoEYi/ShRANCAASEeePBz4Gq8vJmBnQjCtXhkhPfXEwb
iSi2PBYjiZZHzTHO5BS8hRRczixHIy/eJp7wk2B41/AIKUdpn5YaL+Qb
-----END PRIVATE KEY-----`;

export const CERTIFICATE_ELSEWHERE = `-----BEGIN CERTIFICATE-----
MIIBrDCCAVOgAwIBAgIUd+qxw2g5jJJ5Kr+mUzFn4AZ2zdEwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRZWxzZXdoZXJlLmV4YW1wbGUwIBcNMjYxMTIzMTMwMjMzWhgP
MjEyNjEwMzAxMzAyMzNaMBwxGjAYBgNVBAMMEWVsc2V3aGVyZS5leGFtcGxlMFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEhHnjwc+BqvLyZgZ0IwrV4ZIT31xMG4ko
tjwWI4mWR80xzuQUvIUUXM4sRyMv3iae8JNgeNfwCClHaZ+WGi/kG6NxMG8wHQYD
VR0OBBYEFI//N31atu5YauDZ8RxsuJ8GXawYMB8GA1UdIwQYMBaAFI//N31atu5Y
auDZ8RxsuJ8GXawYMA8GA1UdEwEB/wQFMAMBAf8wHAYDVR0RBBUwE4IRZWxzZXdo
ZXJlLmV4YW1wbGUwCgYIKoZIzj0EAwIDRwAwRAIgK+aLeTtPBbNJXgRV8vjo5PzE
bPEIyfLT6QZ5NGHCggMCIHW0a8+zy+jYD6ncGTlNotPd/q5rfdrf9nfOTqEXFkvV
-----END CERTIFICATE-----`;

/** For the loopback address alone, so it is worthless to anyone. */
const KEY_HERE = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmXPV2EOODFku/aq9
Xl0/gLWVr3jJO29sZqhIOQLHcbihRANCAAR6u6x8xeL2ilOffvy3yWLC8j/Y60uU
PXxLEGyTilKR4x34RU6e1QUoPse13BJR6Om9hnAd8F2IKMdSf1Njqk1k
-----END PRIVATE KEY-----`;

export const CERTIFICATE_HERE = `-----BEGIN CERTIFICATE-----
MIIBsDCCAVagAwIBAgIUZn/UfqiWYQP0zY46jxW3hk089howCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQZGF0YWJhc2UuZXhhbXBsZTAgFw0yNjExMjMyMDI1MjBaGA8y
MTI2MTAzMDIwMjUyMFowGzEZMBcGA1UEAwwQZGF0YWJhc2UuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABHq7rHzF4vaKU59+/LfJYsLyP9jrS5Q9fEsQ
bJOKUpHjHfhFTp7VBSg+x7XcElHo6b2GcB3wXYgox1J/U2OqTWSjdjB0MB0GA1Ud
DgQWBBTqGYVn4TuHnqlQhU/IvTGDchg8cTAfBgNVHSMEGDAWgBTqGYVn4TuHnqlQ
hU/IvTGDchg8cTAPBgNVHRMBAf8EBTADAQH/MCEGA1UdEQQaMBiCEGRhdGFiYXNl
LmV4YW1wbGWHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIhAK7e/NkYHFZ2yxuOfGu+
bkUSsB2I571SFuShwHccwSCLAiBOhPdzJhXP2iUAjBQIcEL0WDX7uow5Nh0Uz514
QMeolA==
-----END CERTIFICATE-----`;

const SECRETS: Readonly<Record<string, { key: string; cert: string }>> = {
  untrusted: { key: KEY_ELSEWHERE, cert: CERTIFICATE_ELSEWHERE },
  none: { key: KEY_HERE, cert: CERTIFICATE_HERE },
};
