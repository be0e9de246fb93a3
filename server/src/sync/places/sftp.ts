/**
 * Files of an SFTP server. Invariant: nothing is sent, the password least of all, before the server has shown the key
 * that is declared for it.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ConnectConfig, FileEntryWithStats, SFTPWrapper } from 'ssh2';
import ssh2 from 'ssh2';
import type { Clock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import { readSecret, type SftpPlace } from '../declared/source.ts';
import {
  CannotResume,
  isSafeName,
  LIST_BYTES_MAX,
  type ListedFile,
  listOnce,
  PassingFailure,
  type RemotePlace,
  watchSilence,
} from './place.ts';

interface SftpOptions {
  place: SftpPlace;
  clock: Clock;
  signal: AbortSignal;
}

const NO_SUCH_FILE = 2;

/** Connects when it is needed, and again after the connection has ended. */
export async function openSftp(options: SftpOptions): Promise<RemotePlace> {
  const { place, clock, signal } = options;
  const shown = `sftp://${place.host}`;
  let link: Link | null = null;
  const getLink = async (): Promise<Link> => {
    if (link === null || link.ended.aborted) link = await connect(options);
    return link;
  };
  const attend = async <T>(ask: (sftp: SFTPWrapper, done: (error: unknown, value?: T) => void) => void): Promise<T> => {
    const { sftp, ended } = await getLink();
    const silence = watchSilence(clock, AbortSignal.any([signal, ended]), shown);
    try {
      return await new Promise<T>((resolve, reject) => {
        const onEnd = (): void => reject(silence.signal.reason);
        if (silence.signal.aborted) onEnd();
        silence.signal.addEventListener('abort', onEnd, { once: true });
        ask(sftp, (error, value) => (error ? reject(explain(error, shown)) : resolve(value as T)));
      });
    } finally {
      silence.stop();
    }
  };
  const sizeOf = async (address: string): Promise<number> =>
    (await attend<{ size: number }>((sftp, done) => sftp.stat(address, done))).size;
  const readParts = async function* (address: string, start: number): AsyncGenerator<Uint8Array> {
    const { sftp, ended } = await getLink();
    const silence = watchSilence(clock, AbortSignal.any([signal, ended]), shown);
    const stream = sftp.createReadStream(address, { start });
    const parts = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const interrupted = new Promise<never>((_, reject) => {
      silence.signal.addEventListener('abort', () => reject(silence.signal.reason), { once: true });
    });
    interrupted.catch(() => undefined);
    try {
      for (;;) {
        const part = await Promise.race([parts.next(), interrupted]);
        if (part.done === true) return;
        silence.heard();
        yield part.value;
      }
    } catch (error) {
      throw explain(error, shown);
    } finally {
      silence.stop();
      stream.on('error', () => undefined).destroy();
    }
  };
  return {
    async list() {
      const entries = await attend<FileEntryWithStats[]>((sftp, done) => sftp.readdir(place.folder, done));
      return listOnce(entries.flatMap((entry) => listEntry(place.folder, entry)));
    },
    async readBeside(_file, name) {
      const address = `${place.folder.replace(/\/$/, '')}/${name}`;
      const bytes = await sizeOf(address).catch((error: unknown) => {
        if (error instanceof AbsentFile) return null;
        throw error;
      });
      if (bytes === null || bytes > LIST_BYTES_MAX) return null;
      const parts: Uint8Array[] = [];
      for await (const part of readParts(address, 0)) parts.push(part);
      return Buffer.concat(parts);
    },
    async open(file, from) {
      const offset = from?.offset ?? 0;
      const bytes = await sizeOf(file.address);
      if (offset > bytes) throw new CannotResume(`${shown}${file.address} has no byte ${offset}`);
      return { parts: readParts(file.address, offset), offset, bytes, validator: file.fingerprint };
    },
    close: async () => link?.end(),
  };
}

interface Link {
  sftp: SFTPWrapper;
  /** Aborted with a `PassingFailure` when the connection is gone. */
  ended: AbortSignal;
  end(): void;
}

class AbsentFile extends OperatorError {}

function listEntry(folder: string, { filename, attrs }: FileEntryWithStats): ListedFile[] {
  if (!isSafeName(filename) || !attrs.isFile()) return [];
  const address = `${folder.replace(/\/$/, '')}/${filename}`;
  return [{ name: filename, bytes: attrs.size, fingerprint: `${attrs.size} ${attrs.mtime}`, checksum: null, address }];
}

async function connect({ place, clock, signal }: SftpOptions): Promise<Link> {
  const secret = place.password ?? place.privateKey;
  const stated = secret === null ? '' : await readSecret(secret);
  const passphrase = place.passphrase === null ? {} : { passphrase: await readSecret(place.passphrase) };
  const shown = `sftp://${place.host}`;
  const client = new ssh2.Client();
  const silence = watchSilence(clock, signal, shown);
  const ended = new AbortController();
  let shownKey: string | null = null;
  const config: ConnectConfig = {
    host: place.host,
    port: place.port,
    username: place.user,
    ...(place.password === null ? { privateKey: stated, ...passphrase } : { password: stated }),
    hostVerifier: (key: Buffer) => {
      shownKey = `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`;
      return isEqual(shownKey, place.hostKey);
    },
    // The silence is watched here, with the clock of the caller.
    readyTimeout: 0,
    keepaliveInterval: 0,
  };
  const end = (): void => {
    client.end();
    client.destroy();
  };
  client.on('close', () => ended.abort(new PassingFailure(`${shown} ended the connection`)));
  try {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      for (const each of [silence.signal, ended.signal]) {
        each.addEventListener('abort', () => reject(each.reason), { once: true });
      }
      client.on('error', (error) => {
        const isOther = shownKey !== null && !isEqual(shownKey, place.hostKey);
        reject(isOther ? otherKey(place, shownKey ?? '') : explain(error, shown));
      });
      client.on('ready', () => client.sftp((error, channel) => (error ? reject(error) : resolve(channel))));
      client.connect(config);
    });
    return { sftp, ended: ended.signal, end };
  } catch (error) {
    end();
    throw explain(error, shown);
  } finally {
    silence.stop();
  }
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(left, right);
}

function otherKey({ host }: SftpPlace, shownKey: string): OperatorError {
  const remedy = 'ask the office whether it has a new key before you change host_key';
  return new OperatorError(`sftp://${host} shows the key ${shownKey}, not the one that is declared; ${remedy}`);
}

function explain(error: unknown, shown: string): unknown {
  if (error instanceof OperatorError || error instanceof PassingFailure) return error;
  const { code, level, message } = error as { code?: string | number; level?: string; message: string };
  if (code === NO_SUCH_FILE) return new AbsentFile(`${shown} has no such file or folder`, { cause: error });
  if (level === 'client-authentication') {
    return new OperatorError(`${shown} refuses the user: check user and password or key of the source`, {
      cause: error,
    });
  }
  return new PassingFailure(`${shown} failed (${code ?? message})`, { cause: error });
}
