/**
 * Every supported line of Node.js runs what operators and customers run: start, load, search, replica, verify, a
 * document. The programs of Node.js come from the packages of the registry that carry them.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDataFolder, type Installed, startServing, startTmds } from '../support/process.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The long-term lines after the floor, which the other tests run on, and the newest. */
const VERSIONS = ['22.23.3', '24.21.0', '26.12.1'];
/** What npm says when it has a package neither kept nor within reach, or none for this machine. */
const OUT_OF_REACH = /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E404/;
const RECORDS = 400;

/** The program of a version, from the package that `node` of the registry installs on this machine; null without it. */
async function installNode(folder: string, version: string): Promise<string | null> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const name = `node-${process.platform}-${process.arch}`;
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', `${name}@${version}`];
  try {
    await run('npm', words, { cwd: folder });
  } catch (error) {
    if (OUT_OF_REACH.test(String(error))) return null;
    throw error;
  }
  return join(folder, 'node_modules', name, 'bin', 'node');
}

async function runWhole(t: TestContext, installed: Installed, words: string[], settings: Record<string, string>) {
  const { status, stdout, stderr } = await startTmds(t, words, settings, { installed }).ended;
  assert.equal(status, 0, `${words.join(' ')}: ${stderr}`);
  assert.doesNotMatch(stderr, /\(node:\d+\)/, 'Node.js warns of something');
  return stdout;
}

for (const version of VERSIONS) {
  test(`starts, loads, searches, replicates and verifies on Node.js ${version} [9.4]`, {
    skip: process.platform === 'win32' && 'the packages hold the programs of Unix in another place',
  }, async (t) => {
    const folder = await createDataFolder(t);
    const node = await installNode(join(folder, 'node'), version);
    if (node === null) return t.skip('npm has its packages neither kept nor within reach');
    assert.equal((await run(node, ['--version'])).stdout, `v${version}\n`);

    const settings = { TMDS_DATA_DIR: join(folder, 'data'), TMDS_CHANGE_HORIZON_SECONDS: '0' };
    const installed = { command: [node, join(ROOT, 'server/bin/tmds.js')], folder };
    const sample = join(folder, 'sample.ndjson');
    const sampleWords = ['sample', '--records', String(RECORDS), '--out', sample, '--quiet'];
    await runWhole(t, installed, sampleWords, settings);
    const server = await startServing(t, settings, ['serve'], { installed });
    await runWhole(t, installed, ['load', 'ndjson', sample], settings);
    const issued = await runWhole(t, installed, ['key', 'issue', '--customer', 'Example', '--json'], settings);
    const { key } = JSON.parse(issued) as { key: string };

    const headers = { 'x-api-key': key };
    const target = '/records/v1/trademarks?status=Registered,Pending&count=capped&limit=500';
    const answer = await fetch(`${server.address}${target}`, { headers });
    const page = (await answer.json()) as { items: unknown[]; matched_count: number };
    assert.equal(answer.status, 200);
    assert.ok(page.matched_count > 0 && page.items.length === page.matched_count);
    assert.equal((await fetch(`${server.address}/docs/start`)).status, 200);

    const replica = [join(ROOT, 'client/bin/tmds-replica.js')];
    const place = ['--to', `sqlite:${join(folder, 'replica.db')}`, '--base-url', `${server.address}/records`];
    const env = { ...process.env, TMDS_API_KEY: key };
    await run(node, [...replica, 'sync', ...place, '--once', '--quiet'], { env, cwd: folder });
    const verified = await run(node, [...replica, 'verify', ...place, '--quiet', '--json'], { env, cwd: folder });
    assert.match(verified.stdout, new RegExp(`\\b${RECORDS}\\b`));

    server.kill('SIGTERM');
    const { status, stderr } = await server.ended;
    assert.deepEqual([status, stderr], [0, ''], 'Node.js warned of something');
  });
}
