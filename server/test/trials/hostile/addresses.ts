/** Headers, addresses and cursors: every header that is read, every parameter of every endpoint, every page. */
import { EXTRA_ENDPOINTS } from '@tmds/contract/extras';
import { ENDPOINTS, type ParameterDefinition } from '@tmds/contract/parameters';
import type { ServerCase, World } from './hostile-case.ts';
import { encodeWithin, PLAIN_TEXTS, WORST_TEXTS } from './texts.ts';

/** All headers of a request together may have 48 KB with its address. */
const HEADER_BYTES = 40_000;
const ADDRESS_BYTES = 16_000;

const HEADERS = [
  'accept',
  'accept-encoding',
  'authorization',
  'cache-control',
  'content-type',
  'expect',
  'forwarded',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'origin',
  'range',
  'referer',
  'sec-fetch-site',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-api-key',
  'x-forwarded-for',
  'x-request-id',
] as const;

const cookieOf = ({ person }: World): string =>
  [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

async function askWithHeader(world: World, name: string, paths: readonly string[]): Promise<void> {
  for (const text of PLAIN_TEXTS) {
    const value = text.build(HEADER_BYTES);
    for (const path of paths) {
      const headers = { 'x-api-key': world.key, [name]: value };
      await world.ask(`${name}: ${text.name}, ${path}`, { path, headers });
    }
  }
}

interface Asked {
  readonly path: string;
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  readonly required: readonly string[];
}

/** Those that are read; what is written is sent by other cases. */
const READ: readonly Asked[] = Object.values({ ...ENDPOINTS, ...EXTRA_ENDPOINTS }).filter(
  (endpoint) => !('method' in endpoint),
);

const SEGMENTS: Readonly<Record<string, string>> = {
  jurisdiction_code: 'XA',
  bucket: '0',
  version: '2026-01-01T00:00:00.000000Z',
  watch: 'x',
  snapshot_id: 'x',
  file: 'x',
};

/** The path with everything right, but for the segment that is given. */
function fill(path: string, world: World, segments: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => segments[name] ?? SEGMENTS[name] ?? (name === 'uid' ? world.uid : 'x'),
  );
}

async function askEveryParameter(world: World, { path, parameters, required }: Asked): Promise<void> {
  const names = Object.keys(parameters);
  for (const name of [...names, 'unknown']) {
    const others = required.filter((each) => each !== name);
    const right = others.map((each) => `&${each}=${encodeURIComponent(parameters[each]?.example ?? '')}`).join('');
    const start = fill(path, world);
    for (const text of WORST_TEXTS) {
      const value = encodeWithin(text, ADDRESS_BYTES - start.length - right.length);
      const headers = { 'x-api-key': world.key };
      await world.ask(`${path} ${name}: ${text.name}`, { path: `${start}?${name}=${value}${right}`, headers });
    }
  }
}

async function askEverySegment(world: World): Promise<void> {
  for (const { path, required, parameters } of READ) {
    for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
      const right = required.map((each) => `${each}=${encodeURIComponent(parameters[each]?.example ?? '')}`).join('&');
      for (const text of WORST_TEXTS) {
        const filled = fill(path, world, { [name]: encodeWithin(text, ADDRESS_BYTES / 2) });
        const headers = { 'x-api-key': world.key };
        await world.ask(`${path} ${name}: ${text.name}`, { path: `${filled}?${right}`, headers });
      }
    }
  }
}

/** Bytes that no encoder writes, in values, names and paths. */
const ODD_BYTES = [
  '%',
  '%0',
  '%zz',
  '%00',
  '%ff',
  '%c0%80',
  '%ed%a0%80',
  '%f4%90%80%80',
  '&',
  '=',
  '&=',
  ';',
  '+',
  '/',
  '/../',
  '//',
];

async function askOddBytes(world: World): Promise<void> {
  for (const piece of ODD_BYTES) {
    const odd = piece.repeat(Math.floor(ADDRESS_BYTES / piece.length));
    for (const path of [
      `/v1/trademarks?mark_name=${odd}`,
      `/v1/trademarks?${odd}`,
      `/v1/XA/trademarks/${odd}`,
      `/${odd}`,
    ]) {
      await world.ask(`${piece} in ${path.slice(0, 30)}`, { path, headers: { 'x-api-key': world.key } });
    }
    const cookie = cookieOf(world);
    await world.ask(`${piece} in the portal`, { path: `/portal/explorer?mark_name=${odd}`, headers: { cookie } });
  }
  const names = Array.from({ length: 4000 }, (_, at) => `a${at}`).join('&');
  const same = 'limit=1&'.repeat(2000);
  for (const query of [names, same]) {
    await world.ask(`many parameters`, { path: `/v1/trademarks?${query}`, headers: { 'x-api-key': world.key } });
  }
}

/** What pages read of their addresses; each is given the text in turn. */
const PAGE_NAMES = [
  'q',
  'key',
  'cursor',
  'jurisdiction',
  'mark_name',
  'owner_name',
  'show',
  'checked',
  'from',
  'numbers',
  'next',
];

async function askEveryPage(world: World): Promise<void> {
  const cookie = cookieOf(world);
  const pages = world.paths.filter(({ path }) => path.startsWith('/portal'));
  for (const { path } of pages) {
    const filled = path.replaceAll(/:\w+/g, 'XA').replace('*', world.uid);
    for (const [place, text] of WORST_TEXTS.entries()) {
      // Not every text under every name at every page, which would be tens of thousands.
      const name = PAGE_NAMES[place % PAGE_NAMES.length]!;
      const value = encodeWithin(text, ADDRESS_BYTES - filled.length);
      await world.ask(`${path} ${name}: ${text.name}`, { path: `${filled}?${name}=${value}`, headers: { cookie } });
    }
  }
}

/** The bar and the explorer work on what they are given, so they get every text under every name. */
async function askSearchPages(world: World): Promise<void> {
  const cookie = cookieOf(world);
  const asked: [string, readonly string[]][] = [
    ['/portal/search', ['q']],
    ['/portal/explorer', ['q', ...Object.keys(ENDPOINTS.search.parameters)]],
  ];
  for (const [path, names] of asked) {
    for (const name of names) {
      for (const text of WORST_TEXTS) {
        const address = `${path}?${name}=${encodeWithin(text, ADDRESS_BYTES - 100)}`;
        await world.ask(`${path} ${name}: ${text.name}`, { path: address, headers: { cookie } });
      }
    }
  }
}

async function askWithCookies(world: World): Promise<void> {
  const names = [...world.person.cookies.keys(), 'unknown'];
  for (const text of PLAIN_TEXTS) {
    for (const name of names) {
      const headers = { cookie: `${name}=${text.build(HEADER_BYTES)}` };
      await world.ask(`cookie ${name}: ${text.name}`, { path: '/portal', headers });
    }
    const headers = { cookie: text.build(HEADER_BYTES) };
    await world.ask(`cookies: ${text.name}`, { path: '/portal/sign-in', headers });
  }
  const many = Array.from({ length: 5000 }, (_, at) => `c${at}=1`)
    .join('; ')
    .slice(0, HEADER_BYTES);
  await world.ask('many cookies', { path: '/portal/sign-in', headers: { cookie: many } });
}

async function askManyHeaders(world: World): Promise<void> {
  const headers = Object.fromEntries(Array.from({ length: 1900 }, (_, at) => [`x-${at}`, '1']));
  for (const path of ['/portal/sign-in', '/v1/health', '/openapi.json'])
    await world.ask(`headers, ${path}`, { path, headers });
}

export const ADDRESS_CASES: readonly ServerCase[] = [
  {
    name: 'accept-language',
    title: 'Accept-Language with 40,000 of the worst characters, without a key',
    play: (world) => askWithHeader(world, 'accept-language', ['/portal/sign-in', '/portal', '/v1/health']),
  },
  {
    name: 'headers',
    title: 'every header with 40,000 of the worst characters',
    play: async (world) => {
      for (const name of HEADERS)
        await askWithHeader(world, name, ['/portal/sign-in', `/v1/XA/trademarks/${world.uid}`]);
    },
  },
  { name: 'many-headers', title: '1,900 headers', play: askManyHeaders },
  {
    name: 'cookies',
    title: 'every cookie with 40,000 of the worst characters, and many cookies',
    play: askWithCookies,
  },
  {
    name: 'parameters',
    title: 'every parameter of every endpoint with the worst texts, in addresses of 16 KB',
    play: async (world) => {
      for (const endpoint of READ) await askEveryParameter(world, endpoint);
    },
  },
  { name: 'paths', title: 'every part of every path with the worst texts', play: askEverySegment },
  { name: 'odd-bytes', title: 'broken percent-encodings and separators, 16 KB of each', play: askOddBytes },
  { name: 'pages', title: 'every page of the portal with the worst texts in its address', play: askEveryPage },
  { name: 'search-pages', title: 'search bar and explorer with every parameter and every text', play: askSearchPages },
];
