/** Reads arguments by a table of flags. A flag that is unknown, or given twice without being a list, is refused. */
import { parseArgs } from 'node:util';
import { UsageError } from '../docket/options.ts';
import type { Flag, FlagTable } from './flags.ts';

export class Arguments {
  readonly positionals: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(positionals: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.positionals = positionals;
    this.#values = values;
  }

  has(flag: string): boolean {
    return this.#values.has(flag);
  }

  /** By the key of the flag in its table, such as `nice_class`. */
  text(flag: string): string | undefined {
    return this.#values.get(flag)?.join(',');
  }

  /** A value for each time that the flag is given. */
  lines(flag: string): readonly string[] {
    return this.#values.get(flag) ?? [];
  }

  integer(flag: string, min: number, max: number): number | undefined {
    const text = this.text(flag);
    if (text === undefined) return undefined;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new UsageError(`--${flag.replaceAll('_', '-')} takes a whole number from ${min} to ${max}, not "${text}"`);
  }

  /** The given flags of a table, as parameters of the API. */
  pick(table: FlagTable): Record<string, string> {
    const given = Object.keys(table).flatMap((key) => {
      const text = this.text(key);
      return text === undefined ? [] : [[key, text] as const];
    });
    return Object.fromEntries(given);
  }
}

export function parseArguments(args: readonly string[], flags: FlagTable): Arguments {
  const options = Object.fromEntries(
    Object.values(flags).map(({ name, value }) => [
      name,
      {
        type: value === null ? ('boolean' as const) : ('string' as const),
        multiple: true,
        ...(name === 'help' ? { short: 'h' } : {}),
      },
    ]),
  );
  const { values, positionals } = parseOrRefuse(args, options);
  const read = new Map<string, readonly string[]>();
  for (const [key, flag] of Object.entries(flags)) {
    const given = values[flag.name] as readonly (string | boolean)[] | undefined;
    if (given !== undefined) read.set(key, checkGiven(flag, given.map(String)));
  }
  return new Arguments(positionals, read);
}

function parseOrRefuse(
  args: readonly string[],
  options: Record<string, { type: 'string' | 'boolean'; multiple: boolean; short?: string }>,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // The message of Node.js continues with advice about positional arguments that begin with a dash.
    throw new UsageError((error as Error).message.split('. ')[0] ?? '');
  }
}

function checkGiven({ name, isList, value }: Flag, given: readonly string[]): readonly string[] {
  if (given.length > 1 && isList !== true && value !== null) throw new UsageError(`--${name} is given twice`);
  return given;
}
