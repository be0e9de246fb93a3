/** An office's HTTP server in tests: it serves its files, and misbehaves as a test asks it to. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpOffice {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly host: string;
  readonly files: Map<string, Buffer>;
  /** Every request as `GET /files/a.ndjson bytes=10-`. */
  readonly asked: string[];
  /** The headers of every request, by the same position. */
  readonly headers: IncomingMessage['headers'][];
  /** Answers before the files do; false leaves the request to them. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export function etagOf(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`;
}

/** `/files/` is a page of links, `/list.json` the same as JSON, `/list.txt` as a list. */
export async function openHttpOffice(t: { after(work: () => Promise<void>): void }): Promise<HttpOffice> {
  const office = {
    ...{ url: '', host: '', files: new Map<string, Buffer>(), asked: [] as string[] },
    headers: [] as IncomingMessage['headers'][],
    answer: (_request: IncomingMessage, _response: ServerResponse): boolean => false,
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    office.asked.push([request.method, path, request.headers.range].filter((each) => each !== undefined).join(' '));
    office.headers.push(request.headers);
    if (!office.answer(request, response)) serve(office.files, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return Object.assign(office, { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` });
}

function serve(files: ReadonlyMap<string, Buffer>, request: IncomingMessage, response: ServerResponse): void {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://office').pathname);
  const names = [...files.keys()];
  if (path === '/files/') {
    const rows = names.map(
      (name) => `<a href="${encodeURIComponent(name)}">${name}</a>   ${etagOf(files.get(name)!)}\n`,
    );
    response.end(`<html><body><a href="../">up</a><pre>\n${rows.join('')}</pre></body></html>`);
    return;
  }
  if (path === '/list.txt') {
    response.end(names.map((name) => `files/${name}\n`).join(''));
    return;
  }
  if (path === '/list.json') {
    const entries = names.map((name) => ({
      link: `/files/${name}`,
      about: { size: files.get(name)!.length, sha256: createHash('sha256').update(files.get(name)!).digest('hex') },
    }));
    response.end(JSON.stringify({ results: { files: entries } }));
    return;
  }
  const content = files.get(path.replace('/files/', ''));
  if (content === undefined) response.writeHead(404).end('no such file');
  else serveFile(content, request, response);
}

export function serveFile(content: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const etag = etagOf(content);
  const [, first] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
  const resumes = first !== undefined && request.headers['if-range'] === etag;
  if (!resumes) {
    response.writeHead(200, { etag, 'content-length': content.length }).end(content);
    return;
  }
  const from = Number(first);
  if (from >= content.length) {
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
    return;
  }
  const range = `bytes ${from}-${content.length - 1}/${content.length}`;
  response.writeHead(206, { etag, 'content-range': range, 'content-length': content.length - from });
  response.end(content.subarray(from));
}

/** Sends the beginning of a file as if all of it would follow. The test cuts the connection once that has arrived. */
export function breakOff(bytes: number, content: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const [, first = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
  const from = request.headers['if-range'] === etagOf(content) ? Number(first) : 0;
  const rest = content.subarray(from);
  const range = from === 0 ? {} : { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
  response.writeHead(from === 0 ? 200 : 206, { etag: etagOf(content), 'content-length': rest.length, ...range });
  response.write(rest.subarray(0, bytes));
}
