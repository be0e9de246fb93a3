/**
 * Describes faults of XML for the operator. It decides which faults cost the file and which only the record around
 * them: a character that XML forbids does not disturb the tags, so reading can continue after it. It knows neither the
 * parser nor a format.
 */

/** Stands for bytes that are not UTF-8. XML forbids this character, so a parser rejects it like the others. */
export const UNDECODABLE = '\uffff';

/** The parser's words for a fault, without place and full stop. */
export function nameFault(error: Error): string {
  return error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
}

/**
 * Why the fault costs its record alone; null if it costs the file. `character`: the one that the parser has just read.
 */
export function explainCharacter(fault: string, character: string): string | null {
  if (fault === 'malformed character entity') return 'has a reference to a character that XML forbids';
  // A tag sign inside of an attribute has the same message, but may hide where the record ends.
  if (fault !== 'disallowed character' || character === '<') return null;
  if (character === UNDECODABLE) return 'has bytes that are not UTF-8';
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `has the character U+${code}, which XML forbids`;
}

/** Why the fault costs the file. */
export function explainFault(fault: string, declaresEntities: boolean): string {
  if (fault !== 'undefined entity') return `is not well-formed XML: ${fault}`;
  return declaresEntities
    ? 'uses an entity that it declares; declared entities are refused, never expanded'
    : 'uses an entity that XML does not define';
}

/** What a document type declaration says about entities; an internal subset without any is fine. */
export function inspectDeclaration(declaration: string): { declaresEntities: boolean; declaresExternal: boolean } {
  const bare = declaration.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  return {
    declaresEntities: bare.includes('<!ENTITY'),
    declaresExternal: /<!ENTITY\s+(?:%\s+)?[^\s>]+\s+(?:SYSTEM|PUBLIC)\b/.test(bare),
  };
}
