/**
 * The real application on a real database, listening on its own port. Requests use `node:http`, which sends a path as
 * it stands, so that tests can send what no well-behaved client would. Every response is checked against the interface
 * description.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Product } from '@tmds/contract/enums';
import { type IssuedKey, issueKey } from '../../src/access/keys.ts';
import { type AppOptions, buildApp } from '../../src/app.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Log } from '../../src/base/log.ts';
import type { Database } from '../../src/database/driver/db.ts';
import type { SearchIndex } from '../../src/follow/live-index.ts';
import type { CoverageBoard } from '../../src/http/coverage-board.ts';
import type { HttpConfig } from '../../src/http/endpoint.ts';
import type { ConnectionLimits } from '../../src/http/wire.ts';
import { createTestDatabase, testLog } from './database.ts';
import { checkDescribed } from './description.ts';
import { openLocalIndex } from './local-index.ts';
import { patientClock } from './patient-clock.ts';

export interface ServiceOptions {
  /** Default: a separate database, dropped after the test. */
  database?: { db: Database; url: string };
  config?: Partial<HttpConfig>;
  clock?: Clock;
  log?: Log;
  /** Default: false. */
  isDemo?: boolean;
  /** Default: one that is always ready. */
  index?: SearchIndex;
  operations?: AppOptions['operations'];
  /** Default: one that knows nothing. */
  coverage?: CoverageBoard;
  /** Default: the service's. */
  connections?: ConnectionLimits;
}

export interface TestAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The parsed body; null without a body. */
  body: unknown;
}

interface CallOptions {
  key?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface TestService {
  url: string;
  db: Database;
  databaseUrl: string;
  app: ReturnType<typeof buildApp>;
  call(path: string, options?: CallOptions): Promise<TestAnswer>;
  issue(order?: { products?: Product[]; rateLimitPerMinute?: number; quota?: number | null }): Promise<IssuedKey>;
}

export interface TestContext {
  after(work: () => Promise<void>): void;
}

/** Stops before its database is dropped. */
export async function startService(t: TestContext, options: ServiceOptions = {}): Promise<TestService> {
  const { db, url: databaseUrl } = options.database ?? (await createTestDatabase(t));
  const app = buildApp({
    database: db,
    index: options.index ?? openLocalIndex(db),
    clock: options.clock ?? patientClock,
    isDemo: options.isDemo ?? false,
    ...(options.coverage === undefined ? {} : { coverage: options.coverage }),
    config: {
      recordPrefix: 'records',
      analyticsPrefix: 'analytics',
      changeHorizonSeconds: 0,
      corsOrigins: [],
      // Longer than the service's own: on a busy machine every query may be slow.
      queryTimeoutSeconds: 60,
      ...options.config,
    },
    log: options.log ?? testLog,
    ...(options.connections === undefined ? {} : { connections: options.connections }),
    version: '0.0.0-test',
    ...(options.operations === undefined ? {} : { operations: options.operations }),
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true });
  t.after(async () => {
    agent.destroy();
    await app.close();
  });
  const prefix = `/${options.config?.recordPrefix ?? 'records'}`;
  const { port } = app.server.address() as AddressInfo;
  return {
    url,
    db,
    databaseUrl,
    app,
    call: async (path, callOptions = {}) => {
      const answer = await sendCall(port, agent, path, callOptions);
      const target = path.startsWith(`${prefix}/v1/`) ? path.slice(prefix.length) : path;
      checkDescribed({ method: callOptions.method ?? 'GET', target, ...answer });
      return answer;
    },
    issue: (order = {}) =>
      issueKey(db, {
        customer: `customer ${randomUUID()}`,
        name: null,
        products: order.products ?? ['records'],
        rateLimitPerMinute: order.rateLimitPerMinute ?? 1_000_000,
        quota: order.quota ?? null,
        actor: 'test',
      }),
  };
}

/** A service, and a key of a customer of Records without limits. */
export async function startWithKey(
  t: TestContext,
  options: ServiceOptions = {},
): Promise<TestService & { readonly key: string }> {
  const service = await startService(t, options);
  return { ...service, key: (await service.issue()).key };
}

function sendCall(port: number, agent: Agent, path: string, options: CallOptions): Promise<TestAnswer> {
  const headers = { ...(options.key === undefined ? {} : { 'x-api-key': options.key }), ...options.headers };
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, agent, path, method: options.method ?? 'GET', headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
          const plain = response.headers['content-encoding'] === undefined;
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
            text,
            body: isJson && plain && text !== '' ? JSON.parse(text) : null,
          });
        });
      },
    );
    call.on('error', reject);
    call.end(options.body);
  });
}

/** Code and parameter of a refusal, for assertions on many at once. */
export function refusalOf(answer: TestAnswer): { status: number; code: unknown; param: unknown } {
  const { error } = answer.body as { error: { code: unknown; param?: unknown } };
  return { status: answer.status, code: error.code, param: error.param };
}
