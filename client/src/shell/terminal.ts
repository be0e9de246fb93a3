/** What a command writes to. */
import type { Terminal } from '../replica/progress.ts';

export interface ShellTerminal extends Terminal {
  /** Writes to standard output, and resolves when there is room for more. */
  write(text: string): Promise<void>;
  /** Whether people read standard output: then lists are tables, otherwise JSON lines. */
  readonly isRead: boolean;
  /** Characters in a line of it. */
  readonly columns: number;
}
