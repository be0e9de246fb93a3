/** The names under which statements are prepared, the same on every connection of a pool. */

export type StatementNames = (text: string) => string;

/** Distinct texts to prepare; later ones run unprepared, so that connections do not accumulate statements. */
const PREPARED_TEXTS_MAX = 256;

/** The name is empty once there are too many. */
export function buildStatementNames(): StatementNames {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= PREPARED_TEXTS_MAX) return '';
    const name = `s${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}
