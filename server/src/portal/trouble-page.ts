/** The page for a request that failed: what the person can do about it. Details for the operator go to the log. */
import type { FastifyRequest } from 'fastify';
import { html } from 'htm/preact';
import { OperatorError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { toApiError } from '../render/failure.ts';
import { type Page, PageRefusal } from './frame/call.ts';
import { renderHeading, renderLinkButton } from './frame/components.ts';

export function explainFailure(error: unknown, request: FastifyRequest, log: Log): Page {
  if (error instanceof PageRefusal) return renderTrouble(error.status, error.title, error.message, error.back);
  if (error instanceof OperatorError) return renderTrouble(409, 'That is not possible', error.message);
  const { code, cause } = toApiError(error);
  if (code === 'unavailable' || code === 'query_timeout') {
    const reason = (cause instanceof Error ? cause : (error as Error)).message;
    log.warn({ reason, request_id: request.id }, 'portal page refused');
    return renderTrouble(503, 'Not available', 'The service cannot answer right now. Try again shortly.');
  }
  if (code === 'not_found') return renderTrouble(404, 'Not found', 'There is no such register or record.');
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (typeof status === 'number' && status < 500) {
    return renderTrouble(status, 'Bad request', 'This page cannot handle that request.');
  }
  log.error({ err: error, request_id: request.id }, 'portal page failed');
  return renderTrouble(500, 'Something went wrong', `The fault is ours. Please report it with this id: ${request.id}`);
}

function renderTrouble(status: number, title: string, message: string, back = '/portal'): Page {
  const body = html`
    <section class="narrow">
      ${renderHeading(title)}
      <p>${message}</p>
      ${renderLinkButton(back === '/portal' ? 'To the start page' : 'Back', back, 'second')}
    </section>
  `;
  return { title, status, body };
}
