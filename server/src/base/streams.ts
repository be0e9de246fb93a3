/** Waits for a stream. */
import type { Writable } from 'node:stream';

/** As a pipe reports it whose reader has ended. */
export function readerGone(): Error {
  return Object.assign(new Error('the reader went away'), { code: 'EPIPE' });
}

/** Waits until the stream accepts more; rejects when it breaks, with `EPIPE` when it closes without an error. */
export function waitForRoom(stream: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      stream.off('drain', onDrain).off('error', settle).off('close', onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onDrain = () => settle();
    const onClose = () => settle(readerGone());
    stream.on('drain', onDrain).on('error', settle).on('close', onClose);
  });
}
