/**
 * The two probes of a supervisor or load balancer: `/livez`, whether the process is alive, and `/readyz`, whether it
 * should get calls. Neither needs a key or is counted; both are also answered while the process stops. Invariant:
 * `/livez` depends on nothing but the process, so an unavailable database never causes a restart.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from '../base/errors.ts';
import type { Answer } from '../render/answer.ts';
import { toApiError } from '../render/failure.ts';
import { renderProbe } from '../render/reports.ts';
import type { Services } from './call.ts';
import { type Judged, refuse } from './judge.ts';
import { sendJudged } from './send.ts';
import { REQUEST_METHODS } from './wire.ts';

type ProbeServices = Pick<Services, 'checkHealth' | 'index'>;

const METHODS = ['GET', 'HEAD'];

export function registerProbes(app: FastifyInstance, services: ProbeServices): void {
  addProbe(app, 'livez', async () => renderProbe('alive'));
  addProbe(app, 'readyz', async () => {
    const obstacles = await findObstacles(app, services);
    if (obstacles.length > 0) throw apiError('unavailable', `Not ready: ${obstacles.join(' ')}`);
    return renderProbe('ready');
  });
}

/** What keeps calls from being answered, in sentences; empty if nothing does. */
async function findObstacles(app: FastifyInstance, { checkHealth, index }: ProbeServices): Promise<string[]> {
  const checks = [
    async () => {
      if (app.isStopping()) throw apiError('unavailable', 'The service is shutting down.');
    },
    checkHealth,
    async () => index.checkReady(),
  ];
  const results = await Promise.allSettled(checks.map((check) => check()));
  return results.flatMap((result) => (result.status === 'rejected' ? [toApiError(result.reason).message] : []));
}

function addProbe(app: FastifyInstance, name: 'livez' | 'readyz', ask: () => Promise<Answer>): void {
  const judge = async (method: string): Promise<Judged> => {
    try {
      if (METHODS.includes(method)) return { answer: await ask(), refusal: null };
      throw apiError('method_not_allowed', `${method} is not allowed here; use GET or HEAD.`, {
        headers: { allow: METHODS.join(', ') },
      });
    } catch (error) {
      return refuse(toApiError(error));
    }
  };
  app.route({
    method: [...REQUEST_METHODS],
    url: `/${name}`,
    config: { endpoint: name, isProbe: true },
    // In `onRequest`, so that no body is read.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
      sendJudged(request, reply, await judge(request.method)),
    handler: () => undefined,
  });
}
