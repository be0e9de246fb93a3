/**
 * Reads the beginning of a file without deciding what it is: its first bytes, and what they state if they are XML. It
 * knows no format. Peeking never spoils the stream: `peekEntry` gives the bytes back.
 */
import { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import type { SourceEntry } from '../sources/files.ts';
import type { XmlRoot } from '../xml/xml.ts';

/** Enough for the document type declaration of a daily file of the USPTO (16 KB) and the first record after it. */
const HEAD_BYTES = 64 * 1024;

export interface Head {
  /** The name of the entry, as in messages. */
  readonly name: string;
  /** At most `HEAD_BYTES`. */
  readonly bytes: Buffer;
  /** The bytes as text, without byte order mark and blanks before it. */
  readonly text: string;
  /** Null unless the text begins an XML document with a root element. */
  readonly xml: XmlHead | null;
}

export interface XmlHead {
  /** Its local name, and its raw attributes. */
  readonly root: XmlRoot;
  /** The document type declaration up to its internal subset. */
  readonly doctype: string | null;
  /** Elements found, each as `parent/child`, by local names. */
  readonly elements: ReadonlySet<string>;
  /** The first text of each element that has one, by local name. */
  readonly texts: ReadonlyMap<string, string>;
  /** The first value of each attribute, as `element@attribute`, by local names. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Reads the beginning of an entry. The entry it resolves to yields every byte again, and replaces the one given. */
export async function peekEntry(entry: SourceEntry): Promise<{ head: Head; entry: SourceEntry }> {
  const iterator = entry.stream[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
  const read: Buffer[] = [];
  let length = 0;
  let failure: { error: unknown } | null = null;
  while (length < HEAD_BYTES) {
    try {
      const next = await iterator.next();
      if (next.done) break;
      read.push(Buffer.from(next.value));
      length += next.value.length;
    } catch (error) {
      failure = { error };
      break;
    }
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield* read;
    if (failure !== null) throw failure.error;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield Buffer.from(next.value);
  }
  const stream = Readable.from(whole(), { objectMode: false, highWaterMark: 256 * 1024 });
  return { head: parseHead(entry.name, Buffer.concat(read)), entry: { ...entry, stream } };
}

export function parseHead(name: string, bytes: Buffer): Head {
  const first = bytes.subarray(0, HEAD_BYTES);
  const text = first
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  return { name, bytes: first, text, xml: text.startsWith('<') ? parseXmlHead(text) : null };
}

function parseXmlHead(text: string): XmlHead | null {
  const open: string[] = [];
  const elements = new Set<string>();
  const texts = new Map<string, string>();
  const attributes = new Map<string, string>();
  let root: XmlRoot | null = null;
  let doctype: string | null = null;
  let isBroken = false;
  const parser = new SaxesParser({ xmlns: false, position: false });
  // The part before the fault still shows what the file is.
  parser.on('error', () => {
    isBroken = true;
  });
  parser.on('doctype', (declaration) => {
    doctype ??= declaration.replace(/\[[\s\S]*$/, '').trim();
  });
  parser.on('opentag', (tag) => {
    if (isBroken) return;
    const name = localName(tag.name);
    const stated = tag.attributes as Record<string, string>;
    root ??= { name, attributes: stated };
    elements.add(`${open.at(-1) ?? ''}/${name}`);
    for (const [attribute, value] of Object.entries(stated)) {
      const key = `${name}@${localName(attribute)}`;
      if (!attribute.startsWith('xmlns') && !attributes.has(key)) attributes.set(key, value);
    }
    open.push(name);
  });
  parser.on('text', (stated) => {
    const name = open.at(-1);
    const trimmed = stated.trim();
    if (!isBroken && name !== undefined && trimmed !== '' && !texts.has(name)) texts.set(name, trimmed.slice(0, 200));
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text);
  return root === null ? null : { root, doctype, elements, texts, attributes };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
