/**
 * What orders the versions of one mark: when its office produced the file, compared as text. A time with a zone is
 * brought to UTC, a time without one stays as it is; an office writes the one or the other.
 */
const PRODUCED_AT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/;

/** Null when the text is no such time. */
export function parseProducedAt(text: string | null): string | null {
  const [, time, fraction = '', zone] = PRODUCED_AT.exec(text ?? '') ?? [];
  if (time === undefined) return null;
  if (zone === undefined) return `${time}${fraction}`;
  const ms = Date.parse(`${time}${zone}`);
  return Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, time.length)}${fraction}`;
}
