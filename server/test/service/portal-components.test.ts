/** What pages are made of: components that own their classes, sizes that are tokens, and a page that shows them all. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as charts from '../../src/portal/frame/charts.ts';
import * as components from '../../src/portal/frame/components.ts';
import * as fields from '../../src/portal/frame/fields.ts';
import * as table from '../../src/portal/frame/table.ts';
import * as timeline from '../../src/portal/frame/timeline.ts';
import { FULL_PAYLOAD } from '../support/full-payload.ts';
import { createCustomer, joinPortal } from '../support/portal.ts';
import { listPortalPages } from '../support/portal-browser.ts';
import { startService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { ROOT, readSources, type SourceFile } from '../support/sources.ts';
import { buildStored, storeRecords } from '../support/stored.ts';
import { publishVersions } from '../support/stored-history.ts';
import { storeHit, storeWatch, storeWebhook } from '../support/watch-hits.ts';

const STYLES = readFileSync(join(ROOT, 'server/public/portal.css'), 'utf8').replace(/\/\*.*?\*\//gs, '');
const SOURCES = readSources('server/src/portal');
const COMPONENTS = ['components', 'fields', 'table', 'charts', 'timeline'].map(
  (name) => `server/src/portal/frame/${name}.ts`,
);
/** How text reads, and where a form puts its fields: a page may write these too. */
const SHARED = ['unseen', 'silent', 'hint', 'role', 'small', 'number', 'told', 'row', 'stack'];

/** The classes that the stylesheet has rules for. */
function listStyled(): string[] {
  const selectors = STYLES.replace(/\{[^{}]*\}/g, ' ').replace(/@[^{]*\{/g, ' ');
  return [...new Set([...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name))].sort();
}

/** The classes that a file writes, as far as they are texts. */
function listWritten({ text }: SourceFile): string[] {
  const attributes = [...text.matchAll(/class="([^"]*)"|class=\$\{((?:`[^`]*`|'[^']*'|[^`'}])*)\}/g)];
  const texts = attributes.flatMap(([, plain, code = '']) =>
    plain === undefined ? [...code.matchAll(/(?:===?\s*)?['`]([^'`]*)['`]/g)].map(([, each = '']) => each) : [plain],
  );
  return texts.flatMap((each) => each.replace(/\S*\$\{[^}]*\}\S*/g, '').split(/\s+/)).filter((name) => name !== '');
}

test('no page writes a class without a rule, or one that a component owns', () => {
  const styled = new Set(listStyled());
  assert.ok(styled.size > 50);
  const parts = SOURCES.filter(({ path }) => COMPONENTS.includes(path));
  assert.equal(parts.length, COMPONENTS.length);
  const owned = new Set(parts.flatMap(listWritten).filter((name) => !SHARED.includes(name)));
  assert.ok(owned.has('button') && owned.has('notice') && owned.has('scroll'));
  const found = SOURCES.flatMap((file) =>
    listWritten(file).flatMap((name) => {
      if (!styled.has(name)) return [`${file.path}: .${name} has no rule`];
      return owned.has(name) && !COMPONENTS.includes(file.path) ? [`${file.path}: .${name} is a component's`] : [];
    }),
  );
  assert.deepEqual(found, []);
});

test('every text, gap, margin and padding of the stylesheet has a size of the scale', () => {
  const declared = [
    ...STYLES.matchAll(/^\s*(font-size|gap|(?:row|column)-gap|(?:margin|padding)[\w-]*|font):\s*([^;]+);/gm),
  ];
  assert.ok(declared.length > 150);
  const isOnScale = (property: string, value: string): boolean => {
    if (property === 'font') return value === 'inherit';
    if (property === 'font-size') return /^var\(--text(-\w+)?\)$/.test(value);
    const sizes = value
      .replace(/max\(var\(--gutter\), calc\(\(100% - var\(--page\)\) \/ 2\)\)/, 'var(--gutter)')
      .split(' ');
    return sizes.every((size) => /^(0|auto|-1px|0?\.\d+em|var\(--(space-\d|gutter)\))$/.test(size));
  };
  const off = declared.filter(([, property = '', value = '']) => !isOnScale(property, value.trim()));
  assert.deepEqual(
    off.map(([line]) => line.trim()),
    [],
  );
});

test('every colour of the stylesheet is a token, in light and dark', () => {
  const [, tokens = '', rest = ''] = /^(.*?:root \{.*?\n\}\n)(.*)$/s.exec(STYLES) ?? [];
  assert.ok((tokens.match(/light-dark\(#[\da-f]{6}, #[\da-f]{6}\)/g) ?? []).length >= 20);
  const [screen = ''] = rest.split('@media print');
  assert.deepEqual(screen.match(/#[\da-f]{3,8}\b(?!.*\{)|\b(?:rgb|hsl)a?\(/gi) ?? [], []);
});

test('the page of components shows every one of them', () => {
  const page = SOURCES.filter(({ path }) => path.startsWith('server/src/portal/components/'))
    .map(({ text }) => text)
    .join('\n');
  const made = [components, fields, table, charts, timeline].flatMap((part) => Object.keys(part));
  assert.ok(made.length > 30);
  assert.deepEqual(
    made.filter((name) => !new RegExp(`\\b${name}[<(]`).test(page)),
    [],
  );
});

test('a demonstration shows its components to everybody, and no other service has the page [5.4]', async (t) => {
  const demo = await startService(t, { isDemo: true });
  const shown = await demo.call('/portal/components');
  assert.equal(shown.status, 200);
  assert.match(shown.text, /<h1>Components<\/h1>/);
  const other = await startService(t);
  assert.equal((await other.call('/portal/components')).status, 404);
  const person = await joinPortal(other.url, await createCustomer(other.db));
  assert.equal((await person.visit('/portal/components')).status, 404);
});

test('every rule of the stylesheet is for something that a page has', { timeout: 300_000 }, async (t) => {
  const { url, db, call } = await startService(t, { isDemo: true });
  const images = [{ uri: 'data:image/png;base64,iVBORw0KGgo=' }];
  const family = { nice_classes: [9], international_registration_numbers: ['0812345'] };
  const shared = { jurisdiction_code: 'FR', status: 'Registered', ...family };
  const sources = [
    buildSource({ ...shared, uid: 'full', mark_name: 'NÉLYIA', payload: { ...FULL_PAYLOAD, images } }),
    buildSource({ ...shared, uid: 'middle', mark_name: 'Nélyia of the reeds' }),
    buildSource({ ...shared, uid: 'long', mark_name: 'Nélyia of the reeds and of the long sunrise' }),
    buildSource({ ...shared, uid: 'other', mark_name: 'Nélyia Blue', payload: { images } }),
  ];
  await storeRecords(
    db,
    sources.map((source) => buildStored(source, '2026-01-02T03:04:05.000000Z')),
  );
  const changed = { ...shared, nice_classes: [9, 25], payload: { images, remarks: ['later'] } };
  await publishVersions(db, [{ ...changed, uid: 'other', mark_name: 'Nélyia Blue' }]);
  const customer = await createCustomer(db, { quota: 1000, products: ['records', 'analytics'] });
  for (const path of ['/v1/trademarks?status=x', '/v1/trademarks?status=Registered']) {
    await call(path, { key: customer.key });
  }
  const person = await joinPortal(url, customer);
  const watchId = await storeWatch(db, customer.name);
  const webhookId = await storeWebhook(db, customer.name, watchId);
  await storeHit(db, watchId);
  const record = '/portal/explorer/records/FR/full';
  const pages = listPortalPages({ keyId: customer.keyId, record, webhookId });
  const search = encodeURIComponent('/portal/explorer?nice_class=9&status=Registered');
  const further = [`${record}?from=${search}`, '/portal/explorer/records/FR/other', '/portal/explorer/records/FR/long'];
  const paths = [...pages.map(({ path }) => path), ...further];
  const written = new Set<string>();
  const note = (text: string): void => {
    for (const [, names = ''] of text.matchAll(/ class="([^"]*)"/g))
      for (const name of names.split(' ')) written.add(name);
  };
  for (const path of paths) note((await person.visit(path)).text);
  note((await call('/portal/sign-in')).text);
  assert.deepEqual(
    listStyled().filter((name) => !written.has(name)),
    [],
  );
});
