/**
 * The source text of the record being read, for the rejects file: the decoded pieces themselves, never a copy, and no
 * more of them than a reject may carry. Positions are UTF-16 units from the start of the file.
 */

/** Most of one record that is kept for the rejects file, in bytes of UTF-8. */
const SOURCE_BYTES_MAX = 16 * 1024 * 1024;

export interface XmlSource {
  isEmpty(): boolean;
  /** Takes the next piece, and drops what lies before `keepFrom`. */
  append(piece: string, keepFrom: number): void;
  /** Notes the tag whose name ends just before `position`. */
  markTag(position: number): void;
  /** Where the noted tag starts. */
  tagStart(): number;
  /** The text between two positions, built only when asked for; cut at `SOURCE_BYTES_MAX`. */
  capture(start: number, end: number): () => string;
}

interface Piece {
  start: number;
  text: string;
}

export function openXmlSource(): XmlSource {
  const pieces: Piece[] = [];
  let length = 0;
  let tagNameEnd = 0;
  return {
    isEmpty: () => length === 0,
    append(piece, keepFrom) {
      while (pieces[0] !== undefined && pieces[0].start + pieces[0].text.length <= keepFrom) pieces.shift();
      // Beyond the bound the middle of a record is dropped: its head is what a reject shows, its last piece may hold
      // the start of the next record.
      if (length - keepFrom > SOURCE_BYTES_MAX) pieces.pop();
      pieces.push({ start: length, text: piece });
      length += piece.length;
    },
    markTag(position) {
      tagNameEnd = position;
    },
    tagStart() {
      for (const { start, text } of pieces.toReversed()) {
        const index = start < tagNameEnd ? text.lastIndexOf('<', tagNameEnd - start - 1) : -1;
        if (index >= 0) return start + index;
      }
      return tagNameEnd;
    },
    capture(start, end) {
      const captured = pieces.filter((piece) => piece.start < end && piece.start + piece.text.length > start);
      return () =>
        cutBytes(captured.map(({ start: at, text }) => text.slice(Math.max(0, start - at), end - at)).join(''));
    },
  };
}

function cutBytes(text: string): string {
  if (text.length * 3 <= SOURCE_BYTES_MAX || Buffer.byteLength(text) <= SOURCE_BYTES_MAX) return text;
  const bytes = Buffer.from(text).subarray(0, SOURCE_BYTES_MAX);
  // The cut may fall inside a character; its replacement is left out.
  return bytes.toString('utf8').replace(/\ufffd$/, '');
}
