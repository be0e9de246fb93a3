/**
 * A form with a file (`multipart/form-data`). Its fields become the form of the call. The file goes to a separate
 * folder on the disk, which is removed as soon as the call is answered. The bounds hold while it is read.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { PageRefusal, type Upload } from './frame/call.ts';

/** Largest file, in bytes. It has to arrive within the time limit of a request. */
export const UPLOAD_BYTES_MAX = 20 * 1024 * 1024;
/** Bytes of the fields and the lines between them. */
const FRAME_BYTES_MAX = 64 * 1024;
const UPLOAD_BODY_BYTES_MAX = UPLOAD_BYTES_MAX + FRAME_BYTES_MAX;
const FIELDS_MAX = 20;
const FIELD_BYTES_MAX = 4096;
const UPLOADS_AT_ONCE = 4;

interface UploadBounds {
  readonly back: string;
  readonly files: 0 | 1;
  readonly fieldBytesMax: number | undefined;
}

export interface ReceivedForm {
  /** The fields; `file` is the digest of the file, so that a form with another file is another form. */
  readonly form: URLSearchParams;
  readonly upload: Upload | null;
  readonly discard: () => Promise<void>;
}

let underWay = 0;

/** @throws PageRefusal for a form that is too large or broken. Nothing stays on the disk then. */
export async function receiveForm(
  body: Readable,
  headers: IncomingHttpHeaders,
  { back, files, fieldBytesMax = FIELD_BYTES_MAX }: UploadBounds,
): Promise<ReceivedForm> {
  if (underWay >= UPLOADS_AT_ONCE) {
    throw new PageRefusal(
      503,
      'Too many files at once',
      'Other files are being received. Try again in a minute.',
      back,
    );
  }
  underWay += 1;
  const folder = await mkdtemp(join(tmpdir(), 'tmds-upload-'));
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    return {
      ...(await readForm(body, headers, { path: join(folder, 'file'), filesMax: files, fieldBytesMax })),
      discard,
    };
  } catch (error) {
    await discard();
    if (error instanceof TooLarge) {
      const most = `A file may have ${UPLOAD_BYTES_MAX / 1024 / 1024} MB. Split it, or use tmds-client, which takes more.`;
      throw new PageRefusal(413, 'The file is too large', most, back);
    }
    if (error instanceof FieldTooLarge) {
      const most = 'One of its fields has too much text. Go back and divide it.';
      throw new PageRefusal(413, 'The form is too large', most, back);
    }
    throw new PageRefusal(400, 'The file did not arrive', 'The form was cut short or is broken. Send it again.', back);
  } finally {
    underWay -= 1;
  }
}

class TooLarge extends Error {}
class FieldTooLarge extends Error {}

async function readForm(
  body: Readable,
  headers: IncomingHttpHeaders,
  { path, filesMax, fieldBytesMax }: { path: string; filesMax: number; fieldBytesMax: number },
): Promise<Omit<ReceivedForm, 'discard'>> {
  const form = new URLSearchParams();
  let upload: Upload | null = null;
  let hasCut = false;
  const written: Promise<void>[] = [];
  const limits = { files: filesMax, fields: FIELDS_MAX, fieldSize: fieldBytesMax, fileSize: UPLOAD_BYTES_MAX };
  const parser = new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits });
  parser.on('field', (name, value, _nameCut, isCut) => {
    hasCut ||= isCut;
    form.append(name, value);
  });
  parser.on('file', (_field, stream, name) => {
    const digest = createHash('sha256');
    let bytes = 0;
    const count = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        digest.update(chunk);
        bytes += chunk.length;
        done(null, chunk);
      },
    });
    stream.on('limit', () => stream.destroy(new TooLarge()));
    written.push(
      pipeline(stream, count, createWriteStream(path, { mode: 0o600 })).then(() => {
        if (bytes === 0) return;
        form.append('file', digest.digest('hex'));
        upload = { path, name: basename((name ?? '').replaceAll('\\', '/')).slice(0, 200), bytes };
      }),
    );
    written.at(-1)?.catch((error: unknown) => parser.destroy(error as Error));
  });
  await pipeline(body, bound(), parser);
  await Promise.all(written);
  if (hasCut) throw new FieldTooLarge();
  return { form, upload };
}

/** A body without a stated length is bounded too. */
function bound(): Transform {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (bytes > UPLOAD_BODY_BYTES_MAX) done(new TooLarge());
      else done(null, chunk);
    },
  });
}
