/**
 * The source text of the record being read, for the rejects file: the decoded texts themselves, not copies, and no
 * more of them than a reject may carry. Positions count UTF-16 units from the start of the file.
 */
import { UNDECODABLE } from './xml-faults.ts';

/** The most that the rejects file holds of one record, in bytes of UTF-8. */
const SOURCE_BYTES_MAX = 16 * 1024 * 1024;

export interface XmlSource {
  isEmpty(): boolean;
  /** Adds the next text, and drops what lies before `keepFrom`. */
  append(text: string, keepFrom: number): void;
  /** Notes that the name of a tag ends just before `position`. */
  markTag(position: number): void;
  /** Where that tag starts. */
  tagStart(): number;
  /** The character at a position; empty where its text is no longer held. */
  characterAt(position: number): string;
  /** The text from the last `&` before a position on; null if it is longer than a reference may be. */
  referenceBefore(position: number): string | null;
  /**
   * The text between two positions, cut at `SOURCE_BYTES_MAX`; built when the function is called. Bytes that were not
   * UTF-8 are replacement characters in it.
   */
  capture(start: number, end: number): () => string;
}

/** Longer texts after an ampersand are no names of entities. */
const REFERENCE_LENGTH_MAX = 10_000;

interface Part {
  start: number;
  text: string;
}

export function openXmlSource(): XmlSource {
  const parts: Part[] = [];
  let length = 0;
  let tagNameEnd = 0;
  const characterAt = (position: number): string => {
    const part = parts.findLast(({ start }) => start <= position);
    return part?.text.charAt(position - part.start) ?? '';
  };
  return {
    isEmpty: () => length === 0,
    append(text, keepFrom) {
      const dropped = parts.findIndex((part) => part.start + part.text.length > keepFrom);
      parts.splice(0, dropped < 0 ? parts.length : dropped);
      // A record beyond the bound loses its middle: a reject shows its head, and the last part may hold the start of
      // the next record.
      if (length - keepFrom > SOURCE_BYTES_MAX) parts.pop();
      parts.push({ start: length, text });
      length += text.length;
    },
    markTag(position) {
      tagNameEnd = position;
    },
    tagStart() {
      for (const { start, text } of parts.toReversed()) {
        const index = start < tagNameEnd ? text.lastIndexOf('<', tagNameEnd - start - 1) : -1;
        if (index >= 0) return start + index;
      }
      return tagNameEnd;
    },
    characterAt,
    referenceBefore(position) {
      let reference = '';
      for (let at = position - 1; reference.length < REFERENCE_LENGTH_MAX; at -= 1) {
        const character = characterAt(at);
        if (character === '') return null;
        reference = character + reference;
        if (character === '&') return reference;
      }
      return null;
    },
    capture(start, end) {
      const captured = parts.filter((part) => part.start < end && part.start + part.text.length > start);
      return () =>
        cutBytes(captured.map(({ start: at, text }) => text.slice(Math.max(0, start - at), end - at)).join(''));
    },
  };
}

function cutBytes(stated: string): string {
  const text = stated.replaceAll(UNDECODABLE, '\ufffd');
  if (text.length * 3 <= SOURCE_BYTES_MAX || Buffer.byteLength(text) <= SOURCE_BYTES_MAX) return text;
  const bytes = Buffer.from(text).subarray(0, SOURCE_BYTES_MAX);
  // The cut may fall inside a character, which then decodes to a replacement character.
  return bytes.toString('utf8').replace(/\ufffd$/, '');
}
