/**
 * A request as programs to copy: curl, JavaScript, TypeScript with the client library, Python. Each has its own
 * quoting, prints the answer, and says what it needs to run where it is pasted. The secret never appears: every program
 * reads it from its environment.
 */

import { type ApiRequest, type DescribedEndpoint, headersOf, pairsOf, targetOf } from './endpoints.ts';

interface Program {
  /** Part of the id of its element. */
  readonly name: string;
  readonly label: string;
  readonly text: string;
  /** How to run it; null for what needs nothing. */
  readonly needs: string | null;
}

/** The client as those who run the service hand it out; a test compares it with the package. */
export const CLIENT_FILE = 'tmds-client-0.1.0.tgz';

const NEEDS = {
  curl: 'In a shell, with the secret of your key in TMDS_API_KEY.',
  fetch: 'Save it as call.mjs and run: node call.mjs (Node.js 20 or newer; nothing to install).',
  client: `Save it as call.mts or call.mjs and run: npx tsx call.mts, or node call.mjs. The package @tmds/client is in no public registry: ask the people who run this service for ${CLIENT_FILE}, then run: npm install ./${CLIENT_FILE}`,
  python: 'Save it as call.py, and run: pip install requests, then: python call.py',
} as const;

/** `recordsUrl`: everything before `/v1` in the address of an endpoint of the records. */
export function listPrograms(request: ApiRequest, recordsUrl: string): readonly Program[] {
  // The path of an endpoint of another product begins with the prefix of that product.
  const baseUrl = request.endpoint.product === 'records' ? recordsUrl : recordsUrl.replace(/\/[^/]+$/, '');
  return [
    { name: 'url', label: 'URL', text: `${baseUrl}${targetOf(request)}`, needs: null },
    { name: 'curl', label: 'curl', text: writeCurl(request, baseUrl), needs: NEEDS.curl },
    { name: 'fetch', label: 'JavaScript', text: writeFetch(request, baseUrl), needs: NEEDS.fetch },
    ...(isOfClient(request)
      ? [
          {
            name: 'client',
            label: 'TypeScript with the client library',
            text: writeTypeScript(request, recordsUrl),
            needs: NEEDS.client,
          },
        ]
      : []),
    { name: 'python', label: 'Python', text: writePython(request, baseUrl), needs: NEEDS.python },
  ];
}

function writeCurl(request: ApiRequest, baseUrl: string): string {
  const key = request.endpoint.metered ? ' -H "X-API-Key: $TMDS_API_KEY"' : '';
  const headers = Object.entries(headersOf(request)).map(([name, value]) => ` -H ${quoteShell(`${name}: ${value}`)}`);
  const { method, body } = request.endpoint;
  const sent = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${quoteShell(writeBody(request))}`;
  return `curl${method === 'GET' ? '' : ` -X ${method}`}${key}${headers.join('')}${sent} ${quoteShell(baseUrl + targetOf(request))}`;
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The method of the client for each endpoint: one without does not compile. */
const METHODS = {
  health: () => 'client.health()',
  usage: () => 'client.usage()',
  jurisdictions: () => 'client.jurisdictions()',
  search: (request) => `client.search(${writeObject(request)})`,
  scoped_search: (request) => `client.search(${writeObject(request)})`,
  lookup: (request) => {
    const expand = request.values.has('expand') ? `, { expand: ${literalOf(request, 'expand')} }` : '';
    return `client.get(${literalOf(request, 'jurisdiction_code')}, ${literalOf(request, 'uid')}${expand})`;
  },
  changes: (request) => `client.changes(${writeObject(request)})`,
  scoped_changes: (request) => `client.changes(${writeObject(request)})`,
  coverage: (request) => `client.coverage(${literalOf(request, 'jurisdiction_code')})`,
  digests: (request) => `client.digests(${literalOf(request, 'as_of')})`,
  register_digests: (request) =>
    `client.registerDigests(${literalOf(request, 'jurisdiction_code')}, ${literalOf(request, 'as_of')})`,
  bucket_digests: (request) => {
    const names = ['jurisdiction_code', 'bucket', 'as_of', ...(request.values.has('cursor') ? ['cursor'] : [])];
    return `client.bucketDigests(${names.map((name) => literalOf(request, name)).join(', ')})`;
  },
  history: (request) => `client.history(${writeObject(request)})`,
  register_history: (request) => `client.history(${writeObject(request)})`,
  record_history: (request) => {
    const identity = `${literalOf(request, 'jurisdiction_code')}, ${literalOf(request, 'uid')}`;
    const query = pairsOf(request).map(([name]) => `${name}: ${literalOf(request, name)}`);
    return `client.recordHistory(${identity}${query.length === 0 ? '' : `, { ${query.join(', ')} }`})`;
  },
  record_version: (request) => {
    const names = ['jurisdiction_code', 'uid', 'version'].map((name) => literalOf(request, name));
    const expand = request.values.has('expand') ? [`{ expand: ${literalOf(request, 'expand')} }`] : [];
    return `client.recordVersion(${[...names, ...expand].join(', ')})`;
  },
  register_numbers: (request) => `client.findNumbers(${writeObject(request)})`,
  numbers: (request) => `client.many.findNumbers(${writeObject(request)})`,
  identities: (request) => `client.many.findIdentities(${literalOf(request, 'identities')})`,
  export: (request) => `client.many.export(${writeObject(request)})`,
  snapshots: () => 'client.snapshots()',
  deltas: (request) => `client.deltas(${pairsOf(request).length === 0 ? '' : writeObject(request)})`,
  snapshot_file: (request) =>
    `client.snapshotFile(${literalOf(request, 'snapshot_id')}, ${literalOf(request, 'file')})`,
  watches: (request) => `client.watches(${pairsOf(request).length === 0 ? '' : writeObject(request)})`,
  watch: (request) => `client.watch(${literalOf(request, 'watch')})`,
  put_watch: (request) => `client.putWatch(${literalOf(request, 'watch')}, ${writeBody(request)})`,
  end_watch: (request) => `client.deleteWatch(${literalOf(request, 'watch')})`,
  watch_diagnosis: (request) => `client.diagnose(${literalOf(request, 'watch')}, ${writeObject(request)})`,
  webhooks: (request) => `client.webhooks.list(${pairsOf(request).length === 0 ? '' : writeObject(request)})`,
  webhook: (request) => `client.webhooks.get(${literalOf(request, 'webhook')})`,
  put_webhook: (request) => `client.webhooks.put(${literalOf(request, 'webhook')}, ${writeBody(request)})`,
  delete_webhook: (request) => `client.webhooks.delete(${literalOf(request, 'webhook')})`,
  webhook_deliveries: (request) => {
    const query = pairsOf(request).length === 0 ? '' : `, ${writeObject(request)}`;
    return `client.webhooks.deliveries(${literalOf(request, 'webhook')}${query})`;
  },
  renew_webhook_secret: (request) =>
    `client.webhooks.renewSecret(${literalOf(request, 'webhook')}, ${writeBody(request)})`,
  test_webhook: (request) => `client.webhooks.test(${literalOf(request, 'webhook')})`,
  due_dates: (request) => `client.analytics.dueDates(${writeObject(request)})`,
  record_dates: (request) =>
    `client.analytics.dates(${literalOf(request, 'jurisdiction_code')}, ${literalOf(request, 'uid')})`,
  date_rules: () => 'client.analytics.rules()',
  similar: (request) => `client.analytics.similar(${writeObject(request)})`,
  watch_hits: (request) => `client.hits(${literalOf(request, 'watch')}, ${writeObject(request)})`,
} as const satisfies Record<DescribedEndpoint['name'], (request: ApiRequest) => string>;

/** The example of the body, which the console does not fill in. */
function writeBody({ endpoint }: ApiRequest): string {
  return JSON.stringify(endpoint.body?.example);
}

/** The client sends the members that its types know, and keeps no answers that a condition could be about. */
function isOfClient(request: ApiRequest): boolean {
  // An export of the client is records, in no other form.
  const hasForm = request.endpoint.name === 'export' && request.values.has('format');
  return request.more === '' && !hasForm && Object.keys(headersOf(request)).length === 0;
}

function writeTypeScript(request: ApiRequest, baseUrl: string): string {
  const call = METHODS[request.endpoint.name](request);
  return [
    "import { TrademarkClient } from '@tmds/client';",
    '',
    `const client = new TrademarkClient({ baseUrl: ${quote(baseUrl)} }); // key: TMDS_API_KEY`,
    ...(request.endpoint.name === 'snapshot_file'
      ? [`for await (const part of ${call}) console.log(part.length, 'bytes');`]
      : request.endpoint.name === 'export'
        ? [`for await (const record of ${call}) console.log(JSON.stringify(record));`]
        : [`const answer = await ${call};`, 'console.log(JSON.stringify(answer, null, 2));']),
  ].join('\n');
}

function writeFetch(request: ApiRequest, baseUrl: string): string {
  const { metered, body } = request.endpoint;
  const key = metered ? ["  'x-api-key': env.TMDS_API_KEY ?? '',"] : [];
  const kind = body === undefined ? [] : ["  'content-type': 'application/json',"];
  const further = Object.entries(headersOf(request)).map(([name, value]) => `  ${quote(name)}: ${quote(value)},`);
  const lines = [...key, ...kind, ...further];
  const sent = body === undefined ? '' : `, body: JSON.stringify(${writeBody(request)})`;
  const options = lines.length === 0 ? '' : `, { ${writeMethod(request)}headers${sent} }`;
  return [
    ...(metered ? ["import { env } from 'node:process';", ''] : []),
    ...(lines.length === 0 ? [] : ['const headers = {', ...lines, '};']),
    `const answer = await fetch(${quote(baseUrl + targetOf(request))}${options});`,
    'console.log(answer.status, await answer.text());',
  ].join('\n');
}

function writeMethod({ endpoint }: ApiRequest): string {
  return endpoint.method === 'GET' ? '' : `method: ${quote(endpoint.method)}, `;
}

/** The object that the client takes: the register of the path together with the query. */
function writeObject(request: ApiRequest): string {
  const names = [...(request.values.has('jurisdiction_code') ? ['jurisdiction_code'] : []), ...namesOf(request)];
  if (names.length === 0) return '{}';
  return `{\n${names.map((name) => `  ${name}: ${literalOf(request, name)},\n`).join('')}}`;
}

const namesOf = (request: ApiRequest): string[] => pairsOf(request).map(([name]) => name);

/** A literal of TypeScript for a value, of the type that the client declares. */
function literalOf({ endpoint, values }: ApiRequest, name: string): string {
  const value = values.get(name) ?? '';
  const parameter = endpoint.parameters.find((each) => each.name === name);
  switch (parameter?.declared?.value.form) {
    case 'enums':
    case 'codes':
    case 'vienna_codes':
    case 'numbers':
    case 'register_texts':
      return `[${value
        .split(',')
        .map((element) => quote(element.trim()))
        .join(', ')}]`;
    case 'nice_classes':
      return `[${value.split(',').map(numberOrText).join(', ')}]`;
    case 'integer':
      return numberOrText(value);
    default:
      return parameter?.schema.type === 'integer' ? numberOrText(value) : quote(value);
  }
}

function numberOrText(text: string): string {
  return /^\d{1,9}$/.test(text.trim()) ? String(Number(text)) : quote(text);
}

/** A JavaScript string in single quotes. */
function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function writePython(request: ApiRequest, baseUrl: string): string {
  const [path = ''] = targetOf(request).split('?');
  const pairs = request.more === '' ? pairsOf(request) : [];
  // If a pair is no value of a parameter, the whole query is sent unchanged.
  const url = request.more === '' ? `${baseUrl}${path}` : `${baseUrl}${targetOf(request)}`;
  const key = request.endpoint.metered ? ['"X-API-Key": os.environ["TMDS_API_KEY"]'] : [];
  const further = Object.entries(headersOf(request)).map(
    ([name, value]) => `${quotePython(name)}: ${quotePython(value)}`,
  );
  const headers = [...key, ...further].map((line) => `        ${line},`);
  return [
    ...(request.endpoint.metered ? ['import os', ''] : []),
    'import requests',
    '',
    `answer = requests.${request.endpoint.method.toLowerCase()}(`,
    `    ${quotePython(url)},`,
    ...(pairs.length === 0
      ? []
      : [
          '    params={',
          ...pairs.map(([name, value]) => `        ${quotePython(name)}: ${quotePython(value)},`),
          '    },',
        ]),
    ...(request.endpoint.body === undefined ? [] : [`    json=${writeBody(request)},`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    '    timeout=30,',
    ')',
    'print(answer.status_code, answer.text)',
  ].join('\n');
}

/** Every JSON string is a string of Python. */
function quotePython(text: string): string {
  return JSON.stringify(text);
}
