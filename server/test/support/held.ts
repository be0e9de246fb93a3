import { renderDelivered } from '../../../client/src/replica/digest.ts';
import type { ReplicaSink } from '../../../client/src/replica/main.ts';

/** The records of a replica, as the service delivers them, in order. */
export async function listHeld(sink: ReplicaSink): Promise<string[]> {
  const held: string[] = [];
  for await (const record of sink.listRecords()) held.push(renderDelivered(record));
  return held.sort();
}
