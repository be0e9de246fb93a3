/** Callers that search at the same time without a break, kind after kind, and the answers a second that they get. */
import { Agent, get as httpGet } from 'node:http';
import { buildDraws, type Pool } from './pool.ts';
import { QUERY_KINDS } from './queries.ts';

export const CALLERS = 16;

/** Answers a second; a timeout counts as an answer. */
export async function measureCallers(
  { port, headers }: { readonly port: number; readonly headers: Readonly<Record<string, string>> },
  pool: Pool,
  seconds: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const until = performance.now() + seconds * 1000;
  let answers = 0;
  const search = async (caller: number): Promise<void> => {
    const draws = buildDraws(`caller ${caller}`);
    for (let turn = caller * 3; performance.now() < until; turn += 1) {
      const kind = QUERY_KINDS[turn % QUERY_KINDS.length]!;
      const query = new URLSearchParams(kind.draw(pool, draws)).toString();
      const status = await getStatus(`http://127.0.0.1:${port}/v1/trademarks?${query}`, headers, agent);
      if (status !== 200 && status !== 422) throw new Error(`${kind.name}: ${status}`);
      if (performance.now() < until) answers += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => search(caller)));
  agent.destroy();
  return answers / seconds;
}

function getStatus(url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpGet(url, { agent, headers }, (response) => {
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    request.on('error', reject);
  });
}
