/** `watch`: what is watched, from the shell. */
import type { WatchInput } from '@tmds/contract/watches';
import { UsageError } from '../docket/options.ts';
import { encodeQuery } from '../query.ts';
import { openList, type ShellCall, writeObject } from './call.ts';
import { FILTER_FLAGS } from './flags.ts';
import { WATCHES } from './views.ts';

export const WATCH_WORDS = ['list', 'show', 'put', 'end', 'why'] as const;

export async function runWatch(call: ShellCall): Promise<void> {
  const [word, id, ...rest] = call.given.positionals;
  if (word === 'list' && id === undefined) return await listWatches(call);
  if (id === undefined || rest.length > 0)
    throw new UsageError(`watch takes list, or ${WATCH_WORDS.slice(1).join(', ')} and an ID`);
  const client = await call.client();
  if (word === 'show') return await writeObject(call, await client.watch(id, call.options));
  if (word === 'put') return await writeObject(call, await client.putWatch(id, readInput(call, id), call.options));
  if (word === 'end') return await writeObject(call, await client.deleteWatch(id, call.options));
  if (word === 'why') return await writeObject(call, await client.diagnose(id, readOne(call), call.options));
  throw new UsageError(`watch takes ${WATCH_WORDS.join(', ')}, not "${word}"`);
}

async function listWatches(call: ShellCall): Promise<void> {
  const client = await call.client();
  const write = openList(call, WATCHES);
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.watches>> = await client.watches({ cursor }, call.options);
    await write(page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
}

/** Exactly one of owners, records, and the filters of a search. */
function readInput({ given }: ShellCall, id: string): WatchInput {
  const filters = given.pick(FILTER_FLAGS);
  const search = Object.keys(filters).length === 0 ? null : encodeQuery(filters).slice(1);
  const owners = given.lines('owner');
  const records = given.lines('record').map(readRecord);
  const name = given.text('name') ?? id;
  const reference = given.text('reference');
  const named = { name, ...(reference === undefined ? {} : { reference }) };
  if (Number(search !== null) + Number(owners.length > 0) + Number(records.length > 0) !== 1) {
    throw new UsageError('watch put takes filters of a search, or --owner NAME …, or --record REGISTER/UID …');
  }
  if (search !== null) return { ...named, search };
  return owners.length > 0 ? { ...named, owners } : { ...named, records };
}

function readOne({ given }: ShellCall): ReturnType<typeof readRecord> {
  const [record, ...others] = given.lines('record').map(readRecord);
  if (record !== undefined && others.length === 0) return record;
  throw new UsageError('watch why takes --record REGISTER/UID, once');
}

/** A uid may contain slashes. */
function readRecord(text: string): { jurisdiction_code: string; uid: string } {
  const at = text.indexOf('/');
  if (at <= 0 || at === text.length - 1)
    throw new UsageError(`--record takes REGISTER/UID, such as US/97123456, not "${text}"`);
  return { jurisdiction_code: text.slice(0, at), uid: text.slice(at + 1) };
}
