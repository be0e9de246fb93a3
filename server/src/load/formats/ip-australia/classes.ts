/** The classes of a mark. Those in force are its goods, of which the tables have no text; former ones are separate. */
import { parseNiceClass } from '../codes.ts';
import { type ClassEntry, type ClassScheme, type GoodsAndServices, stated } from '../payload.ts';
import { cell, flagCell, listRows, type MarkRows, type Row, raiseIssue, restOf, statedDate } from './rows.ts';

export interface MarkClasses {
  niceClasses: number[] | null;
  goods: GoodsAndServices[];
  former: ClassEntry[];
}

/** Systems of the classification of other rights. */
const OTHER_SYSTEMS: ReadonlySet<string> = new Set(['ipc_mark', 'cpc_mark', 'locarno']);

export function readClasses(rows: MarkRows): MarkClasses {
  const niceClasses = new Set<number>();
  const goods: GoodsAndServices[] = [];
  const former: ClassEntry[] = [];
  for (const row of listRows(rows, 'application_classification')) {
    const text = cell(row, 'classification');
    if (flagCell(rows, row, 'is_current') === false) {
      former.push(readFormer(row, text));
      continue;
    }
    const { scheme, system } = readScheme(rows, row);
    const number = text === null || OTHER_SYSTEMS.has(system?.toLowerCase() ?? '') ? null : parseNiceClass(text);
    if (number !== null) niceClasses.add(number);
    else raiseIssue(rows, 'unmapped_class', row, 'classification', text ?? '');
    goods.push(
      stated<GoodsAndServices>({
        scheme,
        edition: cell(row, 'classification_system_version'),
        classification: scheme === 'nice' ? null : system,
        class: text,
        details: restOf(row),
      }),
    );
  }
  goods.sort((one, other) => Number(one.class ?? 0) - Number(other.class ?? 0));
  return {
    niceClasses: niceClasses.size === 0 ? null : [...niceClasses].sort((a, b) => a - b),
    goods,
    former,
  };
}

/** A system that is not stated, or of a name that the dictionary does not have, is an issue. */
function readScheme(rows: MarkRows, row: Row): { scheme: ClassScheme; system: string | null } {
  const system = cell(row, 'classification_system');
  const word = system?.toLowerCase() ?? '';
  if (word === 'nice') return { scheme: 'nice', system };
  if (!OTHER_SYSTEMS.has(word)) raiseIssue(rows, 'unmapped_class', row, 'classification_system', system ?? '');
  return { scheme: 'unknown', system };
}

function readFormer(row: Row, text: string | null): ClassEntry {
  return stated<ClassEntry>({
    international_codes: text === null || cell(row, 'classification_system')?.toLowerCase() !== 'nice' ? null : [text],
    status_date: statedDate(row, 'classification_removal_date'),
    details: stated({
      is_current: row.cells.is_current,
      classification: row.cells.classification_system?.toLowerCase() === 'nice' ? null : text,
      classification_system: row.cells.classification_system,
      ...restOf(row),
    }),
  });
}
