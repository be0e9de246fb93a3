/** What the commands of this repository share: `--help`, validated numbers, exit status 2 for wrong usage. */
import { Command, InvalidArgumentError } from 'commander';

/** A command, or a program with several, that exits with status 2 on wrong usage. */
export function buildCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .showHelpAfterError('(--help shows the usage)')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** Parses a whole number of at least 1. Throws InvalidArgumentError. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || !Number.isSafeInteger(count)) {
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  }
  return count;
}

/** Parses a number above 0. Throws InvalidArgumentError. */
export function parseAmount(text: string): number {
  const amount = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || amount <= 0)
    throw new InvalidArgumentError('It must be a number above 0, such as 0.5.');
  return amount;
}
