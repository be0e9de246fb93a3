/** Every path that the application serves, asked of the application itself, so that a new one is never left out. */
import diagnostics from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/** One path, as the router spells it, such as `/v1/:register/trademarks/*`. */
export interface ServedPath {
  readonly path: string;
  readonly takesForms: boolean;
}

/** What `build` adds to the application that it makes. The application is closed again. */
export async function listServedPaths(build: () => FastifyInstance): Promise<ServedPath[]> {
  const methods = new Map<string, Set<string>>();
  const watch = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ url, method }) => {
      const known = methods.get(url) ?? new Set();
      for (const each of [method].flat()) known.add(each);
      methods.set(url, known);
    });
  };
  diagnostics.subscribe('fastify.initialization', watch);
  try {
    const app = build();
    await app.ready();
    await app.close();
  } finally {
    diagnostics.unsubscribe('fastify.initialization', watch);
  }
  // Takes what no path takes.
  methods.delete('/*');
  return [...methods].map(([path, known]) => ({
    path,
    takesForms: path.startsWith('/portal') && known.has('POST') && !path.endsWith('/*'),
  }));
}
