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
import type { Services } from './endpoint.ts';
import { refuseOtherThan } from './other-methods.ts';
import { sendAnswer, sendRefusal } from './send.ts';

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
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      sendAnswer(request, reply, await ask());
    } catch (error) {
      sendRefusal(request, reply, toApiError(error));
    }
  };
  app.route({
    method: METHODS,
    url: `/${name}`,
    config: { endpoint: name, isProbe: true, answerOther: refuseOtherThan(METHODS) },
    // In `onRequest`, so that no body is read.
    onRequest: (request, reply) => void answer(request, reply),
    handler: () => undefined,
  });
}
