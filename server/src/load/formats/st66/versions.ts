/**
 * Orders the versions of one mark by the time when the office produced the file, compared as text. A time with a zone
 * is converted to UTC, a time without one stays as it is; each office always writes one or the other.
 */
const PRODUCED_AT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/;

/** Null when the text is not a time of this form. */
export function parseProducedAt(text: string | null): string | null {
  const [, time, fraction = '', zone] = PRODUCED_AT.exec(text ?? '') ?? [];
  if (time === undefined) return null;
  if (zone === undefined) return `${time}${fraction}`;
  const ms = Date.parse(`${time}${zone}`);
  return Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, time.length)}${fraction}`;
}
