/**
 * Serves the reference of the API: the interface description, a viewer for trying calls, and pages as HTML for people
 * and as Markdown for programs. Everything comes from this process, and nothing needs a key.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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
import { renderViewer, VIEWER_CSS, VIEWER_SCRIPT } from '../render/description/viewer.ts';
import { renderRoot } from '../render/root.ts';
import type { HttpConfig } from './call.ts';
import { refuse } from './judge.ts';
import { sendAnswer, sendJudged } from './send.ts';
import { REQUEST_METHODS } from './wire.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
/** The viewer needs its own scripts, calls to this host, styles that it sets on elements, and inline images. */
const VIEWER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The served files of the viewer's package, with their types. */
const VIEWER_FILES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': SCRIPT,
  'swagger-ui.css': CSS,
  'favicon-32x32.png': 'image/png',
};

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
  fixed('/docs', () => renderPublic(renderViewer(), HTML, VIEWER_POLICY));
  fixed('/docs/assets/viewer.js', () => renderPublic(VIEWER_SCRIPT, SCRIPT));
  fixed('/docs/assets/viewer.css', () => renderPublic(VIEWER_CSS, CSS));
  fixed('/docs/assets/pages.css', () => renderPublic(PAGES_CSS, CSS));
  for (const [name, type] of Object.entries(VIEWER_FILES)) {
    fixed(`/docs/assets/${name}`, async () => renderPublic(await readViewerFile(name), type));
  }
  const page = (url: string, build: () => Page): void => {
    fixed(url, () => renderPublic(renderHtml(build()), HTML, PAGE_POLICY));
    fixed(`${url}.md`, () => renderPublic(renderMarkdown(build()), MARKDOWN));
  };
  page('/docs/api', buildApiPage);
  page('/docs/errors', buildErrorsPage);
  addGet(app, '/docs/errors/:name', ({ name = '' }) => {
    const code = name.replace(/\.md$/, '');
    if (!isErrorCode(code)) throw apiError('not_found', 'There is no such error code.');
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
    onRequest: async (request, reply) => {
      if (request.method === 'GET') return undefined;
      const message = `${request.method} is not allowed here; use GET.`;
      return sendJudged(request, reply, refuse(apiError('method_not_allowed', message)));
    },
    handler: async (request, reply) =>
      sendAnswer(request, reply, await answer(request.params as { name?: string }, request)),
  });
}

function renderPublic(body: string | Buffer, type: string, policy?: string): Answer {
  return renderTagged(body, {
    'content-type': type,
    'cache-control': 'public, max-age=300',
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
  });
}

function readViewerFile(name: string): Promise<Buffer> {
  const manifest = createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json');
  return readFile(join(dirname(manifest), 'static', name));
}
