/** A closed loop of callers over plain sockets. */
import { buildRequest, openConnection } from '../connection.ts';

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
  const requests = targets.map((target) => buildRequest(target, headers));
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

async function runCaller(
  port: number,
  requests: readonly Buffer[],
  number: number,
  endMs: number,
  millis: number[],
): Promise<void> {
  const connection = await openConnection(port);
  try {
    let next = number * 7919;
    do {
      millis.push(await connection.call(requests[next % requests.length]!));
      next += 1;
    } while (performance.now() < endMs);
  } finally {
    connection.close();
  }
}
