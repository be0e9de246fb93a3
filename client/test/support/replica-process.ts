/** `tmds-replica` from source, as a separate process that a test can kill. */
import { runReplicaCommand } from '../../src/replica/cli.ts';

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort(new Error('stopped by SIGTERM')));
const terminal = {
  out: (text: string) => process.stdout.write(text),
  err: (text: string) => process.stderr.write(text),
  live: false,
};
process.exitCode = await runReplicaCommand(process.argv.slice(2), process.env, terminal, stop.signal);
