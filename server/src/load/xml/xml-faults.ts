/**
 * Describes faults of XML for the operator. It decides which faults cost the file and which only the record around
 * them: a character that XML forbids, or a reference to an entity that nobody declares, does not disturb the tags, so
 * reading can continue after it. It knows neither the parser nor a format.
 */

/** Stands for bytes that are not UTF-8. XML forbids this character, so a parser rejects it like the others. */
export const UNDECODABLE = '\uffff';

/** The parser's words for a fault, without place and full stop. */
export function nameFault(error: Error): string {
  return error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
}

/** What the parser has just read. */
interface FaultyText {
  /** The last character. */
  character: string;
  /** The text from the last `&` on, if the fault is one of a reference; null if it is too long to be one. */
  reference: string | null;
}

/** Faults of a reference, whose text the parser then takes as it is written. */
const REFERENCE_FAULTS: ReadonlySet<string> = new Set([
  'undefined entity',
  'disallowed character in entity name',
  'empty entity name',
]);

const REFERENCE_SHOWN_MAX = 40;

/** Why the fault costs its record alone; null if it costs the file. `declared`: the entities that the file declares. */
export function explainRecordFault(
  fault: string,
  { character, reference }: FaultyText,
  declared: ReadonlySet<string>,
): string | null {
  if (fault === 'malformed character entity') return 'has a reference to a character that XML forbids';
  if (fault === 'the string "]]>" is disallowed in char data')
    return 'has the characters ]]>, which XML forbids in text';
  if (REFERENCE_FAULTS.has(fault)) {
    // A tag sign may hide where the record ends.
    if (reference === null || reference.includes('<') || declared.has(reference.slice(1, -1))) return null;
    return `has the reference ${reference.slice(0, REFERENCE_SHOWN_MAX)}, which XML does not define`;
  }
  // A tag sign inside of an attribute has the same message, but may hide where the record ends.
  if (fault !== 'disallowed character' || character === '<') return null;
  if (character === UNDECODABLE) return 'has bytes that are not UTF-8';
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `has the character U+${code}, which XML forbids`;
}

/** Why the fault costs the file. */
export function explainFault(fault: string): string {
  if (fault !== 'undefined entity') return `is not well-formed XML: ${fault}`;
  return 'uses an entity that it declares; declared entities are refused, never expanded';
}

/** What a document type declaration says about entities; an internal subset without any is fine. */
export function inspectDeclaration(declaration: string): { declared: string[]; declaresExternal: boolean } {
  const bare = declaration.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  return {
    declared: Array.from(bare.matchAll(/<!ENTITY\s+([^\s%>]+)/g), ([, name = '']) => name),
    declaresExternal: /<!ENTITY\s+(?:%\s+)?[^\s>]+\s+(?:SYSTEM|PUBLIC)\b/.test(bare),
  };
}
