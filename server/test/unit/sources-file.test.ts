/** Declarations of sources: every problem is named with its line, and no secret is in the file or in a message. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSources } from '../../src/sync/declared/sources-file.ts';

const GOOD = `[source.us]
kind = "folder"
folder = "/in"
format = "uspto-apc"
files = "apc{YY}{MM}{DD}.zip"
`;

function problemsOf(toml: string): string[] {
  return parseSources(toml).problems.map(({ line, text }) => `${line}: ${text}`);
}

test('the example of the project holds, for every kind of place', () => {
  const { sources, problems } = parseSources(
    readFileSync(new URL('../../../ops/sources.example.toml', import.meta.url), 'utf8'),
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(new Set(sources.map(({ place }) => place.kind)), new Set(['folder', 'http', 'sftp']));
  const real: Record<string, [file: string, period: string]> = {
    'uspto-daily': ['apc180218.zip', '2018-02-18'],
    'uspto-annual': ['apc18840407-20251231-07.zip', '2025-12-31/000007'],
    'inpi-br': ['RM2240.xml', '000002240'],
    jpo: ['JPW_20250702.zip', '2025-07-02'],
  };
  for (const [name, [file, period]] of Object.entries(real)) {
    assert.equal(sources.find((each) => each.name === name)!.files.read(file)?.label, period);
  }
});

test('what is left out has its default, which follows from the format', () => {
  const { sources } = parseSources(GOOD + GOOD.replace('us]', 'xa]').replace('uspto-apc', 'ndjson'));
  const [us, xa] = sources as [(typeof sources)[0], (typeof sources)[0]];
  assert.deepEqual([us.gaps, us.late, us.stops], ['pass', 'load', 'US'], 'versions say how old each case is');
  assert.deepEqual([xa.gaps, xa.late, xa.stops], ['wait', 'report', 'source xa']);
  assert.deepEqual(
    [us.keep, us.checksums, us.rhythm, us.since, us.everyMs],
    [{ keep: 'all' }, null, null, null, 3_600_000],
  );
});

test('every problem is named with its line, all at once', () => {
  const toml = `title = "x"
[source.us]
kind = "folder"
folder = "relative"
format = "uspto"
files = "apc{YY}{MM}.zip"   # a month
rhythm = "hourly"
except = [
  2026-11-02, # a day
]
graze = "2d"
keep = """
some"""
since = "2026-13"

[source."Bad Name"]
kind = "ftp"

[source.web]
kind = "http"
url = "ftp://office.example"
catalogue = "json"
format = "ndjson"
files = "x.zip"
user = "me"
key = "s3cret-in-clear"
`;
  assert.deepEqual(
    problemsOf(toml),
    [
      '1: title is not known; declare [source.NAME]',
      '4: source.us: folder must be an absolute path',
      '5: source.us: format must be one of ndjson, uspto-apc, uspto-tsdr, uspto-assignments, uspto-ttab, euipo, st66, st96, kipris, tipo, jpo, inpi-br, ip-australia',
      '7: source.us: rhythm must be one of monthly for files of a month, not "hourly"',
      '16: source.Bad Name must be named with small letters, digits and "-"',
      '17: source.Bad Name: kind must be folder or http or sftp, not "ftp"',
      '16: source.Bad Name has no format',
      '16: source.Bad Name has no files',
      '21: source.web: url must be an address https://… or http://…',
      '19: source.web has no json',
      '19: source.web needs user and password together',
      '24: source.web: files must state a period: {YYYY}{MM}{DD}, {YYYY}{WW}, {YYYY}{MM}, {YYYY} or {N}',
      '26: source.web: key must say where the secret is, env:NAME or file:/path, never the secret itself',
    ].sort((one, other) => Number(one.split(':')[0]) - Number(other.split(':')[0])),
  );
  assert.ok(!problemsOf(toml).join('\n').includes('s3cret'));
});

test('a file that is no TOML is reported with the line where it breaks', () => {
  assert.match(problemsOf(`${GOOD}rhythm = daily\n`)[0]!, /^6: no valid TOML: /);
});

test('keys that contradict each other or have no effect are refused', () => {
  const wrong: [more: string, problem: RegExp][] = [
    ['wholy = true', /^6: source.us: wholy is not known; known: accept_absent, /],
    ['url = "https://office.example"', /^6: source.us: url is of no use here/],
    ['rhythm = "daily"', /^1: source.us has a rhythm, so it needs since/],
    ['rhythm = "weekly"\nsince = 2026-11-01', /^6: source.us: rhythm must be one of daily, weekdays, weekly on …/],
    ['rhythm = "weekly on day"\nsince = 2026-11-01', /^6: source.us: rhythm must name a day: sun, mon/],
    ['since = 2861', /^6: source.us: since must be a day such as 2026-11-20, not "2861"/],
    ['gaps = "wait"', /gaps is of no use without a rhythm/],
    ['whole = true', /late must be report: an older whole register would undo a newer one/],
    ['accept_absent = true', /accept_absent is of use with whole only/],
    ['keep = "none"', /keep would delete files from the folder; allow it by settle/],
    ['keep = "10"', /keep must be all, none, "last 10 files" or "30 days"/],
    ['every = "10s"', /every must be from 1m to 31d/],
    ['grace = "soon"', /grace must be a duration such as 90s/],
    ['size_max = 5', /size_max must be a size such as/],
    ['checksums = "../sums"', /checksums must be the name of another file/],
    ['register = "us"', /register must be a register code such as US/],
    ['accept_rejects = "yes"', /accept_rejects must be true or false/],
  ];
  for (const [more, problem] of wrong) assert.match(problemsOf(`${GOOD}${more}\n`).join('\n'), problem, more);
});

test('a secret is sent over an encrypted connection, or to this machine, only', () => {
  const web = (url: string): string =>
    `[source.web]\nkind = "http"\nurl = "${url}"\ncatalogue = "page"\nformat = "ndjson"\nfiles = "{N}.ndjson"\nkey = "env:KEY"\n`;
  assert.match(problemsOf(web('http://office.example/'))[0]!, /^3: source.web: url must be https: a secret would be/);
  assert.match(problemsOf(web('https://me:pw@office.example/'))[0]!, /must not hold a user or password/);
  assert.deepEqual(problemsOf(web('http://127.0.0.1:8080/')), []);
});

test('an SFTP server has to be declared with its key', () => {
  const toml = `[source.s]\nkind = "sftp"\nurl = "sftp://office.example/out"\nuser = "me"\nformat = "ndjson"\nfiles = "{N}.ndjson"\n`;
  assert.deepEqual(problemsOf(toml), [
    '1: source.s has no host_key',
    '1: source.s needs either password or private_key',
  ]);
  assert.match(
    problemsOf(`${toml}host_key = "MD5:00"\npassword = "env:P"\n`)[0]!,
    /^7: .*must be the fingerprint SHA256:/,
  );
});
