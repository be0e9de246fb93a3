/** A closed loop of callers over plain sockets, with as little work as possible, so that it measures the server. */
import { connect } from 'node:net';

export interface Rate {
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Each connection sends its next request after the answer to the last one. Throws unless every answer is 200. */
export async function measureRate(
  port: number,
  headers: string,
  targets: readonly string[],
  options: { connections: number; seconds: number },
): Promise<Rate> {
  const requests = targets.map((target) => Buffer.from(`GET ${target} HTTP/1.1\r\nhost: bench\r\n${headers}\r\n`));
  const millis: number[] = [];
  const started = performance.now();
  const endMs = started + options.seconds * 1000;
  await Promise.all(
    Array.from({ length: options.connections }, (_, number) => runCaller(port, requests, number, endMs, millis)),
  );
  const seconds = (performance.now() - started) / 1000;
  millis.sort((one, other) => one - other);
  const at = (share: number): number => millis[Math.min(millis.length - 1, Math.floor(millis.length * share))] ?? 0;
  return { callsPerSecond: millis.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function runCaller(
  port: number,
  requests: readonly Buffer[],
  number: number,
  endMs: number,
  millis: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let next = number * 7919;
    let sentMs = 0;
    let missing = -1;
    let head = '';
    const send = (): void => {
      sentMs = performance.now();
      missing = -1;
      head = '';
      socket.write(requests[next % requests.length]!);
      next += 1;
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      let bodyBytes = chunk.length;
      if (missing < 0) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        if (!head.startsWith('HTTP/1.1 200')) return void socket.destroy(new Error(head.slice(0, 600)));
        missing = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        bodyBytes = head.length - end - 4;
      }
      missing -= bodyBytes;
      if (missing > 0) return;
      const now = performance.now();
      millis.push(now - sentMs);
      if (now < endMs) send();
      else {
        socket.destroy();
        resolve();
      }
    });
  });
}
