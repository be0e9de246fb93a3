/** Zip archives for tests, byte by byte, so that a test can also build invalid ones. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipMember {
  name: string;
  /** Deflated here; otherwise `data`, `crc` and `size` say what is in the archive. */
  text?: string;
  data?: Buffer;
  crc?: number;
  size?: number;
  /** Checksum and sizes are after the data and in the table of contents, zeros before the data. */
  hasDescriptor?: boolean;
}

export function buildZip(members: readonly ZipMember[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const bytes = Buffer.from(member.text ?? '');
    const data = member.data ?? deflateRawSync(bytes);
    const name = Buffer.from(member.name);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(member.hasDescriptor ? 0x808 : 0x800, 2);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(member.crc ?? crc32(bytes), 10);
    head.writeUInt32LE(data.length, 14);
    head.writeUInt32LE(member.size ?? bytes.length, 18);
    head.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    const local = Buffer.from(head);
    const sizes = head.subarray(10, 22);
    if (member.hasDescriptor) local.fill(0, 10, 22);
    const descriptor = member.hasDescriptor ? [Buffer.from('PK\u0007\u0008', 'latin1'), sizes] : [];
    const file = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), local, name, data, ...descriptor]);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), head, tail, name);
    files.push(file);
    offset += file.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, listing, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}
