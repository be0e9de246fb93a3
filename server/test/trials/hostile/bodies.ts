/** Bodies of four megabytes, with a key that may send them and with one that may not. */
import { BODY_BYTES_MAX } from '@tmds/contract/watches';
import type { ServerCase, World } from './hostile-case.ts';
import { WORST_TEXTS } from './texts.ts';

const TEXT_LENGTH = 60_000;

const search = (text: string): string => JSON.stringify({ name: 'x', search: text });
const fillUp = (head: string, piece: string, tail: string): string =>
  head + piece.repeat(Math.floor((BODY_BYTES_MAX - head.length - tail.length) / Buffer.byteLength(piece))) + tail;

/** Code points of the first letters of countries that do not exist. */
function inventCountries(count: number): string {
  const codes: string[] = [];
  for (let made = 0; made < count; made += 1) {
    codes.push(String.fromCharCode(65 + (made % 26)) + String.fromCharCode(65 + (Math.floor(made / 26) % 26)));
  }
  return codes.join(',');
}

export const BODIES: Readonly<Record<string, () => string>> = {
  'vienna codes': () => search(`vienna_code=${'1.1.1,'.repeat(699_000)}1.1.1`),
  'invented countries': () => search(`owner_country=${inventCountries(690_000)}`),
  'a search without names': () => search('&'.repeat(4_000_000)),
  'a search with many names': () => fillUp('{"name":"x","search":"', 'a=1&', '"}'),
  'deep lists': () => '['.repeat(BODY_BYTES_MAX),
  'deep objects': () => fillUp('', '{"a":', '1'),
  'deep in a member': () => fillUp('{"name":', '[', ''),
  'many members': () => `{${Array.from({ length: 300_000 }, (_, at) => `"a${at}":1`).join(',')}}`,
  'the same member': () => fillUp('{', '"name":"x",', '"search":"a"}'),
  'a long number': () => fillUp('{"name":', '1', '}'),
  'a long name': () => fillUp('{"name":"', 'é', '","search":"status=Pending"}'),
  escapes: () => fillUp('{"name":"x","search":"mark_name=', '\\u0301\\u0323', '"}'),
  blanks: () => fillUp('', ' ', '!'),
  'a broken end': () => fillUp('{"name":"x","search":"', 'a', ''),
  records: () =>
    JSON.stringify({
      name: 'x',
      records: Array.from({ length: 90_000 }, () => ({ jurisdiction_code: 'XA', uid: 'a' })),
    }),
  'a long uid': () => fillUp('{"name":"x","records":[{"jurisdiction_code":"XA","uid":"', '\u0301\u0323', '"}]}'),
  'a long owner': () => fillUp('{"name":"x","owners":["', '\u0301\u0323', '"]}'),
  owners: () => JSON.stringify({ name: 'x', owners: Array.from({ length: 2_000 }, () => '\u0301\u0323'.repeat(480)) }),
};

const HEADERS = { 'content-type': 'application/json' };

async function putAll(world: World, key: string): Promise<void> {
  const put = (label: string, text: string): Promise<number> =>
    world.ask(label, {
      method: 'PUT',
      path: '/v1/watches/hostile',
      headers: { ...HEADERS, 'x-api-key': key },
      body: Buffer.from(text),
    });
  for (const text of WORST_TEXTS) {
    for (const name of ['mark_name', 'owner_name']) {
      await put(
        `${name}: ${text.name}`,
        search(`${name}=${encodeURIComponent(text.build(TEXT_LENGTH).toWellFormed())}`),
      );
    }
    await put(`unencoded: ${text.name}`, search(`mark_name=${text.build(TEXT_LENGTH)}`));
    await put(`owner: ${text.name}`, JSON.stringify({ name: 'x', owners: [text.build(TEXT_LENGTH)] }));
  }
  for (const [label, build] of Object.entries(BODIES)) await put(label, build());
  await world.ask('the list afterwards', { path: '/v1/watches', headers: { 'x-api-key': world.key } });
}

export const BODY_CASES: readonly ServerCase[] = [
  {
    name: 'bodies',
    title: 'bodies of a watch with a key that may send them',
    play: (world) => putAll(world, world.key),
  },
  {
    name: 'spent-bodies',
    title: 'the same with a key whose rate and quota are used up',
    play: (world) => putAll(world, world.spentKey),
  },
];
