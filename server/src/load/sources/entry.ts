/** What a source yields: one stream of text after the other. */
import type { Readable } from 'node:stream';

/** One stream of source text: a plain file, the inside of a .gz, one member of a .zip, one file of a folder. */
export interface SourceEntry {
  /** For messages: `EUTM-sample.zip/EUTM/018/228/018228823.xml`. */
  name: string;
  stream: Readable;
  /** The name of a plain file after the name of its folder, which may state the day of a delivery. */
  placedAs?: string;
  /** Whether it is one of many, in an archive or a folder: a bad member does not spoil the others. */
  isMember?: boolean;
  /** Why it cannot be opened, as the rest of a sentence about it: `is encrypted`. Its stream is empty then. */
  refusal?: string;
}
