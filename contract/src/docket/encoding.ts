/**
 * The encoding of a docket: by its byte order mark, by the zero bytes of UTF-16, as UTF-8 if it is valid, and otherwise
 * as Windows-1252, which spreadsheets write in Western Europe.
 */

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What the first bytes of a file say; null if it is UTF-8 or Windows-1252, which only the whole file shows. */
export function readMark(bytes: Uint8Array): Encoding | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (second === 0 && fourth === 0 && first !== 0) return 'utf-16le';
  return first === 0 && third === 0 && second !== 0 ? 'utf-16be' : null;
}

/** Checks piece by piece whether bytes are UTF-8. */
export class Utf8Check {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  isValid = true;

  push(bytes: Uint8Array): void {
    this.decode(bytes, true);
  }

  end(): void {
    this.decode(new Uint8Array(), false);
  }

  private decode(bytes: Uint8Array, stream: boolean): void {
    if (!this.isValid) return;
    try {
      this.decoder.decode(bytes, { stream });
    } catch {
      this.isValid = false;
    }
  }
}
