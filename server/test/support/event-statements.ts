/** Statements that a format of events yields, with the parts that lead to them. */
import type { Readable } from 'node:stream';
import type { Format } from '../../src/load/formats/format.ts';
import type { SupplementRow } from '../../src/load/kept/kept.ts';
import type { Issue } from '../../src/record/document.ts';
import type { EventBody, MarksBody } from '../../src/record/join-events.ts';
import { readAll } from './formats.ts';
import { listMutations } from './mutations.ts';

export interface ReadStatement {
  key: string;
  version: string | null;
  body: EventBody;
  issues: Issue[];
  rows: readonly SupplementRow[];
  /** The parts of the cases that it names, and the words in which it does. */
  cases: Record<string, readonly unknown[]>;
}

/** Throws if anything else is read. */
export async function readStatements(
  format: Format,
  source: string | Readable,
  name = 'fixture.xml',
): Promise<ReadStatement[]> {
  const { items, supplements } = await readAll(format, source, { register: null }, name);
  if (items.length > 0) throw new Error(`expected statements, got ${JSON.stringify(items)}`);
  return supplements.map(({ rows, issues }) => {
    const [row, ...links] = rows;
    if (row === undefined) throw new Error('a statement without a row');
    const { key, version, body } = row;
    return {
      key,
      version,
      body: body as EventBody,
      issues,
      rows,
      cases: Object.fromEntries(links.map(({ part, body: named }) => [part, (named as MarksBody).marks])),
    };
  });
}

export async function readStatement(format: Format, source: string): Promise<ReadStatement> {
  const [statement, ...others] = await readStatements(format, source);
  if (statement === undefined || others.length > 0) throw new Error(`expected one statement, got ${others.length + 1}`);
  return statement;
}

/** The names of the elements that a type definition declares. */
export function listDefined(definition: string): string[] {
  return [...definition.matchAll(/<!ELEMENT (\S+) /g)].map(([, name]) => name ?? '');
}

/** What may happen to an element below `entry` without a load noticing. */
export async function listSilent(format: Format, xml: string, entry: string): Promise<string[]> {
  const readOutcome = async (text: string): Promise<string> => {
    try {
      return JSON.stringify(await readAll(format, text));
    } catch (error) {
      return String(error);
    }
  };
  const whole = await readOutcome(xml);
  const silent: string[] = [];
  for (const { place, kind, text } of listMutations(xml, entry)) {
    if ((await readOutcome(text)) === whole) silent.push(`${place} ${kind}`);
  }
  return silent;
}
