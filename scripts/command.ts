/** What this repository's own commands have in common: `--help`, checked numbers, exit status 2 for a wrong call. */
import { Command, InvalidArgumentError } from 'commander';

/** A command, or a program of several, that ends the process with status 2 where it is called wrongly. */
export function buildCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .showHelpAfterError('(--help tells how it is called)')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** An option's value as a whole number of at least 1. Throws InvalidArgumentError. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || !Number.isSafeInteger(count)) {
    throw new InvalidArgumentError('It is a whole number of at least 1.');
  }
  return count;
}

/** An option's value as a number above 0, in whatever unit the option has. Throws InvalidArgumentError. */
export function parseAmount(text: string): number {
  const amount = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || amount <= 0)
    throw new InvalidArgumentError('It is a number above 0, such as 0.5.');
  return amount;
}
