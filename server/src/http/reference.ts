/**
 * Serves what describes the service: the interface description, and documents as HTML for people and as Markdown for
 * programs. The reference in which callers try calls is part of the portal. Nothing needs a key.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { apiError } from '../base/errors.ts';
import { type Answer, renderTagged } from '../render/answer.ts';
import { buildDescription } from '../render/description/document.ts';
import { CUSTOMER_FILES, PAGE_SOURCES } from '../render/documents/catalogue.ts';
import {
  buildContentsMarkdown,
  PAGES_CSS,
  ROBOTS_TEXT,
  renderDocumentPage,
  renderLlmsText,
  renderSecurityText,
} from '../render/documents/frame.ts';
import { publishMarkdown, readSource } from '../render/documents/markdown.ts';
import { renderRoot } from '../render/reports.ts';
import type { HttpConfig } from './endpoint.ts';
import { refuseOtherThan } from './other-methods.ts';
import { sendAnswer } from './send.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const JSON_DOCUMENT = 'application/json; charset=utf-8';
const PAGE_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export function registerReference(app: FastifyInstance, config: HttpConfig, clock: Clock): void {
  addFixed(app, '/openapi.json', () => renderPublic(JSON.stringify(buildDescription(config)), JSON_DOCUMENT));
  addGet(app, '/', (request) => renderRoot(config, request.headers.accept ?? ''));
  addFixed(app, '/llms.txt', () => renderPublic(renderLlmsText(), TEXT));
  addFixed(app, '/robots.txt', () => renderPublic(ROBOTS_TEXT, TEXT));
  addGet(app, '/.well-known/security.txt', () => {
    const { securityContact: contact = null, publicUrl = null } = config;
    if (contact === null) throw apiError('not_found', 'The operator has not named a contact for security.');
    return renderPublic(renderSecurityText({ contact, publicUrl }, clock.nowMs()), TEXT);
  });
  addFixed(app, '/docs/assets/pages.css', () => renderPublic(PAGES_CSS, CSS));
  addPage(app, '/docs', buildContentsMarkdown);
  for (const [name, source] of Object.entries(PAGE_SOURCES)) {
    addPage(app, `/docs/${name}`, async () => publishMarkdown(await readSource(source), source));
  }
  for (const [name, { source, type }] of Object.entries(CUSTOMER_FILES)) {
    addFixed(app, `/docs/${name}`, async () => renderPublic(await readSource(source), type));
  }
}

/** A document, as HTML at `url` and as Markdown at the same address with `.md`. */
function addPage(app: FastifyInstance, url: string, write: () => string | Promise<string>): void {
  addFixed(app, url, async () => renderPublic(renderDocumentPage(await write(), url), HTML, PAGE_POLICY));
  addFixed(app, `${url}.md`, async () => renderPublic(await write(), MARKDOWN));
}

/** An answer that is built with the first call and kept. */
function addFixed(app: FastifyInstance, url: string, build: () => Answer | Promise<Answer>): void {
  let kept: Answer | undefined;
  addGet(app, url, async () => {
    kept ??= await build();
    return kept;
  });
}

function addGet(
  app: FastifyInstance,
  url: string,
  answer: (request: FastifyRequest) => Answer | Promise<Answer>,
): void {
  app.route({
    method: 'GET',
    url,
    config: { answerOther: refuseOtherThan(['GET']) },
    handler: async (request, reply) => {
      sendAnswer(request, reply, await answer(request));
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
