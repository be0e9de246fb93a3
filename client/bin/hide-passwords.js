/** Takes passwords out of the command line that other users of the machine can list. */

/** @param {{ argv: string[], title: string }} process arguments as given stay in `argv`, for the command to read */
export function hidePasswords(process) {
  const args = process.argv.slice(2);
  const shown = args.map((arg) => arg.replace(/(:\/\/[^/@\s]*:)[^/\s]*@/, '$1***@'));
  // On Linux and macOS this overwrites the arguments themselves; with nothing to hide they stay to be seen.
  if (shown.some((arg, index) => arg !== args[index])) process.title = ['tmds-replica', ...shown].join(' ');
}
