/** Requests as bytes, over separate connections, and the status that each is answered with. */
import { connect, type Socket } from 'node:net';

export interface RawRequest {
  /** Default GET. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** What is sent, but for the body. Headers as UTF-8, whether or not they may hold that. */
export function writeHead({ method = 'GET', path, headers = {}, body }: RawRequest, isLast = true): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    ...(isLast ? { connection: 'close' } : {}),
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
}

/** An answer that has not come by then is none. */
const SILENCE_MS_MAX = 60_000;

export function open(port: number): Socket {
  return connect({ port, host: '127.0.0.1' }).on('error', () => undefined);
}

/** The status of the answer; 0 = closed without one. Resolves when the answer has come to its end. */
export function send(port: number, request: RawRequest): Promise<number> {
  return new Promise((resolve) => {
    const socket = open(port);
    let start = '';
    socket.setTimeout(SILENCE_MS_MAX, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      if (start.length < 64) start += chunk.subarray(0, 64).toString('latin1');
    });
    socket.once('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(start)?.[1] ?? 0)));
    socket.write(writeHead(request));
    if (request.body !== undefined) socket.write(request.body);
  });
}
