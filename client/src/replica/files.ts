/** Operations on the files of a log. */
import { type FileHandle, open, stat } from 'node:fs/promises';

/** Truncates the file to its first `bytes` bytes. */
export async function cutOff(path: string, bytes: number): Promise<void> {
  const log = await open(path, 'a+');
  try {
    if ((await log.stat()).size !== bytes) await log.truncate(bytes);
  } finally {
    await log.close();
  }
}

/** Null when there is no such file. */
export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Writes a file whose content is on disk when this resolves. */
export async function writeDurably(path: string, write: (file: FileHandle) => Promise<unknown>): Promise<void> {
  const file = await open(path, 'w');
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename durable; Windows cannot open folders and does not need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
