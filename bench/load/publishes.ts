/** Measures how soon after a publish a search over HTTP finds it, while a load keeps publishing. */
import type { Database } from '../../server/src/database/driver/db.ts';
import { instantText, sql } from '../../server/src/database/driver/sql.ts';

const POLL_MS = 5;

export interface PublishWatcher {
  /** Milliseconds from seeing a publish in the database to the answer that contains it. */
  stop(): Promise<readonly number[]>;
}

/** `stop` throws when an answer lacked a publish. */
export function watchPublishes(port: number, db: Database, register: string): PublishWatcher {
  let goesOn = true;
  const watching = (async () => {
    const millis: number[] = [];
    let seen = await readLastStamp(db);
    while (goesOn) {
      const stamp = await readLastStamp(db);
      if (stamp === seen) {
        await new Promise((done) => setTimeout(done, POLL_MS));
        continue;
      }
      seen = stamp;
      const started = performance.now();
      const newest = await findNewest(port, register);
      if (newest === null || newest < stamp)
        throw new Error(`published at ${stamp}, but the newest found is ${newest}`);
      millis.push(performance.now() - started);
    }
    return millis;
  })();
  watching.catch(() => undefined);
  return {
    stop: () => {
      goesOn = false;
      return watching;
    },
  };
}

async function readLastStamp(db: Database): Promise<string> {
  const [clock] = await db.query<{ stamp: string }>(
    sql`select ${instantText(sql`last_stamp`)} as stamp from publish_clock`,
  );
  return clock!.stamp;
}

async function findNewest(port: number, register: string): Promise<string | null> {
  const query = new URLSearchParams({ jurisdiction: register, sort: 'updated_at', order: 'desc', limit: '1' });
  const answer = await fetch(`http://127.0.0.1:${port}/v1/trademarks?${query}`);
  const body = (await answer.json()) as { items: { updated_at: string }[] };
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(body)}`);
  return body.items[0]?.updated_at ?? null;
}
