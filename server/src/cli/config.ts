/** `tmds config`: which settings hold and where each comes from, and a `tmds.toml` to start from. */
import type { Command } from 'commander';
import type { SettingState } from '../base/config.ts';
import { keyOf, secretFileVariable } from '../base/config-sources.ts';
import { SETTINGS, type Setting } from '../base/settings.ts';
import { type Columns, type CommandContext, renderTable } from './context.ts';

interface ConfigFlags {
  json: boolean;
  example: boolean;
}

export function registerConfigCommand(program: Command, context: CommandContext): void {
  program
    .command('config')
    .description('show every setting with its value and where it comes from; secrets are masked')
    .option('--json', 'one JSON document instead of a table', false)
    .option('--example', 'print a tmds.toml with every setting, commented out, instead', false)
    .action((flags: ConfigFlags) => runConfig(context, flags));
}

const COLUMNS: Columns<SettingState> = {
  setting: 'key',
  value: ({ value }) => value ?? 'unset',
  from: ({ from, place }) => (place === null ? from : `${from}: ${place}`),
};

function runConfig(context: CommandContext, { json, example }: ConfigFlags): void {
  if (example) {
    context.print(renderExample(Object.values(SETTINGS)));
    return;
  }
  const { states, file, warnings } = context.readSettings();
  const unknown = context.listUnknownSettings();
  if (json) {
    context.print(JSON.stringify({ file, settings: states, warnings, unknown_variables: unknown }));
    return;
  }
  context.print(file === null ? 'no configuration file' : `configuration file: ${file}`);
  context.print(renderTable(COLUMNS, states));
  for (const warning of warnings) context.note(`tmds: ${warning}`);
  if (unknown.length > 0) context.note(`tmds: not settings, so without effect: ${unknown.join(', ')}`);
}

const INTRODUCTION = `# Settings of the trademark data service. Remove the # in front of a setting to change it.
# An environment variable goes before this file. "tmds config" shows what holds.`;

function renderExample(settings: readonly Setting<unknown>[]): string {
  const parts = settings.map((setting) => {
    const { variable, standard, takes, meaning, isList, isSecret } = setting;
    const key = keyOf(variable);
    const lines = [`# ${meaning}`, `# ${variable}: ${takes}`, `#${key} = ${writeToml(standard, isList === true)}`];
    if (isSecret) lines.push(`#${keyOf(secretFileVariable(variable))} = "/run/secrets/${key}"`);
    return lines.join('\n');
  });
  return [INTRODUCTION, ...parts].join('\n\n');
}

function writeToml(standard: string | null, isList: boolean): string {
  if (isList)
    return `[${(standard ?? '')
      .split(',')
      .filter(Boolean)
      .map((part) => JSON.stringify(part))
      .join(', ')}]`;
  return standard !== null && /^\d+(\.\d+)?$/.test(standard) ? standard : JSON.stringify(standard ?? '');
}
