/** The help, from the table of commands. */
import { COMMANDS, type Command, RECONCILE_SUMMARY } from './commands.ts';
import { COMMON_FLAGS, FILTER_FLAGS, type Flag } from './flags.ts';

const WIDTH = 118;
const NAME_WIDTH = 12;

function wrap(text: string, indent: number): string {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

function describeFlag({ name, value, choices, description }: Flag): string {
  const head = `  --${name}${value === null ? '' : ` ${value}`}`;
  const more = choices === undefined ? '' : ` One of: ${choices.join(', ')}.`;
  const indent = 38;
  const gap = head.length + 2 > indent ? `\n${' '.repeat(indent)}` : ' '.repeat(indent - head.length);
  return `${head}${gap}${wrap(description + more, indent)}`;
}

export const USAGE = `tmds-client COMMAND [options]

${[...Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]), ['reconcile', RECONCILE_SUMMARY]]
  .map(([name, summary]) => `  ${name!.padEnd(NAME_WIDTH)}${summary}`)
  .join('\n')}

  tmds-client COMMAND --help shows the flags of a command.
  --base-url URL, --json, --quiet, --help and --version are for every command.

A terminal gets tables; a pipe, or --json, gets JSON lines: each line an object as the API has it. With --json, a
failure is a line of standard error: {"error":{"code","message","param","request_id"}}.

Exit status: 0 done, 1 failed, 2 wrong usage, 5 it cannot go on until somebody acts: a file is not there, or the key is
refused. reconcile: 3 rows differ.

The API key is read from TMDS_API_KEY, or from the file named by TMDS_API_KEY_FILE.
`;

export function renderHelp(name: string, { takes, summary, flags }: Command): string {
  const isFilter = (key: string): boolean => key in FILTER_FLAGS && flags[key] === FILTER_FLAGS[key];
  const keys = Object.keys(flags);
  const own = keys.filter((key) => !isFilter(key)).map((key) => describeFlag(flags[key]!));
  const filters = keys.filter(isFilter).map((key) => describeFlag(flags[key]!));
  return `${[
    `tmds-client ${name} ${takes}`.trimEnd(),
    '',
    `  ${summary}`,
    '',
    ...own,
    ...Object.values(COMMON_FLAGS).map(describeFlag),
    ...(filters.length === 0 ? [] : ['', 'Filters, which all have to match; of several values any:', '', ...filters]),
  ].join('\n')}\n`;
}
