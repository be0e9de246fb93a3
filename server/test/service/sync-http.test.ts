/** Files of HTTP servers that cut, lie, repeat and reorder arrive whole, in order, once, or not at all. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { UNLIMITED } from '../support/loads.ts';
import { breakOff, etagOf, type HttpOffice, openHttpOffice, serveFile } from '../support/office-http.ts';
import {
  buildStandingClock,
  type Checked,
  type CheckOptions,
  checkSources,
  declareSources,
  listStates,
  statement,
} from '../support/sources-declared.ts';

const FIRST = 'day-2026-11-01.ndjson';
const SECOND = 'day-2026-11-02.ndjson';

interface World {
  office: HttpOffice;
  db: CheckOptions['db'];
  dataDir: string;
  clock: ReturnType<typeof buildStandingClock>;
  check(toml?: string, options?: Partial<CheckOptions>): Promise<Checked>;
}

async function openWorld(t: TestContext): Promise<World> {
  const office = await openHttpOffice(t);
  const { db } = await createTestDatabase(t, { ...UNLIMITED, poolMax: 10 });
  const dataDir = makeFolder(t);
  const clock = buildStandingClock('2026-11-20T12:00:00Z');
  const check = async (more = '', options: Partial<CheckOptions> = {}): Promise<Checked> =>
    await checkSources(declareSources(render(office, more)), { db, dataDir, clock, ...options });
  return { office, db, dataDir, clock, check };
}

/** The catalogue is a page of links, unless `more` says otherwise. */
/** Cuts what a server has begun to send as soon as some of it is here. */
function cutting(): { begun: ServerResponse[]; onStep: (step: string) => Promise<void> } {
  const begun: ServerResponse[] = [];
  const onStep = async (step: string): Promise<void> => {
    if (step === 'partly') for (const response of begun.splice(0)) response.destroy();
  };
  return { begun, onStep };
}

function render(office: HttpOffice, more: string): string {
  const where = /catalogue|url =/.test(more) ? '' : `url = "${office.url}/files/"\ncatalogue = "page"\n`;
  return `[source.office]\nkind = "http"\n${where}format = "ndjson"\nfiles = "day-{YYYY}-{MM}-{DD}.ndjson"\n${more}`;
}

function stored(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'sources', 'office')).sort();
}

test('a page, a list and JSON are read alike, and what is loaded is not fetched again', async (t) => {
  for (const catalogue of [
    (url: string) => `url = "${url}/files/"\ncatalogue = "page"`,
    (url: string) => `url = "${url}/list.txt"\ncatalogue = "list"`,
    (url: string) =>
      `url = "${url}/list.json"\ncatalogue = "json"\njson = { files = "results.files", url = "link", size = "about.size", digest = "about.sha256" }`,
  ]) {
    const { office, db, check, dataDir } = await openWorld(t);
    office.files.set(SECOND, statement('XA1', 'second'));
    office.files.set(FIRST, statement('XA1', 'first'));
    office.files.set('readme.html', Buffer.from('<html>'));
    const toml = catalogue(office.url);
    const { said, results } = await check(toml);
    assert.deepEqual(said, [`office: loaded ${FIRST}`, `office: loaded ${SECOND}`], 'in the order of periods');
    assert.deepEqual([results[0]!.failure, results[0]!.stopped], [null, false]);
    assert.deepEqual(await listStates(db, 'office'), [`${FIRST} loaded`, `${SECOND} loaded`]);
    assert.deepEqual(stored(dataDir), [FIRST, SECOND]);
    office.asked.length = 0;
    assert.deepEqual((await check(toml)).said, []);
    assert.equal(office.asked.length, 1, 'only the catalogue is read');
  }
});

test('a file that is cut again and again is taken up where it broke off', async (t) => {
  const { office, check, dataDir } = await openWorld(t);
  const content = Buffer.concat(Array.from({ length: 200 }, (_, at) => statement(`XA${at}`, `mark ${at}`)));
  office.files.set(FIRST, content);
  const step = 2_000;
  const { begun, onStep } = cutting();
  office.answer = (request, response) => {
    if (request.url !== `/files/${FIRST}`) return false;
    if (content.length - Number(/\d+/.exec(request.headers.range ?? '0')) > step) begun.push(response);
    breakOff(step, content, request, response);
    return true;
  };
  const { said } = await check('', { onStep });
  assert.deepEqual(said, [`office: loaded ${FIRST}`]);
  assert.deepEqual(readFileSync(join(dataDir, 'sources', 'office', FIRST)), content);
  const ranges = office.asked.filter((line) => line.includes('bytes='));
  assert.ok(ranges.length >= Math.ceil(content.length / step) - 1, `${ranges.length} resumptions`);
  assert.equal(new Set(ranges).size, ranges.length, 'none from the same byte twice');
});

test('a server that resumes at another byte, or not at all, still yields the whole file', async (t) => {
  for (const lie of ['elsewhere', 'whole', 'beyond'] as const) {
    const { office, check, dataDir } = await openWorld(t);
    const content = Buffer.concat([statement('XA1', 'one'), statement('XA2', 'two')]);
    office.files.set(FIRST, content);
    let asked = 0;
    const { begun, onStep } = cutting();
    office.answer = (request, response) => {
      if (request.url !== `/files/${FIRST}`) return false;
      asked += 1;
      if (asked === 1) begun.push(response);
      if (asked === 1) breakOff(30, content, request, response);
      else if (request.headers.range === undefined || lie === 'whole') {
        response.writeHead(200, { etag: etagOf(content), 'content-length': content.length }).end(content);
      } else if (lie === 'beyond') response.writeHead(416).end();
      else {
        const range = `bytes 10-${content.length - 1}/${content.length}`;
        response.writeHead(206, { etag: etagOf(content), 'content-range': range }).end(content.subarray(10));
      }
      return true;
    };
    assert.deepEqual((await check('', { onStep })).said, [`office: loaded ${FIRST}`], lie);
    assert.deepEqual(readFileSync(join(dataDir, 'sources', 'office', FIRST)), content, lie);
  }
});

test('content that changed while a file was cut is fetched from its beginning', async (t) => {
  const { office, check, dataDir } = await openWorld(t);
  const [old, now] = [statement('XA1', 'old name'), statement('XA1', 'new name')];
  office.files.set(FIRST, old);
  let asked = 0;
  const { begun, onStep } = cutting();
  office.answer = (request, response) => {
    if (request.url !== `/files/${FIRST}`) return false;
    asked += 1;
    if (asked === 1) begun.push(response);
    if (asked === 1) breakOff(30, old, request, response);
    else serveFile(now, request, response);
    return true;
  };
  await check('', { onStep });
  assert.deepEqual(readFileSync(join(dataDir, 'sources', 'office', FIRST)), now);
});

test('a partly fetched file is resumed at the next check, and abandoned when the file changes', async (t) => {
  for (const changes of [false, true]) {
    const { office, check, dataDir, db } = await openWorld(t);
    const content = statement('XA1', 'one');
    office.files.set(FIRST, content);
    const { begun, onStep } = cutting();
    let isAway = false;
    office.answer = (request, response) => {
      if (request.url !== `/files/${FIRST}`) return false;
      if (isAway) response.writeHead(503).end();
      else {
        isAway = true;
        begun.push(response);
        breakOff(30, content, request, response);
      }
      return true;
    };
    assert.match((await check('', { onStep })).results[0]!.failure ?? '', /cannot be fetched: .* answers 503/);
    assert.deepEqual(stored(dataDir), [`${FIRST}.part`, `${FIRST}.part.json`]);
    if (changes) office.files.set(FIRST, statement('XA1', 'changed'));
    office.answer = () => false;
    office.asked.length = 0;
    const said = changes ? [`office: revised ${FIRST}`, `office: loaded ${FIRST}`] : [`office: loaded ${FIRST}`];
    assert.deepEqual((await check()).said, said);
    assert.deepEqual(stored(dataDir), [changes ? 'revision-2' : FIRST]);
    assert.equal(office.asked.at(-1), changes ? `GET /files/${FIRST}` : `GET /files/${FIRST} bytes=30-`);
    assert.deepEqual(await listStates(db, 'office'), [`${FIRST} loaded${changes ? ' revision 2' : ''}`]);
  }
});

test('a length or a checksum that differs from the stated one fails the file, and nothing of it is loaded', async (t) => {
  const json = (url: string): string =>
    `url = "${url}/list.json"\ncatalogue = "json"\njson = { files = "", url = "u", size = "n", digest = "d" }`;
  const good = statement('XA1', 'one');
  const sha256 = createHash('sha256').update(good).digest('hex');
  const wrong: [why: RegExp, entry: object][] = [
    [/the list says 7 bytes, the server 76/, { n: 7, d: sha256 }],
    [/its checksum is not 00000000/, { n: good.length, d: '0'.repeat(64) }],
    [/its checksum is not 11111111/, { n: good.length, d: '1'.repeat(32) }],
  ];
  for (const [why, entry] of wrong) {
    const { office, check, db, dataDir } = await openWorld(t);
    office.files.set(FIRST, good);
    office.answer = (request, response) => {
      if (request.url !== '/list.json') return false;
      response.end(JSON.stringify([{ u: `files/${FIRST}`, ...entry }]));
      return true;
    };
    const { results, said } = await check(json(office.url));
    assert.match(results[0]!.failure ?? '', why);
    assert.deepEqual([said, results[0]!.stopped], [['office: failed'], false]);
    assert.deepEqual(await listStates(db, 'office'), [`${FIRST} seen`], 'the next check tries again');
    assert.equal(stored(dataDir).includes(FIRST), false);
    const fetched = office.asked.filter((line) => line.includes(FIRST)).length;
    assert.ok(fetched <= 2, `fetched ${fetched} times`);
  }
});

test('checksums next to the files are compared, and a file waits for its own', async (t) => {
  const { office, check, db } = await openWorld(t);
  const content = statement('XA1', 'one');
  office.files.set(FIRST, content);
  const sums = 'checksums = "{name}.md5"';
  const missing = await check(sums);
  assert.match(missing.results[0]!.failure ?? '', /there is no day-2026-11-01.ndjson.md5 with its checksum yet/);
  office.files.set(`${FIRST}.md5`, Buffer.from(`${'0'.repeat(32)}  ${FIRST}\n`));
  assert.match((await check(sums)).results[0]!.failure ?? '', /its checksum is not 0000/);
  const md5 = createHash('md5').update(content).digest('hex');
  office.files.set(`${FIRST}.md5`, Buffer.from(`${md5}  ${FIRST}\n`));
  assert.deepEqual((await check(sums)).said, [`office: loaded ${FIRST}`]);
  assert.deepEqual(await listStates(db, 'office'), [`${FIRST} loaded`]);
});

test('a busy server is asked again when it says, or at the next check if that is long', async (t) => {
  const { office, check, clock } = await openWorld(t);
  office.files.set(FIRST, statement('XA1', 'one'));
  const refusals = [
    { at: '/files/', status: 503, after: '7' },
    { at: `/files/${FIRST}`, status: 429, after: new Date(clock.nowMs() + 9_000).toUTCString() },
    { at: `/files/${FIRST}`, status: 500, after: null },
  ];
  office.answer = (request, response) => {
    const [refusal] = refusals;
    if (refusal === undefined || request.url !== refusal.at) return false;
    refusals.shift();
    response.writeHead(refusal.status, refusal.after === null ? {} : { 'retry-after': refusal.after }).end();
    return true;
  };
  assert.deepEqual((await check()).said, [`office: loaded ${FIRST}`]);
  assert.deepEqual(clock.waits.slice(0, 2), [7_000, 9_000]);
  office.answer = (_request, response) => {
    response.writeHead(503, { 'retry-after': '86400' }).end();
    return true;
  };
  clock.waits.length = 0;
  const { results } = await check();
  assert.match(results[0]!.failure ?? '', /answers 503 and wants to be asked again in 1440 minutes/);
  assert.deepEqual(clock.waits, [], 'nobody waits a day');
});

test('redirects in circles and to other hosts end, and no secret leaves the host it is for', async (t) => {
  const { office, check } = await openWorld(t);
  const foreign = await openHttpOffice(t);
  foreign.files.set(FIRST, statement('XA1', 'one'));
  office.files.set(FIRST, statement('XA1', 'one'));
  const secretFile = join(makeFolder(t), 'key');
  writeFileSync(secretFile, 'kEy-0f-the-office\n');
  const key = `key = "file:${secretFile}"`;
  office.answer = (request, response) => {
    if (request.url === '/files/') return false;
    response.writeHead(302, { location: request.url }).end();
    return true;
  };
  assert.match((await check(key)).results[0]!.failure ?? '', /redirects more than 5 times/);
  office.answer = (request, response) => {
    if (request.url === '/files/') return false;
    response.writeHead(302, { location: `${foreign.url}/files/${FIRST}` }).end();
    return true;
  };
  assert.match((await check(key)).results[0]!.failure ?? '', /is on another host than the catalogue; add it to hosts/);
  assert.deepEqual(foreign.asked, []);
  const allowed = await check(`${key}\nhosts = ["${foreign.host}"]`);
  assert.deepEqual(allowed.said, [`office: loaded ${FIRST}`]);
  assert.equal(foreign.headers[0]!['x-api-key'], undefined);
  assert.equal(office.headers.at(-1)!['x-api-key'], 'kEy-0f-the-office');
  assert.ok(!JSON.stringify(allowed.notes).includes('kEy-0f'));
});

test('a catalogue that has moved is read where it is, with the credentials that are declared', async (t) => {
  const { office, check } = await openWorld(t);
  office.files.set(FIRST, statement('XA1', 'one'));
  office.answer = (request, response) => {
    if (request.url !== '/old/list') return false;
    response.writeHead(301, { location: '/files/' }).end();
    return true;
  };
  const secretFile = join(makeFolder(t), 'secret');
  writeFileSync(secretFile, 's3cret');
  const where = `url = "${office.url}/old/list"\ncatalogue = "page"`;
  const basic = await check(`${where}\nuser = "me"\npassword = "file:${secretFile}"`);
  assert.deepEqual(basic.said, [`office: loaded ${FIRST}`]);
  assert.equal(office.headers.at(-1)!.authorization, `Basic ${Buffer.from('me:s3cret').toString('base64')}`);
  await check(`${where}\ntoken = "file:${secretFile}"`);
  assert.equal(office.headers.at(-1)!.authorization, 'Bearer s3cret');
  await check(`${where}\nkey = "file:${secretFile}"\nkey_header = "X-Office-Key"`);
  assert.equal(office.headers.at(-1)!['x-office-key'], 's3cret');
});

test('a list in any order, with repeats, lies and names that lead elsewhere yields each file once', async (t) => {
  const { office, check, db } = await openWorld(t);
  for (const name of [SECOND, FIRST]) office.files.set(name, statement('XA1', name));
  const hrefs = [SECOND, FIRST, SECOND, `x/../${FIRST}`, '..%2f..%2fday-2026-11-03.ndjson', 'day-2026-02-30.ndjson'];
  office.answer = (request, response) => {
    if (request.url !== '/files/') return false;
    response.end(hrefs.map((href, at) => `<A class=f HREF='${href}'>${href}</A> ${at > 3 ? at : 'same'}\n`).join(''));
    return true;
  };
  const { said } = await check();
  assert.deepEqual(said, [`office: loaded ${FIRST}`, `office: loaded ${SECOND}`]);
  assert.deepEqual(await listStates(db, 'office'), [`${FIRST} loaded`, `${SECOND} loaded`]);
});

test('a server that falls silent in the middle of a file is abandoned, and the file is resumed', async (t) => {
  const { office, check, clock } = await openWorld(t);
  const content = Buffer.concat([statement('XA1', 'one'), statement('XA2', 'two')]);
  office.files.set(FIRST, content);
  const alarms = new Set<() => void>();
  let silent = true;
  office.answer = (request, response) => {
    if (request.url !== `/files/${FIRST}` || !silent) return false;
    silent = false;
    response.writeHead(200, { etag: etagOf(content), 'content-length': content.length });
    response.write(content.subarray(0, 40));
    return true;
  };
  const callAfter = (_ms: number, act: () => void): (() => void) => {
    alarms.add(act);
    return () => void alarms.delete(act);
  };
  let begun = 0;
  const { said } = await check('', {
    clock: { ...clock, callAfter },
    onStep: async (step) => {
      if (step !== 'partly') return;
      begun += 1;
      // The minute of silence has passed.
      if (begun === 1) setImmediate(() => [...alarms].at(-1)?.());
    },
  });
  assert.deepEqual(said, [`office: loaded ${FIRST}`]);
  assert.ok(office.asked.includes(`GET /files/${FIRST} bytes=40-`), office.asked.join('\n'));
});

test('a file beyond its bounds of size and time is refused', async (t) => {
  const { office, check } = await openWorld(t);
  office.files.set(FIRST, Buffer.alloc(2_000, 'x'));
  assert.match(
    (await check('size_max = "1 KB"')).results[0]!.failure ?? '',
    /has 2000 bytes or more, and size_max is 1000/,
  );
  office.answer = (request, response) => {
    if (request.url !== `/files/${FIRST}`) return false;
    response.writeHead(200).end(Buffer.alloc(2_000, 'x'));
    return true;
  };
  assert.match(
    (await check('size_max = "1 KB"')).results[0]!.failure ?? '',
    /and size_max is 1000/,
    'no length stated',
  );
  const { clock } = await openWorld(t);
  let elapsedMs = 0;
  const slow = { ...clock, monotonicMs: () => (elapsedMs += 70_000) };
  assert.match(
    (await check('time_max = "1m"', { clock: slow })).results[0]!.failure ?? '',
    /not fetched within time_max/,
  );
});

test('a wrong key and a missing catalogue say so, and other sources go on', async (t) => {
  const { office, db, dataDir, clock } = await openWorld(t);
  office.files.set(FIRST, statement('XA1', 'one'));
  office.answer = (request, response) => {
    if (request.url !== '/locked/') return false;
    response.writeHead(403).end();
    return true;
  };
  const sources = declareSources(
    ['locked', 'absent', 'files']
      .map((path) =>
        render(office, `url = "${office.url}/${path}/"\ncatalogue = "page"`).replace('office]', `${path}]`),
      )
      .join('\n'),
  );
  const { results } = await checkSources(sources, { db, dataDir, clock });
  assert.match(results[0]!.failure ?? '', /\/locked\/ answers 403: check the key or the password/);
  assert.match(results[1]!.failure ?? '', /there is no catalogue at/);
  assert.deepEqual(
    results[2]!.loaded.map(({ file }) => file),
    [FIRST],
  );
});

test('what another machine fetched and did not load is fetched here, and does not count as bad once it is listed nowhere', async (t) => {
  const { office, db, check } = await openWorld(t);
  office.files.set(FIRST, statement('XA1', 'first'));
  office.files.set(SECOND, statement('XA1', 'second'));
  const dies = async (step: string): Promise<void> => {
    if (step === 'fetched') throw new Error('killed');
  };
  await assert.rejects(check('', { dataDir: makeFolder(t), onStep: dies }), /killed/);
  assert.deepEqual(await listStates(db, 'office'), [`${FIRST} fetched`, `${SECOND} seen`]);
  const whole = new Map(office.files);
  office.files.delete(FIRST);
  const without = await check();
  assert.match(without.results[0]!.failure ?? '', /day-2026-11-01.ndjson is not here: another machine has fetched it/);
  assert.equal(without.results[0]!.stopped, false);
  for (const [name, content] of whole) office.files.set(name, content);
  assert.deepEqual((await check()).said, [`office: loaded ${FIRST}`, `office: loaded ${SECOND}`]);
});
