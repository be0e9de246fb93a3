/** Listens on the configured address, and says what to change if that is impossible. */
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { OperatorError } from '../base/errors.ts';

/** Resolves to the address, with the actual port. */
export async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
  await app.listen({ host, port, listenTextResolver: () => '' }).catch((error: unknown) => {
    throw explainListen(error, host, port);
  });
  const taken = app.server.address();
  return formatAddress(host, typeof taken === 'object' && taken !== null ? taken.port : port);
}

/** Throws as `listen` would, before anything else is done. */
export async function checkAddress({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ host, port }, resolve);
    });
  } catch (error) {
    throw explainListen(error, host, port);
  } finally {
    server.close();
  }
}

export function formatAddress(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function explainListen(error: unknown, host: string, port: number): unknown {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is already in use; stop the program that uses it, or set PORT to another port`,
    EACCES: `this account may not use port ${port}; set PORT to a port above 1023`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; correct HOST`,
    ENOTFOUND: `the host name ${host} does not exist; correct HOST`,
    EAI_AGAIN: `the host name ${host} cannot be looked up; correct HOST`,
  };
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
  return reason === undefined ? error : new OperatorError(reason, { cause: error });
}
