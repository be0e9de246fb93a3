/** An office's SFTP server in tests, made of ssh2's own server; it misbehaves as a test asks it to. */
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2';

export interface SftpFile {
  content: Buffer;
  /** Seconds since 1970. */
  modified: number;
}

export interface SftpOffice {
  readonly port: number;
  /** `SHA256:…` */
  readonly hostKey: string;
  readonly files: Map<string, SftpFile>;
  /** Users that were asked for a password, with it. */
  readonly signIns: string[];
  /** Every read as `name offset`. */
  readonly reads: string[];
  /** The public key by which the user may sign in. */
  userKey: string | null;
  /** Ends the connection instead of answering this read. */
  cuts: (name: string, offset: number) => boolean;
  /** The size that a file is said to have. */
  sizeOf: (name: string, file: SftpFile) => number;
}

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;
const FILE_MODE = 0o100644;
const FOLDER_MODE = 0o040755;

/** About one key in two hundred that the library makes is one that it cannot read. */
const KEY_TRIES_MAX = 10;

export function makeKey(passphrase: string | null = null): { key: ssh2.utils.KeyPairReturn; parsed: ssh2.ParsedKey } {
  for (let tries = 1; ; tries += 1) {
    const key =
      passphrase === null
        ? ssh2.utils.generateKeyPairSync('ed25519')
        : ssh2.utils.generateKeyPairSync('ed25519', { passphrase, cipher: 'aes256-ctr', rounds: 16 });
    const parsed = ssh2.utils.parseKey(key.private, passphrase ?? undefined);
    if (!(parsed instanceof Error)) return { key, parsed };
    if (tries === KEY_TRIES_MAX) throw parsed;
  }
}

/** The user `tmds` with the password `secret` sees the files in `/out`. */
export async function openSftpOffice(t: { after(work: () => Promise<void>): void }): Promise<SftpOffice> {
  const { key, parsed } = makeKey();
  const hostKey = `SHA256:${createHash('sha256').update(parsed.getPublicSSH()).digest('base64').replace(/=+$/, '')}`;
  const connections = new Set<Connection>();
  const office = {
    ...{ port: 0, hostKey, files: new Map<string, SftpFile>(), signIns: [] as string[], reads: [] as string[] },
    userKey: null as string | null,
    cuts: (_name: string, _offset: number): boolean => false,
    sizeOf: (_name: string, file: SftpFile): number => file.content.length,
  };
  const server = new ssh2.Server({ hostKeys: [key.private] }, (connection) => {
    connections.add(connection);
    connection.on('error', () => undefined);
    connection.on('close', () => void connections.delete(connection));
    connection.on('authentication', (attempt) => {
      if (attempt.method === 'publickey' && office.userKey !== null) {
        const known = ssh2.utils.parseKey(office.userKey);
        const isKnown = !(known instanceof Error) && known.getPublicSSH().equals(attempt.key.data);
        const isSigned =
          isKnown && attempt.signature !== undefined && attempt.blob !== undefined
            ? known.verify(attempt.blob, attempt.signature, attempt.hashAlgo) === true
            : isKnown;
        if (isSigned) attempt.accept();
        else attempt.reject();
        return;
      }
      if (attempt.method !== 'password') {
        attempt.reject(['password', 'publickey']);
        return;
      }
      office.signIns.push(`${attempt.username} ${attempt.password}`);
      if (attempt.username === 'tmds' && attempt.password === 'secret') attempt.accept();
      else attempt.reject();
    });
    connection.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => serve(acceptSftp(), office, connection));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    for (const connection of connections) connection.end();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return Object.assign(office, { port: (server.address() as AddressInfo).port });
}

function serve(sftp: SFTPWrapper, office: SftpOffice, connection: Connection): void {
  const handles = new Map<number, { name: string; listed: boolean }>();
  let next = 0;
  const open = (name: string): Buffer => {
    next += 1;
    handles.set(next, { name, listed: false });
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(next);
    return handle;
  };
  const nameOf = (path: string): string => path.replace(/^\/out\//, '');
  const attributes = (name: string, file: SftpFile) => ({
    ...{ mode: FILE_MODE, uid: 0, gid: 0, atime: file.modified, mtime: file.modified },
    size: office.sizeOf(name, file),
  });
  sftp.on('OPENDIR', (id, path) => {
    if (path === '/out') sftp.handle(id, open(path));
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on('READDIR', (id, handle) => {
    const opened = handles.get(handle.readUInt32BE())!;
    if (opened.listed) {
      sftp.status(id, STATUS_CODE.EOF);
      return;
    }
    opened.listed = true;
    const entries = [...office.files].map(([filename, file]) => ({
      ...{ filename, longname: filename, attrs: attributes(filename, file) },
    }));
    const folder = { mode: FOLDER_MODE, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };
    sftp.name(id, [...entries, { filename: 'day-2026-11-09.ndjson.d', longname: 'd', attrs: folder }]);
  });
  const onStat = (id: number, path: string): void => {
    const file = office.files.get(nameOf(path));
    if (file === undefined) sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    else sftp.attrs(id, attributes(nameOf(path), file));
  };
  sftp.on('STAT', onStat);
  sftp.on('LSTAT', onStat);
  sftp.on('FSTAT', (id, handle) => onStat(id, `/out/${handles.get(handle.readUInt32BE())!.name}`));
  sftp.on('OPEN', (id, path, flags) => {
    if (!office.files.has(nameOf(path)) || flags !== OPEN_MODE.READ) sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    else sftp.handle(id, open(nameOf(path)));
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const { name } = handles.get(handle.readUInt32BE())!;
    office.reads.push(`${name} ${offset}`);
    if (office.cuts(name, offset)) {
      connection.end();
      return;
    }
    const part = office.files.get(name)!.content.subarray(offset, offset + Math.min(length, 4_096));
    if (part.length === 0) sftp.status(id, STATUS_CODE.EOF);
    else sftp.data(id, part);
  });
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
}
