/** Crawls the whole feed with several crawlers that only count bytes; prints one line of JSON. */
import { Agent, request } from 'node:http';

const { port, key, crawlers, limit, expand } = JSON.parse(process.argv[2] ?? '{}') as {
  port: number;
  key: string;
  crawlers: number;
  limit: number;
  expand: boolean;
};
const agent = new Agent({ keepAlive: true });

/** Looks only at the cursor, which is at the end of a page. */
function fetchPage(cursor: string | null): Promise<{ bytes: number; cursor: string | null }> {
  const query = `since=1970-01-01&limit=${limit}${expand ? '&expand=payload' : ''}${cursor ? `&cursor=${cursor}` : ''}`;
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, agent, path: `/v1/changes?${query}`, headers: { 'x-api-key': key } },
      (response) => {
        let bytes = 0;
        let tail = '';
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          tail = (tail + chunk.subarray(-400).toString('latin1')).slice(-400);
        });
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}: ${tail}`));
          else resolve({ bytes, cursor: /"next_cursor":"([^"]+)"\}$/.exec(tail)?.[1] ?? null });
        });
      },
    );
    call.on('error', reject);
    call.end();
  });
}

async function crawl(): Promise<number> {
  let bytes = 0;
  let cursor: string | null = null;
  do {
    const page: { bytes: number; cursor: string | null } = await fetchPage(cursor);
    bytes += page.bytes;
    cursor = page.cursor;
  } while (cursor !== null);
  return bytes;
}

const startedMs = performance.now();
const bytes = await Promise.all(Array.from({ length: crawlers }, crawl));
agent.destroy();
console.log(
  JSON.stringify({ seconds: (performance.now() - startedMs) / 1000, bytes: bytes.reduce((a, b) => a + b, 0) }),
);
