/**
 * Scripts that complete commands, flags and their values in bash, zsh and fish, from the table of commands. They are
 * complete in themselves, so that a shell starts no program while somebody types.
 */
import type { Flag } from './flags.ts';

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Words that follow the name. */
  readonly words?: readonly string[];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** The first sentence: lists of completions have one line for each. */
const shorten = (text: string): string => text.split(/(?<=\.) /)[0]!.replace(/\.$/, '');

export function renderCompletion(shell: Shell, commands: readonly CompletedCommand[]): string {
  return { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell](commands);
}

const escapeBlanks = (text: string): string => text.replaceAll(' ', '\\ ');

function renderBash(commands: readonly CompletedCommand[]): string {
  const list = (words: readonly string[]): string =>
    `COMPREPLY=($(compgen -W ${quote(words.map(escapeBlanks).join('\n'))} -- "$current"))`;
  const values = commands.flatMap(({ name, flags }) =>
    flags.flatMap((flag) => {
      if (flag.value === null) return [];
      const reply =
        flag.choices === undefined
          ? flag.isFile === true
            ? 'COMPREPLY=($(compgen -f -- "$current"))'
            : ':'
          : list(flag.choices);
      return [`    ${name}:--${flag.name}) ${reply}; _tmds_client_escape; return ;;`];
    }),
  );
  const words = commands.map(({ name, flags, words: following = [] }) => {
    const all = [...following, ...flags.map((flag) => `--${flag.name}`)];
    return `    ${name}) ${list(all)} ;;`;
  });
  return `# Completes tmds-client in bash: eval "$(tmds-client completion bash)"
_tmds_client_escape() {
  local index
  for index in "\${!COMPREPLY[@]}"; do COMPREPLY[index]=\${COMPREPLY[index]// /\\\\ }; done
}
_tmds_client() {
  local IFS=$'\\n'
  local current=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${list(commands.map(({ name }) => name))}
    return
  fi
  case $command:$previous in
${values.join('\n')}
  esac
  case $command in
${words.join('\n')}
  esac
}
complete -o default -F _tmds_client tmds-client
`;
}

function renderZsh(commands: readonly CompletedCommand[]): string {
  const describe = (text: string): string => shorten(text).replaceAll(/[[\]:\\]/g, '\\$&');
  const drawFlag = ({ name, description, value, choices, isFile, isList }: Flag): string => {
    const repeated = isList === true ? '*' : '';
    const action =
      choices === undefined ? (isFile === true ? '_files' : ' ') : `(${choices.map(escapeBlanks).join(' ')})`;
    return quote(`${repeated}--${name}[${describe(description)}]${value === null ? '' : `:${value}:${action}`}`);
  };
  const cases = commands.map(({ name, flags, words }) => {
    const first = words === undefined ? quote('*:file:_files') : quote(`1:word:(${words.join(' ')})`);
    return `    ${name}) _arguments ${[...flags.map(drawFlag), first].join(' ')} ;;`;
  });
  const described = commands.map(({ name, summary }) => quote(`${name}:${shorten(summary)}`));
  return `#compdef tmds-client
# Completes tmds-client in zsh: eval "$(tmds-client completion zsh)", after compinit
_tmds_client() {
  local -a commands
  commands=(${described.join(' ')})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT -= 1 ))
  case $words[1] in
${cases.join('\n')}
  esac
}
compdef _tmds_client tmds-client
`;
}

function renderFish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, flags, words }) => {
    const within = `complete -c tmds-client -n ${quote(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c tmds-client -n __fish_use_subcommand -a ${name} -d ${quote(shorten(summary))}`,
      ...(words === undefined ? [] : [`${within} -a ${quote(words.join(' '))}`]),
      ...flags.map(({ name: flag, description, value, choices, isFile }) => {
        const kind = value === null ? '' : isFile === true ? ' -r -F' : ' -x';
        const values = choices === undefined ? '' : ` -a ${quote(choices.map(escapeBlanks).join(' '))}`;
        return `${within} -l ${flag}${kind}${values} -d ${quote(shorten(description))}`;
      }),
    ];
  });
  return `# Completes tmds-client in fish: tmds-client completion fish | source
complete -c tmds-client -f
${lines.join('\n')}
`;
}
