/** `tmds-client listen`: what it takes, refuses, shows and forwards. Messages are signed by the library of the standard. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { signMessage, writeBody } from '../../server/src/webhook/message.ts';
import { type Ran, readLines, runInShell } from './support/shell.ts';

const NOW = Date.UTC(2026, 10, 24);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = writeBody({
  createdAt: '2026-11-24T00:00:00.123456Z',
  watch: 'brands',
  reference: 'M-2041',
  after: '2026-11-23T06:00:00.000001Z',
});

interface Listening {
  readonly url: string;
  readonly ran: Ran;
  readonly stop: () => Promise<Ran>;
}

async function startListening(t: TestContext, ...args: string[]): Promise<Listening> {
  const ending = new AbortController();
  let ran: Ran | undefined;
  const clock = { nowMs: () => NOW, monotonicMs: () => 0, sleep: async () => undefined };
  let ended: Promise<Ran> | undefined;
  const url = await new Promise<string>((resolve, reject) => {
    const onWrite = (written: Ran): void => {
      ran = written;
      const found = /listening at (\S+?),? /.exec(written.err)?.[1]?.replace(/[,;]$/, '');
      if (found !== undefined) resolve(found);
    };
    const environment = { TMDS_WEBHOOK_SECRET: `${OTHER} ${SECRET}` };
    ended = runInShell(['listen', '--port', '0', ...args], environment, { clock, signal: ending.signal, onWrite });
    ended.then(({ err }) => reject(new Error(err)));
  });
  const stop = async (): Promise<Ran> => {
    ending.abort(new Error('stopped'));
    return await ended!;
  };
  t.after(stop);
  return { url, ran: ran!, stop };
}

interface Sent {
  readonly id?: string;
  readonly body?: string;
  readonly secret?: string;
  readonly atMs?: number;
}

async function send(
  url: string,
  { id = '5f0d6ee5-b4c0', body = BODY, secret = SECRET, atMs = NOW }: Sent = {},
): Promise<number> {
  const headers = signMessage({ deliveryId: id, body }, [secret], atMs);
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

test('a message of the service is taken and shown once, whatever secret of two signed it', async (t) => {
  const { url, stop } = await startListening(t);
  assert.deepEqual([await send(url), await send(url), await send(url, { id: 'b', secret: OTHER })], [204, 204, 204]);
  const { status, out, err } = await stop();
  assert.equal(status, 0);
  const [first, second, ...rest] = readLines(out);
  assert.deepEqual([first, rest], [{ id: 'msg_5f0d6ee5b4c0', ...JSON.parse(BODY) }, []]);
  assert.equal(second!.id, 'msg_b');
  assert.match(err, /msg_5f0d6ee5b4c0 again/);
});

test('what is not signed by the secret, is old, too large or not an event is refused and not shown', async (t) => {
  const { url, stop } = await startListening(t);
  const stranger = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const statuses = [
    await send(url, { secret: stranger }),
    await send(url, { atMs: NOW - 301_000 }),
    await send(url, { body: '{"type":1}' }),
    (await fetch(url, { method: 'POST', body: BODY })).status,
    (await fetch(url)).status,
    await send(url, { body: ' '.repeat(65_537) }),
  ];
  assert.deepEqual(statuses, [401, 401, 401, 401, 405, 413]);
  const { out, err } = await stop();
  assert.equal(out, '');
  assert.match(err, /refused with 401: its signature is not by this secret/);
});

test('a message is forwarded unchanged, and repeated by the service until it has been', async (t) => {
  const received: { body: string; signature: unknown }[] = [];
  let status = 500;
  const target = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    received.push({ body, signature: request.headers['webhook-signature'] });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  t.after(() => target.close());
  const address = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hooks`;
  const { url, stop } = await startListening(t, '--forward', address);
  // 410 would switch the webhook off at once.
  const answers = [await send(url)];
  status = 410;
  answers.push(await send(url));
  status = 200;
  answers.push(await send(url), await send(url));
  assert.deepEqual(answers, [502, 502, 204, 204]);
  assert.equal(received.length, 3);
  assert.ok(received.every(({ body, signature }) => body === BODY && String(signature).startsWith('v1,')));
  const { out, err } = await stop();
  assert.equal(readLines(out).length, 1);
  assert.match(err, /could not be forwarded: http:\/\/127\.0\.0\.1:\d+\/hooks answers 500/);
});

test('a secret that is missing or incomplete, a wrong address and a port in use are said in words', async (t) => {
  const { url } = await startListening(t);
  const secret = { TMDS_WEBHOOK_SECRET: SECRET };
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [[], {}, 2, /no secret: set TMDS_WEBHOOK_SECRET/],
    [[], { TMDS_WEBHOOK_SECRET: 'whsec_***' }, 2, /is not whsec_ followed by base64/],
    [['--forward', 'localhost:3000'], secret, 2, /--forward takes an address/],
    [['--port', '70000'], secret, 2, /--port takes a whole number/],
    [['--port', new URL(url).port], secret, 1, /is in use by another program/],
    [['--host', '192.0.2.1', '--port', '0'], secret, 1, /192\.0\.2\.1 is not an address of this machine/],
    [[], { TMDS_WEBHOOK_SECRET_FILE: '/no/secret' }, 5, /\/no\/secret is not there/],
  ];
  for (const [args, environment, expected, message] of cases) {
    const { status, err } = await runInShell(['listen', ...args], environment);
    assert.equal(status, expected, err);
    assert.match(err, message);
    assert.ok(!err.includes(SECRET));
  }
});
