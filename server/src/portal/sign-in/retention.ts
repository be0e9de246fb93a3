/** Every hour, removes expired sessions, sign-in attempts and used form tokens. */
import type { FastifyInstance } from 'fastify';
import { deleteOldSessions } from '../../store/accounts/portal.ts';
import { deleteOldForms } from '../../store/accounts/portal-forms.ts';
import type { PortalServices } from '../services.ts';
import { ATTEMPT_WINDOW_SECONDS } from './passwords.ts';
import { SESSION_TERMS } from './sessions.ts';

const RETENTION_MS = 3_600_000;

export function scheduleRetention(app: FastifyInstance, { database, clock, log }: PortalServices): void {
  const stop = new AbortController();
  app.addHook('onClose', async () => stop.abort());
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await clock.sleep(RETENTION_MS, stop.signal);
      try {
        await deleteOldSessions(database, SESSION_TERMS.people, ATTEMPT_WINDOW_SECONDS);
        await deleteOldForms(database);
      } catch (error) {
        log.warn({ err: error }, 'expired sessions and forms were not removed');
      }
    }
  };
  run().catch(() => undefined);
}
