/** One connection over a plain socket, with as little work as possible, so that it measures the server. */
import { once } from 'node:events';
import { connect } from 'node:net';

const CALL_MS_MAX = 60_000;
const HEAD_END = '\r\n\r\n';
const CHUNKS_END = '0\r\n\r\n';

export interface Connection {
  /** Resolves to its milliseconds. Throws unless the answer is 200 and complete within a minute. One call at a time. */
  call(request: Buffer): Promise<number>;
  close(): void;
}

/** `headers`: lines with their ends. */
export function buildRequest(target: string, headers: string): Buffer {
  return Buffer.from(`GET ${target} HTTP/1.1\r\nhost: bench\r\n${headers}\r\n`);
}

/** Takes the parts of a body in turn, and says whether it is complete. */
function watchBody(head: string): (part: Buffer) => boolean {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    let missing = Number(length);
    return (part) => {
      missing -= part.length;
      return missing <= 0;
    };
  }
  // In chunks. JSON has no such line ends, so only the last chunk looks like this.
  let tail = '';
  return (part) => {
    tail = (tail + part.subarray(-CHUNKS_END.length).toString('latin1')).slice(-CHUNKS_END.length);
    return tail === CHUNKS_END;
  };
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let waiting: { resolve: (millis: number) => void; reject: (error: Error) => void } | null = null;
  let sentMs = 0;
  let head = '';
  let isComplete: ((part: Buffer) => boolean) | null = null;
  const fail = (error: Error): void => {
    if (waiting === null) return;
    socket.destroy();
    waiting.reject(error);
    waiting = null;
  };
  const timer = setTimeout(() => fail(new Error(`no answer within ${CALL_MS_MAX / 1000} s`)), CALL_MS_MAX);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection before its answer')));
  socket.on('data', (chunk: Buffer) => {
    let part = chunk;
    if (isComplete === null) {
      head += chunk.toString('latin1');
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      if (!head.startsWith('HTTP/1.1 200')) return fail(new Error(head.slice(0, 600)));
      part = chunk.subarray(chunk.length - (head.length - end - HEAD_END.length));
      isComplete = watchBody(head.slice(0, end));
    }
    if (!isComplete(part)) return;
    waiting?.resolve(performance.now() - sentMs);
    waiting = null;
  });
  return {
    call: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the connection is closed'));
        waiting = { resolve, reject };
        head = '';
        isComplete = null;
        timer.refresh();
        sentMs = performance.now();
        socket.write(request);
      }),
    close: () => {
      clearTimeout(timer);
      waiting = null;
      socket.destroy();
    },
  };
}
