/**
 * Serves what describes the API: the interface description, and pages as HTML for people and as Markdown for programs.
 * The reference in which callers try calls is part of the portal; its old address redirects there. Nothing needs a key.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiError } from '../base/errors.ts';
import { type Answer, renderTagged } from '../render/answer.ts';
import { buildDescription } from '../render/description/document.ts';
import { isErrorCode } from '../render/description/guide.ts';
import {
  buildApiPage,
  buildErrorPage,
  buildErrorsPage,
  PAGES_CSS,
  type Page,
  renderHtml,
  renderLlmsText,
  renderMarkdown,
} from '../render/description/pages.ts';
import { renderRedirect, renderRoot } from '../render/root.ts';
import type { HttpConfig } from './endpoint.ts';
import { sendAnswer, sendRefusal } from './send.ts';
import { REQUEST_METHODS } from './wire.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export function registerReference(app: FastifyInstance, config: HttpConfig): void {
  const fixed = (url: string, build: () => Answer | Promise<Answer>): void => {
    let answer: Promise<Answer> | undefined;
    addGet(app, url, () => {
      answer ??= Promise.resolve(build());
      return answer;
    });
  };
  fixed('/openapi.json', () =>
    renderPublic(JSON.stringify(buildDescription(config)), 'application/json; charset=utf-8'),
  );
  addGet(app, '/', (_parameters, request) => renderRoot(config, request.headers.accept ?? ''));
  fixed('/llms.txt', () => renderPublic(renderLlmsText(), 'text/plain; charset=utf-8'));
  addGet(app, '/docs', () => renderRedirect('/portal/api'));
  fixed('/docs/assets/pages.css', () => renderPublic(PAGES_CSS, CSS));
  const page = (url: string, build: () => Page): void => {
    fixed(url, () => renderPublic(renderHtml(build()), HTML, PAGE_POLICY));
    fixed(`${url}.md`, () => renderPublic(renderMarkdown(build()), MARKDOWN));
  };
  page('/docs/api', buildApiPage);
  page('/docs/errors', buildErrorsPage);
  addGet(app, '/docs/errors/:name', ({ name = '' }) => {
    const code = name.replace(/\.md$/, '');
    if (!isErrorCode(code)) throw apiError('not_found', 'There is no such error code; /docs/errors lists them all.');
    const built = buildErrorPage(code);
    if (code === name) return renderPublic(renderHtml(built), HTML, PAGE_POLICY);
    return renderPublic(renderMarkdown(built), MARKDOWN);
  });
}

function addGet(
  app: FastifyInstance,
  url: string,
  answer: (parameters: { name?: string }, request: FastifyRequest) => Answer | Promise<Answer>,
): void {
  app.route({
    method: [...REQUEST_METHODS],
    url,
    onRequest: (request, reply, done) => {
      if (request.method === 'GET') return done();
      const message = `${request.method} is not allowed here; use GET.`;
      sendRefusal(request, reply, apiError('method_not_allowed', message));
    },
    handler: async (request, reply) => {
      sendAnswer(request, reply, await answer(request.params as { name?: string }, request));
      return reply;
    },
  });
}

function renderPublic(body: string, type: string, policy?: string): Answer {
  return renderTagged(body, {
    'content-type': type,
    'cache-control': 'public, max-age=300',
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
  });
}
