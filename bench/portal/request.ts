/** One page as a browser asks for it: compressed, with the time to its first byte. */
import { Agent, request } from 'node:http';

export interface Fetched {
  readonly status: number;
  /** From the request to the first byte of the answer. */
  readonly firstByteMs: number;
  /** What the processor did for it in this process, service and caller together; the database is not in it. */
  readonly processorMs: number;
  /** Of the body as it came, compressed. */
  readonly bytes: number;
  /** The beginning of the body if it came uncompressed. */
  readonly text: string;
}

const agent = new Agent({ keepAlive: true });

export function fetchPage(url: string, path: string, cookies: ReadonlyMap<string, string>): Promise<Fetched> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { 'accept-encoding': 'br', ...(cookie === '' ? {} : { cookie }) };
  return new Promise((resolve, reject) => {
    const used = process.cpuUsage();
    const started = performance.now();
    const call = request(`${url}${path}`, { agent, headers }, (response) => {
      const firstByteMs = performance.now() - started;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const { user, system } = process.cpuUsage(used);
        const isPlain = response.headers['content-encoding'] === undefined;
        resolve({
          status: response.statusCode ?? 0,
          firstByteMs,
          processorMs: (user + system) / 1000,
          bytes: body.length,
          text: isPlain ? body.toString('utf8', 0, 2000) : '',
        });
      });
    });
    call.on('error', reject);
    call.end();
  });
}
