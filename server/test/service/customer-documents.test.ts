/** The documents on a running server: every page as HTML and as Markdown, and links that lead somewhere. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CUSTOMER_FILES, CUSTOMER_PAGES, listSources, PAGE_SOURCES } from '../../src/render/documents/catalogue.ts';
import { publishMarkdown, readSource, renderMarkdownHtml } from '../../src/render/documents/markdown.ts';
import { startService } from '../support/service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const OWN_ADDRESSES = /^\/(?:docs|portal|openapi\.json|llms\.txt)/;

test('every document is served as HTML and as Markdown, and each of its links leads to a page and a place on it', async (t) => {
  const service = await startService(t);
  const names = ['', ...Object.keys(PAGE_SOURCES).map((name) => `/${name}`)];
  const places = new Map<string, Set<string>>();
  const links: { from: string; to: string }[] = [];
  for (const name of names) {
    const url = `/docs${name}`;
    const page = await service.call(url);
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'], url);
    assert.match(page.headers['content-security-policy'] ?? '', /^default-src 'none'; /);
    assert.doesNotMatch(page.text, /<script|<img|<iframe| style=| on\w+="/i, url);
    assert.equal([...page.text.matchAll(/<h1/g)].length, 1, `${url} has one title`);
    const markdown = await service.call(`${url}.md`);
    assert.deepEqual([markdown.status, markdown.headers['content-type']], [200, 'text/markdown; charset=utf-8'], url);
    assert.match(markdown.text, /^# \S/, url);
    places.set(url, new Set([...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)));
    for (const [, to = ''] of page.text.matchAll(/<a href="([^"]+)"/g)) links.push({ from: url, to });
    for (const [, to = ''] of markdown.text.matchAll(/\]\((\/[^)]+)\)/g)) links.push({ from: `${url}.md`, to });
  }
  const asked = new Map<string, number>();
  for (const { from, to } of links) {
    if (/^(https|mailto):/.test(to)) continue;
    const [path = '', place] = to.split('#');
    const target = path === '' ? from : path;
    assert.match(target, OWN_ADDRESSES, `${from} leads to ${to}`);
    if (!asked.has(target)) asked.set(target, (await service.call(target)).status);
    assert.ok([200, 303].includes(asked.get(target)!), `${from} leads to ${to}`);
    if (place !== undefined) assert.ok(places.get(target.replace(/\.md$/, ''))?.has(place), `${from} leads to ${to}`);
  }
  for (const name of Object.keys(CUSTOMER_FILES)) assert.equal((await service.call(`/docs/${name}`)).status, 200, name);
});

test('llms.txt and the contents list every document in one line', async (t) => {
  const service = await startService(t);
  for (const url of ['/llms.txt', '/docs.md']) {
    const { text } = await service.call(url);
    for (const [name, { title, summary }] of Object.entries(CUSTOMER_PAGES)) {
      assert.ok(text.split('\n').includes(`- [${title}](/docs/${name}.md): ${summary}`), `${url} lists ${name}`);
    }
  }
});

test('security.txt names the contact that is set, for half a year, and is not there without one', async (t) => {
  const silent = await startService(t);
  assert.equal((await silent.call('/.well-known/security.txt')).status, 404);
  const robots = await silent.call('/robots.txt');
  assert.match(robots.text, /^User-agent: \*\n(Allow: \S+\n)+Disallow: \/\n$/);
  const config = { securityContact: 'mailto:security@example.com', publicUrl: 'https://api.example' };
  const named = await startService(t, { config });
  const { status, text, headers } = await named.call('/.well-known/security.txt');
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
  const [contact, expires = '', ...rest] = text.trimEnd().split('\n');
  assert.equal(contact, 'Contact: mailto:security@example.com');
  assert.match(expires, /^Expires: \d{4}-\d\d-\d\dT00:00:00Z$/);
  assert.deepEqual(rest, ['Preferred-Languages: en', 'Canonical: https://api.example/.well-known/security.txt']);
});

test('no document speaks to developers or operators of the service', () => {
  for (const source of listSources()) {
    assert.doesNotMatch(source, /^docs\/(design|operations|loading|rules|plans)|CONTRIBUTING|ARCHITECTURE/);
  }
  const guides = readdirSync(`${ROOT}docs/guides`).map((name) => `docs/guides/${name}`);
  assert.deepEqual(
    guides.filter((guide) => !listSources().includes(guide)),
    [],
    'guides that are not served',
  );
});

test('links to what is not served become their text, and code keeps its brackets', () => {
  const text = [
    '# A page',
    '',
    '[here](history.md#an-event) [not](design/access.md) [out](https://a.example) ![picture](images/a.png) `[a](b.md)`',
    '',
    '```js',
    'const a = [b](c.md);',
    '```',
  ].join('\n');
  assert.equal(
    publishMarkdown(text, 'docs/webhooks.md').split('\n')[2],
    '[here](/docs/history.md#an-event) not [out](https://a.example) picture `[a](b.md)`',
  );
  assert.match(publishMarkdown(text, 'docs/webhooks.md'), /const a = \[b\]\(c\.md\);/);
});

test('HTML, scripts and unknown schemes in a text are shown, never rendered', () => {
  const { html, title } = renderMarkdownHtml(
    '# `a` <b>\n\n<script>alert(1)</script>\n\nx <img src=x onerror=y> [l](javascript:alert(1)) ![i](https://a.example/"x)\n\n```"><i>\n<b>\n```\n',
  );
  assert.equal(title, 'a <b>');
  assert.doesNotMatch(html, /<(script|img|b|i)\b|href="javascript/);
});

test('a source that is in no place is a fault, not an empty page', async () => {
  await assert.rejects(readSource('docs/nonesuch.md'), /neither in the package nor in a repository/);
});
