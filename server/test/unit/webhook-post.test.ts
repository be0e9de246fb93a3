/** One request to a receiver: where it may go, and that nothing it does there costs more than was set. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { ANSWER_BYTES_MAX, askNameServers, type PostedAnswer, type PostOptions, post } from '../../src/webhook/post.ts';
import { isPublicAddress, parseTarget } from '../../src/webhook/target.ts';
import { answerWith, startReceiver } from '../support/receiver.ts';

const PRIVATE_ADDRESSES = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '2002:a83f:8110::1',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'not an address',
];

test('no private, local, reserved or embedded address counts as public, and common public ones do', () => {
  assert.deepEqual(PRIVATE_ADDRESSES.filter(isPublicAddress), []);
  const open = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'];
  assert.deepEqual(open.filter(isPublicAddress), open);
});

test('an address that is private in any notation is refused when it is entered', () => {
  const typed = [
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::1]:8443/x',
    'https://169.254.169.254/latest/meta-data',
    'https://１２７.0.0.1/',
    'https://168.63.129.16/',
    'https://0xa83f8110/',
  ];
  for (const url of typed) assert.ok('fault' in parseTarget(url, 'refuse'), url);
});

test('only https without user and password is taken, and http too where private addresses are allowed', () => {
  const refused = [
    'http://example.com/',
    'ftp://example.com/',
    'example.com',
    'https://a:b@example.com/',
    'file:///x',
    '',
  ];
  for (const url of refused) assert.ok('fault' in parseTarget(url, 'refuse'), url);
  assert.ok('fault' in parseTarget(`https://example.com/${'x'.repeat(2000)}`, 'refuse'));
  assert.deepEqual(parseTarget(' https://Example.com/a?b=c#d ', 'refuse'), {
    url: 'https://example.com/a?b=c',
    host: 'example.com:443',
  });
  assert.deepEqual(parseTarget('http://127.0.0.1:81/', 'allow'), { url: 'http://127.0.0.1:81/', host: '127.0.0.1:81' });
});

test('a webhook leads to port 443 and to those above 1023, and to no other', async () => {
  for (const port of ['', ':443', ':1024', ':8443', ':65535']) {
    assert.ok('url' in parseTarget(`https://example.com${port}/`, 'refuse'), port);
  }
  for (const port of [1, 22, 25, 53, 80, 444, 587, 993, 1023]) {
    const url = `https://example.com:${port}/`;
    assert.deepEqual(parseTarget(url, 'refuse'), { fault: 'The port must be 443, or above 1023.' });
    // One that was stored before does not either.
    const resolve = (): Promise<string[]> => assert.fail('nothing is looked up');
    const answer = await post({ url, ...MESSAGE }, optionsOf({ privateTargets: 'refuse', resolve }));
    assert.equal(answer.failure, 'The port must be 443, or above 1023.');
  }
});

const MESSAGE = { headers: { 'content-type': 'application/json' }, body: '{"a":1}' };

const optionsOf = (changes: Partial<PostOptions> = {}): PostOptions => ({
  privateTargets: 'allow',
  resolve: async () => ['127.0.0.1'],
  clock: systemClock,
  signal: new AbortController().signal,
  ...changes,
});

/** A clock whose timers end when the test says so. */
function buildHeldClock(): { clock: Clock; endAll: () => void } {
  const timers = new Set<() => void>();
  const callAfter: Clock['callAfter'] = (_ms, act) => {
    timers.add(act);
    return () => timers.delete(act);
  };
  return {
    clock: { ...systemClock, callAfter },
    endAll: () => {
      for (const act of timers) act();
    },
  };
}

const told = ({ status, bytes, failure }: PostedAnswer) => ({ status, bytes, failure });

test('the connection goes to the address that was checked, under the name that was entered', async (t) => {
  const receiver = await startReceiver(t);
  let asked = 0;
  const resolve = async (): Promise<string[]> => {
    asked += 1;
    return ['127.0.0.1'];
  };
  const url = `http://receiver.test:${receiver.port}/hooks?a=b`;
  const answer = await post({ url, ...MESSAGE }, optionsOf({ resolve }));
  assert.deepEqual(told(answer), { status: 204, bytes: 0, failure: null });
  const [request] = receiver.received;
  assert.deepEqual(
    [asked, request!.path, request!.headers.host, request!.body, request!.headers.connection],
    [1, '/hooks?a=b', `receiver.test:${receiver.port}`, MESSAGE.body, 'close'],
  );
});

test('a name that leads to a private address, even among public ones, is not connected to', async (t) => {
  const receiver = await startReceiver(t);
  for (const address of PRIVATE_ADDRESSES) {
    for (const addresses of [[address], ['93.184.216.34', address]]) {
      const options = optionsOf({ privateTargets: 'refuse', resolve: async () => addresses });
      const answer = await post({ url: `http://receiver.test:${receiver.port}/`, ...MESSAGE }, options);
      assert.match(answer.failure ?? '', /public internet/, address);
    }
  }
  const literal = await post({ url: receiver.url, ...MESSAGE }, optionsOf({ privateTargets: 'refuse' }));
  assert.match(literal.failure ?? '', /public internet/);
  assert.deepEqual(receiver.received, []);
});

test('a redirect is answered and not followed', async (t) => {
  const elsewhere = await startReceiver(t);
  const receiver = await startReceiver(t, answerWith(307, { location: elsewhere.url }));
  const answer = await post({ url: receiver.url, ...MESSAGE }, optionsOf());
  assert.equal(answer.status, 307);
  assert.deepEqual([receiver.received.length, elsewhere.received.length], [1, 0]);
});

test('no more of an endless body is read than the limit allows', async (t) => {
  let cut: () => void = () => undefined;
  const wasCut = new Promise<void>((resolve) => {
    cut = resolve;
  });
  const receiver = await startReceiver(t, (response) => {
    response.on('close', cut);
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const answer = await post({ url: receiver.url, ...MESSAGE }, optionsOf());
  assert.deepEqual(told(answer), { status: 200, bytes: ANSWER_BYTES_MAX, failure: null });
  await wasCut;
});

test('a receiver that never answers, or sends its head byte by byte, is left when the time has passed', async (t) => {
  const silent = await startReceiver(t, () => undefined);
  const { clock, endAll } = buildHeldClock();
  const posted = post({ url: silent.url, ...MESSAGE }, optionsOf({ clock }));
  await silent.waitFor(1);
  endAll();
  assert.match((await posted).failure ?? '', /no answer within 10 seconds/);

  const dripping = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 200');
    dripped();
  });
  let dripped: () => void = () => undefined;
  const began = new Promise<void>((resolve) => {
    dripped = resolve;
  });
  await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve));
  t.after(async () => void dripping.close());
  const address = dripping.address();
  const held = buildHeldClock();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address!.port : 0}/`;
  const waiting = post({ url, ...MESSAGE }, optionsOf({ clock: held.clock }));
  await began;
  held.endAll();
  assert.match((await waiting).failure ?? '', /no answer within 10 seconds/);
});

/** On which the runtime notes that a client has the head of an answer. */
const ANSWERED = 'http.client.response.finish';

test('a status counts although its body arrives slowly, and both share one time limit', async (t) => {
  const receiver = await startReceiver(t, (response) => void response.writeHead(200).write('x'));
  const arrived = new Promise<void>((resolve) => {
    const note = (): void => resolve();
    subscribe(ANSWERED, note);
    t.after(() => unsubscribe(ANSWERED, note));
  });
  const { clock, endAll } = buildHeldClock();
  const posted = post({ url: receiver.url, ...MESSAGE }, optionsOf({ clock }));
  // The head came with the first byte of the body, which is handed on in the same turn.
  await arrived;
  await setImmediate();
  endAll();
  assert.deepEqual(told(await posted), { status: 200, bytes: 1, failure: null });
});

test('a name server that does not answer is not waited for either', async () => {
  const { clock, endAll } = buildHeldClock();
  const resolve = () => new Promise<string[]>(() => queueMicrotask(endAll));
  const answer = await post({ url: 'http://receiver.test/', ...MESSAGE }, optionsOf({ clock, resolve }));
  assert.match(answer.failure ?? '', /no answer within/);
});

test('refused, unknown or invalid HTTP is reported in words, without the text of the error', async (t) => {
  const closed = await startReceiver(t);
  const gone = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  t.after(async () => void gone.close());
  const address = gone.address();
  const port = typeof address === 'object' ? address!.port : 0;
  const say = async (url: string, changes: Partial<PostOptions> = {}): Promise<string | null> =>
    (await post({ url, ...MESSAGE }, optionsOf(changes))).failure;
  assert.equal(await say('http://127.0.0.1:1/'), 'The connection was refused.');
  assert.equal(await say('http://none.test/', { resolve: async () => [] }), 'The name none.test has no address.');
  assert.equal(await say(`http://127.0.0.1:${port}/`), 'The answer is not HTTP.');
  assert.match((await say(`https://127.0.0.1:${closed.port}/`)) ?? '', /^The request failed|^The connection/);
});

test('the search for addresses of a name ends with its signal', async () => {
  const ending = new AbortController();
  const found = askNameServers('name.invalid', ending.signal);
  ending.abort();
  assert.deepEqual(await found, []);
});
