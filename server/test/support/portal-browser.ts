/** The portal in a browser: joining it, and the list of its pages, for tests and for pictures. */
import type { Page } from 'playwright-core';
import type { Database } from '../../src/database/driver/db.ts';
import { generateLines } from '../../src/generator/generate.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { buildStored, storeRecords } from './stored.ts';

export const PASSWORD = 'a quiet sentence for tests';

/** Invented records, which are the same at every run. */
export async function storeSamples(db: Database, records: number): Promise<SourceRecord[]> {
  const sources = [...generateLines({ records, seed: 'browser' })].map(
    (line) => ({ ...(JSON.parse(line) as SourceRecord), source_version: null }) as SourceRecord,
  );
  await storeRecords(
    db,
    sources.map((source, position) => buildStored(source, `2026-01-02T03:04:05.${String(position).padStart(6, '0')}Z`)),
  );
  return sources;
}

/** `invitation`: its path; `leadsTo`: the page after it. */
export async function signUp(page: Page, url: string, invitation: string, leadsTo = '/portal'): Promise<void> {
  await page.goto(`${url}${invitation}`);
  await page.fill('#password', PASSWORD);
  await page.fill('#repeated', PASSWORD);
  await page.click('text=Set the password and sign in');
  await page.waitForURL(`**${leadsTo}`);
}

export interface PortalPage {
  readonly name: string;
  readonly path: string;
}

const SEARCH = '/portal/explorer?nice_class=9&status=Registered';

/** The name of the record that has something in every part of its page. */
const SIMILAR = '/portal/similar?mark=nelya&classes=9&classes=25';

interface MemberPages {
  readonly keyId: string;
  readonly record: string;
  /** A webhook with deliveries. */
  readonly webhookId?: string;
  /** The stamp of a version of the record. */
  readonly version?: string;
  /** The id of one with hits. */
  readonly watch?: string;
  /** The id of a saved search. */
  readonly saved?: string;
  /** The name of one of these hits. */
  readonly hit?: string;
  /** The id of a person of the team. */
  readonly colleague?: string;
}

/** Every page for members. `record`: the path of one that has something in every part of the page. */
export function listPortalPages(shown: MemberPages): PortalPage[] {
  const { keyId, record, webhookId, version, watch, hit, saved, colleague } = shown;
  const key = `/portal/keys/${keyId}`;
  const [register, uid] = record.split('/').slice(-2);
  return [
    { name: 'home', path: '/portal' },
    { name: 'usage', path: '/portal/usage' },
    { name: 'shortcuts', path: '/portal/shortcuts' },
    { name: 'explorer-form', path: '/portal/explorer' },
    { name: 'explorer-results', path: SEARCH },
    { name: 'explorer-columns', path: `${SEARCH}&columns=image.register.office.goods.expires` },
    { name: 'explorer-images', path: `${SEARCH}&view=grid` },
    { name: 'explorer-refused', path: '/portal/explorer?nice_class=99' },
    { name: 'explorer-nothing', path: '/portal/explorer?mark_name=nothing+is+called+this' },
    { name: 'search-bar', path: '/portal/search?q=aurora' },
    { name: 'explorer-near', path: '/portal/explorer?jurisdiction=GB&status=Registered&mark_name=%C3%A0' },
    { name: 'similar-form', path: '/portal/similar' },
    { name: 'similar', path: SIMILAR },
    { name: 'similar-beside', path: `${SIMILAR}&beside=${encodeURIComponent(`${register}/${uid}`)}` },
    { name: 'similar-refused', path: '/portal/similar?mark=%21' },
    { name: 'searches', path: '/portal/searches' },
    { name: 'search-save', path: `/portal/searches/new?search=${encodeURIComponent(SEARCH.split('?')[1] ?? '')}` },
    ...(saved === undefined ? [] : [{ name: 'search-saved', path: `/portal/searches/${saved}` }]),
    { name: 'export', path: SEARCH.replace('explorer?', 'explorer/export?') },
    { name: 'record', path: record },
    { name: 'record-goods', path: `${record}?part=goods&within=hats` },
    { name: 'record-json', path: `${record}?json=events` },
    ...listHistoryPages(record, version),
    { name: 'record-unknown', path: '/portal/explorer/records/FR/none' },
    { name: 'changes-form', path: '/portal/feed' },
    { name: 'changes', path: '/portal/feed?show=1' },
    { name: 'monitoring', path: '/portal/monitoring' },
    { name: 'registers', path: '/portal/registers' },
    { name: 'register', path: `/portal/registers/${register}` },
    { name: 'dates-rules', path: '/portal/dates-rules' },
    { name: 'filings', path: '/portal/filings' },
    { name: 'filing-new', path: `/portal/new-filing?register=${register}&uid=${uid}` },
    { name: 'log', path: '/portal/log' },
    { name: 'log-errors', path: '/portal/log?outcome=failed&hours=720&status=400' },
    { name: 'keys', path: '/portal/keys' },
    { name: 'key', path: key },
    { name: 'key-new', path: '/portal/keys/new' },
    { name: 'key-rotate', path: `${key}/rotate` },
    { name: 'key-revoke', path: `${key}/revoke` },
    { name: 'watches', path: '/portal/watches' },
    { name: 'watches-ended', path: '/portal/watches?show=ended' },
    { name: 'watch-new', path: '/portal/new-watch' },
    { name: 'watch-search', path: `/portal/new-watch?search=${encodeURIComponent(SEARCH.split('?')[1] ?? '')}` },
    { name: 'watch-refused', path: '/portal/new-watch?search=status%3DUnheard' },
    { name: 'watch-records', path: `/portal/new-watch?kind=records&records=${register}%20${uid}%0AFR%20unknown` },
    { name: 'watch-owners', path: '/portal/new-watch?kind=owners' },
    ...(watch === undefined ? [] : listWatchPages(`/portal/watches/${watch}`, hit)),
    { name: 'webhooks', path: '/portal/webhooks' },
    { name: 'webhook-new', path: '/portal/webhooks/new' },
    ...(webhookId === undefined ? [] : listWebhookPages(`/portal/webhooks/${webhookId}`)),
    { name: 'team', path: '/portal/team' },
    ...(colleague === undefined ? [] : [{ name: 'team-role', path: `/portal/team/${colleague}/role` }]),
    { name: 'activity', path: '/portal/team/activity' },
    { name: 'account', path: '/portal/account' },
    { name: 'api', path: '/portal/api' },
    { name: 'api-search', path: '/portal/api/searchTrademarks' },
    { name: 'api-asked', path: '/portal/api/searchTrademarks?nice_class=9&asked=1' },
    {
      name: 'api-payload',
      path: `/portal/api/getTrademark?jurisdiction_code=${register}&uid=${uid}&expand=payload&asked=1`,
    },
    { name: 'api-refused', path: '/portal/api/listChanges?limit=ten&expand=x&asked=1' },
    { name: 'api-usage', path: '/portal/api/getUsage?asked=1' },
    { name: 'api-schema', path: '/portal/api/schemas/TrademarkDetail' },
    { name: 'docs-contents', path: '/docs' },
    { name: 'docs-webhooks', path: '/docs/webhooks' },
    { name: 'docs', path: '/docs/api' },
    { name: 'docs-errors', path: '/docs/errors' },
    { name: 'docs-error', path: '/docs/errors/rate_limited' },
    { name: 'components', path: '/portal/components' },
    { name: 'not-found', path: '/portal/none' },
  ];
}

function listHistoryPages(record: string, version: string | undefined): PortalPage[] {
  const history = record.replace('/records/', '/history/');
  return [
    { name: 'record-history', path: history },
    { name: 'record-history-chosen', path: `${history}?cause=first&field=mark_name,owner_names` },
    ...(version === undefined ? [] : [{ name: 'record-version', path: `${record}?version=${version}` }]),
  ];
}

function listWatchPages(path: string, hit: string | undefined): PortalPage[] {
  return [
    { name: 'watch', path },
    { name: 'watch-hits', path: `${path}?kind=mark&state=seen` },
    ...(hit === undefined ? [] : [{ name: 'watch-hit', path: `${path}/hits/${encodeURIComponent(hit)}` }]),
    { name: 'watch-why', path: `${path}/why?register=FR&number=1` },
    { name: 'watch-change', path: `${path}/change` },
    { name: 'watch-end', path: `${path}/end` },
  ];
}

function listWebhookPages(path: string): PortalPage[] {
  return [
    { name: 'webhook', path },
    { name: 'webhook-rotate', path: `${path}/rotate` },
    { name: 'webhook-delete', path: `${path}/delete` },
  ];
}

/** Every page for those who have not signed in. */
export function listVisitorPages(invitation: string): PortalPage[] {
  return [
    { name: 'visitor-sign-in', path: '/portal/sign-in' },
    { name: 'visitor-invitation', path: invitation },
    { name: 'visitor-api', path: '/portal/api' },
    { name: 'visitor-api-search', path: '/portal/api/searchTrademarks' },
  ];
}

/** Every page for operators, of a customer and its key, and of a load. */
export function listOperatorPages(of: {
  customerId: string;
  keyId: string;
  loadId: string;
  source?: string;
  register?: string;
}): PortalPage[] {
  const customer = `/portal/operator/customers/${of.customerId}`;
  const key = `/portal/operator/keys/${of.keyId}`;
  return [
    { name: 'operator', path: '/portal/operator' },
    { name: 'operator-customers', path: '/portal/operator/customers' },
    { name: 'operator-customer', path: customer },
    { name: 'operator-customer-suspend', path: `${customer}/suspend` },
    { name: 'operator-customer-remove', path: `${customer}/remove` },
    { name: 'operator-key-new', path: `${customer}/keys/new` },
    { name: 'operator-keys', path: '/portal/operator/keys' },
    { name: 'operator-key', path: key },
    { name: 'operator-key-rotate', path: `${key}/rotate` },
    { name: 'operator-key-revoke', path: `${key}/revoke` },
    { name: 'operator-usage', path: '/portal/operator/usage' },
    { name: 'operator-registers', path: '/portal/operator/registers' },
    ...(of.register === undefined
      ? []
      : [{ name: 'operator-register', path: `/portal/operator/registers/${of.register}` }]),
    { name: 'operator-sources', path: '/portal/operator/sources' },
    ...(of.source === undefined ? [] : [{ name: 'operator-source', path: `/portal/operator/sources/${of.source}` }]),
    { name: 'operator-loads', path: '/portal/operator/loads' },
    { name: 'operator-load', path: `/portal/operator/loads/${of.loadId}` },
    { name: 'operator-audit', path: '/portal/operator/audit' },
    { name: 'operator-doctor', path: '/portal/operator/doctor' },
  ];
}
