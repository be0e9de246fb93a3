/** Python on this machine, for the tests of its client; they say so where there is none. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './sources.ts';

export const PYTHON_CLIENT = join(ROOT, 'clients/python');
const NEWER = 'import sys; sys.exit(0 if sys.version_info >= (3, 10) else 1)';

/** The command of a Python that the client accepts; null if there is none. */
export function findPython(): string | null {
  for (const command of ['python3', 'python']) {
    try {
      execFileSync(command, ['-c', NEWER], { stdio: 'ignore' });
      return command;
    } catch {
      // The next one, if any.
    }
  }
  return null;
}

export const NO_PYTHON = 'Python 3.10 or newer is not on this machine';
