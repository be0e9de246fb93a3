/** Reads the keys that say where the files of a source are, one set for each kind of place. */
import { isAbsolute } from 'node:path';
import {
  type DeclaredPlace,
  type FolderPlace,
  type HttpPlace,
  type JsonMapping,
  parseSecret,
  type Secret,
  type SftpPlace,
} from './source.ts';
import { choice, duration, list, type TableReader, text } from './table-reader.ts';

export const PLACE_KEYS: readonly string[] = [
  ...['folder', 'settle', 'url', 'catalogue', 'json', 'hosts', 'user', 'password', 'token', 'key', 'key_header'],
  ...['private_key', 'passphrase', 'host_key'],
];

/** Null if the kind is absent or wrong, or a key that it needs. */
export function readPlace(table: TableReader): DeclaredPlace | null {
  const kind = table.required('kind', choice('folder', 'http', 'sftp'));
  if (kind === 'folder') return readFolder(table);
  if (kind === 'http') return readHttp(table);
  return kind === 'sftp' ? readSftp(table) : null;
}

function readFolder(table: TableReader): FolderPlace | null {
  const folder = table.required('folder', (value) => {
    if (!isAbsolute(text(value))) throw new Error('must be an absolute path');
    return text(value);
  });
  const settleMs = table.optional('settle', duration(0, 86_400_000), 60_000);
  return folder === null ? null : { kind: 'folder', folder, settleMs };
}

function readHttp(table: TableReader): HttpPlace | null {
  const url = table.required('url', (value) => readUrl(value, ['https:', 'http:']).href);
  const catalogue = table.required('catalogue', choice('page', 'list', 'json'));
  const json = catalogue === 'json' ? table.required('json', readMapping) : null;
  const place: Omit<HttpPlace, 'url' | 'catalogue'> = {
    kind: 'http',
    json,
    hosts: table.optional('hosts', list(readHost), []),
    user: table.optional('user', text, null),
    password: table.optional('password', readReference, null),
    token: table.optional('token', readReference, null),
    key: table.optional('key', readReference, null),
    keyHeader: table.optional('key_header', readHeaderName, 'x-api-key'),
  };
  if ((place.user === null) !== (place.password === null)) table.refuse(null, 'needs user and password together');
  if (place.password !== null && place.token !== null) table.refuse('token', 'cannot be combined with a password');
  const hasSecret = place.password !== null || place.token !== null || place.key !== null;
  if (url !== null && hasSecret && isOpen(url)) {
    table.refuse('url', 'must be https: a secret would be readable on its way');
  }
  return url === null || catalogue === null ? null : { ...place, url, catalogue };
}

/** Whether others could read the traffic to this place. */
function isOpen(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function readSftp(table: TableReader): SftpPlace | null {
  const url = table.required('url', (value) => readUrl(value, ['sftp:']));
  const user = table.required('user', text);
  const hostKey = table.required('host_key', (value) => {
    if (!/^SHA256:[A-Za-z0-9+/]{43}=?$/.test(text(value))) {
      throw new Error('must be the fingerprint SHA256:… that ssh-keygen -l shows');
    }
    return text(value).replace(/=$/, '');
  });
  const password = table.optional('password', readReference, null);
  const privateKey = table.optional('private_key', readReference, null);
  const passphrase = table.optional('passphrase', readReference, null);
  if ((password === null) === (privateKey === null)) table.refuse(null, 'needs either password or private_key');
  if (url === null || user === null || hostKey === null) return null;
  return {
    kind: 'sftp',
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 22 : Number(url.port),
    folder: decodeURIComponent(url.pathname) || '/',
    user,
    password,
    privateKey,
    passphrase,
    hostKey,
  };
}

function readUrl(value: unknown, protocols: readonly string[]): URL {
  const wanted = protocols.map((each) => `${each}//…`).join(' or ');
  if (!URL.canParse(text(value))) throw new Error(`must be an address ${wanted}`);
  const url = new URL(text(value));
  if (!protocols.includes(url.protocol)) throw new Error(`must be an address ${wanted}`);
  if (url.username !== '' || url.password !== '')
    throw new Error('must not hold a user or password: they have their own keys');
  return url;
}

function readHost(value: unknown): string {
  if (!/^[a-z0-9.-]+(:\d{1,5})?$/.test(text(value))) throw new Error('must be host names such as files.office.example');
  return text(value);
}

function readHeaderName(value: unknown): string {
  const name = text(value).toLowerCase();
  if (!/^[a-z0-9-]{1,64}$/.test(name)) throw new Error('must be the name of a header');
  return name;
}

function readReference(value: unknown): Secret {
  const secret = parseSecret(text(value));
  // The value may be a secret, so it is not repeated.
  if (secret === null) throw new Error('must say where the secret is, env:NAME or file:/path, never the secret itself');
  return secret;
}

const MAPPING_KEYS = ['files', 'url', 'name', 'size', 'date', 'digest'];

function readMapping(value: unknown): JsonMapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a table');
  const stated = value as Record<string, unknown>;
  const unknown = Object.keys(stated).find((key) => !MAPPING_KEYS.includes(key));
  if (unknown !== undefined) throw new Error(`has the unknown key ${unknown}; known: ${MAPPING_KEYS.join(', ')}`);
  const get = (key: string): string | null => {
    if (stated[key] === undefined) return null;
    if (typeof stated[key] !== 'string') throw new Error(`: ${key} must be a path such as results.files`);
    return stated[key];
  };
  const [files, url] = [get('files'), get('url')];
  if (files === null || url === null) throw new Error('needs files, the list, and url, of each file in it');
  return { files, url, name: get('name'), bytes: get('size'), date: get('date'), digest: get('digest') };
}
