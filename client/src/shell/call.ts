/** What a command gets, and how it shows what it found: tables for people, JSON lines for programs. */
import type { TrademarkClient } from '../client.ts';
import type { Clock } from '../clock.ts';
import type { CallOptions, Environment } from '../config.ts';
import type { Arguments } from './arguments.ts';
import { Table } from './table.ts';
import type { ShellTerminal } from './terminal.ts';
import { describeObject, type View } from './views.ts';

export interface ShellCall {
  readonly given: Arguments;
  readonly terminal: ShellTerminal;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Reads the key; a command that needs no service does not ask for it. */
  readonly client: () => Promise<TrademarkClient>;
  readonly options: CallOptions;
}

const isJson = ({ given, terminal }: ShellCall): boolean => given.has('json') || !terminal.isRead;

/** A sentence next to the result, for people. */
export function note({ given, terminal }: ShellCall, text: string): void {
  if (!given.has('quiet') && !given.has('json')) terminal.err(`${text}\n`);
}

/** Writes lists of objects, part after part. */
export function openList<Item>(
  call: ShellCall,
  { columns, json }: View<Item>,
): (items: readonly Item[]) => Promise<void> {
  const { terminal } = call;
  if (isJson(call)) {
    return async (items) => {
      if (items.length > 0) await terminal.write(items.map((item) => `${json(item)}\n`).join(''));
    };
  }
  const table = new Table(columns, terminal.columns);
  return async (items) => {
    if (items.length > 0) await terminal.write(table.render(items));
  };
}

export async function writeObject<Item extends object>(
  call: ShellCall,
  item: Item,
  json: (item: Item) => string = JSON.stringify,
): Promise<void> {
  await call.terminal.write(`${isJson(call) ? json(item) : describeObject(item)}\n`);
}
