/** Reads the entries of an HTTP catalogue: a page of links, a list of addresses, or JSON. It fetches nothing. */
import { decodeHTML } from 'entities';
import { OperatorError } from '../../base/errors.ts';
import type { HttpPlace, JsonMapping } from '../declared/source.ts';
import { isSafeName, type ListedFile, type Listing, listOnce } from './place.ts';

/** @param base where the catalogue is, to which its addresses may be relative */
export function readCatalogue(place: HttpPlace, content: string, base: string): Listing {
  if (place.catalogue === 'json' && place.json !== null) return listOnce(readJson(place.json, content, base));
  return listOnce(place.catalogue === 'page' ? readPage(content, base) : readLines(content, base));
}

/** Links, with the text up to the next link, in which servers write time and size. */
function readPage(content: string, base: string): ListedFile[] {
  const links = content.split(/<a\s/i).slice(1);
  return links.flatMap((link) => {
    const [, double, single, bare] = /^[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(link) ?? [];
    const target = double ?? single ?? bare;
    if (target === undefined) return [];
    const after = link.slice(link.indexOf('>') + 1).replace(/^.*?<\/a>/is, '');
    const [line = ''] = after.replace(/<\/t[dh]>/gi, ' ').split(/\r?\n|<\/tr>|<br/i);
    const told = decodeHTML(line.replace(/<[^<>]*>/g, ' '))
      .replace(/\s+/g, ' ')
      .trim();
    return listAddress(decodeHTML(target), base, { told });
  });
}

/** One address a line; a checksum may precede it. */
function readLines(content: string, base: string): ListedFile[] {
  return content.split('\n').flatMap((line) => {
    const stated = line.trim();
    if (stated === '' || stated.startsWith('#')) return [];
    const [, checksum, address] = /^(?:([0-9a-f]{32,128})\s+\*?)?(\S+)$/i.exec(stated) ?? [];
    return address === undefined ? [] : listAddress(address, base, { checksum: checksum?.toLowerCase() ?? null });
  });
}

function readJson(mapping: JsonMapping, content: string, base: string): ListedFile[] {
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch (cause) {
    throw new OperatorError('the catalogue is not valid JSON', { cause });
  }
  const entries = find(document, mapping.files);
  if (!Array.isArray(entries)) throw new OperatorError(`the catalogue has no list at ${mapping.files || 'its top'}`);
  return entries.flatMap((entry: unknown) => {
    const address = textAt(entry, mapping.url);
    if (address === null) throw new OperatorError(`the catalogue has an entry without ${mapping.url}`);
    const stated = mapping.bytes === null ? null : Number(textAt(entry, mapping.bytes) ?? Number.NaN);
    const bytes = stated !== null && Number.isSafeInteger(stated) && stated >= 0 ? stated : null;
    const checksum = mapping.digest === null ? null : readChecksum(textAt(entry, mapping.digest));
    const told = mapping.date === null ? '' : (textAt(entry, mapping.date) ?? '');
    const name = mapping.name === null ? null : textAt(entry, mapping.name);
    return listAddress(address, base, { told, bytes, checksum, name });
  });
}

/** `sha256:…` and a bare checksum; null for anything else. */
function readChecksum(stated: string | null): string | null {
  const [, hex] = /^(?:[a-z0-9-]+:)?([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i.exec(stated ?? '') ?? [];
  return hex?.toLowerCase() ?? null;
}

/** The value at a path of names joined by dots; an empty path is the value itself. */
function find(value: unknown, path: string): unknown {
  if (path === '') return value;
  return path.split('.').reduce<unknown>((inner, name) => {
    const isOwn = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name);
    return isOwn ? (inner as Record<string, unknown>)[name] : undefined;
  }, value);
}

function textAt(entry: unknown, path: string): string | null {
  const found = find(entry, path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : null;
}

interface Told {
  told?: string;
  bytes?: number | null;
  checksum?: string | null;
  name?: string | null;
}

/** Empty for an address that does not name a file or is not HTTP. */
function listAddress(
  address: string,
  base: string,
  { told = '', bytes = null, checksum = null, name = null }: Told,
): ListedFile[] {
  if (!URL.canParse(address, base)) return [];
  const url = new URL(address, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return [];
  url.hash = '';
  const called = name ?? decodeName(url.pathname.split('/').at(-1) ?? '');
  if (!isSafeName(called)) return [];
  const fingerprint = [told, bytes, checksum].filter((each) => each !== null && each !== '').join(' ');
  return [{ name: called, bytes, fingerprint, checksum, address: url.href }];
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
