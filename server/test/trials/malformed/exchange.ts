/**
 * Sends a volley over a separate connection and reads the statuses of the answers. An answer belongs to the request of
 * the same place, as HTTP/1.1 says; requests after one that broke the connection have none.
 */
import { connect } from 'node:net';

/** Long enough for any answer of a service that is not overloaded; then the client closes its side. */
const QUIET_MS_MAX = 1_000;
/** Once every request has its answer, for one that came unasked. */
const LINGER_MS = 20;
/** When both sides should have closed, and the service has not. */
const SILENCE_MS_MAX = 20_000;
/** A status line, however what came before it ended. */
const STATUS_LINE = /HTTP\/1\.1 (\d{3}) [A-Za-z'\- ]+\r\n/g;
const STATUS_LINE_BYTES_MAX = 64;

/**
 * The final statuses in the order of the answers. `requests` is how many are expected; with `hangsUp` the client closes
 * its side at once. Rejects if the service cannot be reached.
 */
export function exchange(port: number, bytes: Buffer, requests: number, hangsUp: boolean): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const statuses: number[] = [];
    let rest = '';
    let isConnected = false;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.setTimeout(QUIET_MS_MAX, () => {
      if (socket.writableEnded || statuses.length >= requests) socket.destroy();
      else {
        socket.setTimeout(SILENCE_MS_MAX);
        socket.end();
      }
    });
    socket.once('connect', () => {
      isConnected = true;
      if (hangsUp) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.on('data', (chunk) => {
      const text = rest + chunk.toString('latin1');
      let end = 0;
      for (const match of text.matchAll(STATUS_LINE)) {
        if (match[1]![0] !== '1') statuses.push(Number(match[1]));
        end = match.index + match[0].length;
      }
      socket.setTimeout(statuses.length >= requests ? LINGER_MS : QUIET_MS_MAX);
      rest = text.slice(Math.max(end, text.length - STATUS_LINE_BYTES_MAX));
    });
    socket.once('end', () => socket.destroy());
    let failure: Error | null = null;
    socket.once('error', (error) => {
      failure = error;
    });
    socket.once('close', () => {
      if (!isConnected && failure !== null) reject(failure);
      else resolve(statuses);
    });
  });
}
