/**
 * Whether a column holds a text, in whatever case either is written. What is upper and lower case is decided here, the
 * same on every server: PostgreSQL's own `lower` depends on the locale of its cluster, and in a Turkish one `I` is no
 * upper case of `i`.
 */
import { type Statement, sql } from './sql.ts';

export function containsAnyCase(column: Statement, text: string): Statement {
  const wanted = [...text].map(foldLetter);
  // Only the letters that are looked for have to be brought to lower case.
  const pairs = [...new Set(wanted)].flatMap((lower) => {
    const upper = lower.toUpperCase();
    return upper !== lower && foldLetter(upper) === lower ? [{ upper, lower }] : [];
  });
  const from = pairs.map(({ upper }) => upper).join('');
  const to = pairs.map(({ lower }) => lower).join('');
  return sql`strpos(translate(${column}, ${from}, ${to}), ${wanted.join('')}) > 0`;
}

/** One character for one, so that `translate` can do the same. */
function foldLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return [...lower].length === 1 ? lower : letter;
}
