/** A caller that searches without a break, one kind of query after the other, and times each answer. */
import { buildDraws, type Pool } from '../search/pool.ts';
import { QUERY_KINDS } from '../search/queries.ts';

/** Kinds of the search benchmark: a look-up, a status by date, a part of a name. */
export const SEARCHED = ['application number', 'status, by application date', 'mark contains, rare'] as const;

export interface Caller {
  /** Ends after the current call; resolves to the milliseconds of every call, by kind. */
  stop(): Promise<ReadonlyMap<string, readonly number[]>>;
}

/** `stop` throws when an answer was not 200. */
export function startCaller(port: number, pool: Pool): Caller {
  let goesOn = true;
  const next = buildDraws('load');
  const millis = new Map<string, number[]>(SEARCHED.map((name) => [name, []]));
  const calling = (async () => {
    while (goesOn) {
      for (const name of SEARCHED) {
        const kind = QUERY_KINDS.find((each) => each.name === name);
        if (kind === undefined) throw new Error(`no such kind of query: ${name}`);
        const started = performance.now();
        const answer = await fetch(
          `http://127.0.0.1:${port}/v1/trademarks?${new URLSearchParams(kind.draw(pool, next))}`,
        );
        const text = await answer.text();
        if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text}`);
        millis.get(name)!.push(performance.now() - started);
      }
    }
    return millis;
  })();
  calling.catch(() => undefined);
  return {
    stop: () => {
      goesOn = false;
      return calling;
    },
  };
}
