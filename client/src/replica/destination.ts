/** Opens the sink named by a text such as `sqlite:marks.db`. */
import { openNdjsonSink } from './ndjson.ts';
import { openPostgresSink } from './postgres.ts';
import type { ReplicaSink } from './sink.ts';
import { openSqliteSink } from './sqlite.ts';

export const DESTINATIONS = 'sqlite:FILE, ndjson:FOLDER or postgres://USER@HOST/DATABASE';

/** @throws TypeError when the text does not name a sink; ReplicaError when its driver is missing */
export async function openDestination(text: string): Promise<ReplicaSink> {
  const scheme = text.slice(0, Math.max(0, text.indexOf(':')));
  const place = text.slice(scheme.length + 1);
  if (place !== '') {
    if (scheme === 'sqlite') return openSqliteSink(place);
    if (scheme === 'ndjson') return openNdjsonSink(place);
    if ((scheme === 'postgres' || scheme === 'postgresql') && URL.canParse(text)) return openPostgresSink(text);
  }
  throw new TypeError(`"${scheme === '' ? text : `${scheme}:`}" is not a place for a replica: use ${DESTINATIONS}`);
}
