/**
 * Preloaded by a trial into a server: how long its event loop stood since somebody last asked. It answers on the socket
 * that TRIAL_STALLS names. Time in which the thread could have run, and had no processor, is not counted: that is the
 * machine's affair. `process.on('exit')` and signals are left to the program.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const STEP_MS = 5;
const path = process.env.TRIAL_STALLS;
// What the program starts does not answer in its place.
delete process.env.TRIAL_STALLS;

if (isMainThread && path !== undefined) {
  const schedule = `/proc/self/task/${process.pid}/schedstat`;
  /** Milliseconds that the main thread has waited for a processor; 0 where the system does not tell. */
  const readWaitedMs = () => {
    try {
      return Number(readFileSync(schedule, 'latin1').split(' ')[1]) / 1e6;
    } catch {
      return 0;
    }
  };
  let longestMs = 0;
  let lastMs = performance.now();
  let lastWaitedMs = readWaitedMs();
  const look = (restMs) => {
    const nowMs = performance.now();
    const waitedMs = readWaitedMs();
    longestMs = Math.max(longestMs, nowMs - lastMs - restMs - (waitedMs - lastWaitedMs));
    lastMs = nowMs;
    lastWaitedMs = waitedMs;
  };
  setInterval(() => look(STEP_MS), STEP_MS).unref();
  const server = createServer((socket) => {
    // The loop may have stood just now, and be about to say so.
    look(STEP_MS);
    socket.on('error', () => undefined);
    socket.end(String(longestMs));
    longestMs = 0;
  });
  server.listen(path);
  server.unref();
}
