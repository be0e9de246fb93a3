/** Chooses the format that reads a file, by the beginning of the file or of the members of an archive. */
import { OperatorError } from '../../base/errors.ts';
import type { Format } from '../formats/format.ts';
import { type Head, peekEntry } from '../formats/head.ts';
import { type Recognition, recognizeHead } from '../formats/recognize.ts';
import { FORMATS, findFormat } from '../formats/registry.ts';
import type { Source } from '../sources/source.ts';

export interface Choice {
  /** The entry that decided, or else the first one. */
  head: Head;
  recognition: Recognition;
  /** The best format; null if none reads the file. */
  format: Format | null;
}

/** How many members of an archive are checked before it counts as unknown: pages and pictures may come first. */
const MEMBERS_MAX = 100;

/** Reads the source, which must be opened again to be read whole. Null for an archive without files. */
export async function chooseFormat(source: Source): Promise<Choice | null> {
  let first: Choice | null = null;
  let looked = 0;
  for await (const member of source.entries(() => true)) {
    if (member.refusal !== undefined) continue;
    const { head, entry } = await peekEntry(member);
    entry.stream.destroy();
    const recognition = recognizeHead(head);
    const format = recognition.formats.map(findFormat).find((each) => each !== null) ?? null;
    // A member that loads would skip says nothing about the archive.
    const isRead = format !== null && (member.isMember !== true || format.accepts(member.name));
    const choice = { head, recognition, format: isRead ? format : null };
    if (isRead) return choice;
    first ??= choice;
    looked += 1;
    if (looked === MEMBERS_MAX) break;
  }
  return first;
}

/** One sentence for the operator, about a file that no format reads. */
export function unknownFile(name: string, choice: Choice | null): OperatorError {
  if (choice === null) return new OperatorError(`${name} is an archive without files`);
  const { head, recognition } = choice;
  const where = name.endsWith(head.name) ? '' : ` (${head.name})`;
  const remedy = recognition.remedy ?? `name its format by --format: ${FORMATS.map((each) => each.name).join(', ')}`;
  return new OperatorError(`${name} seems to be ${recognition.seen}${where}, which no format reads; ${remedy}`);
}
