/** The classes of a mark. Those in force are its goods, of which the tables have no text; former ones are separate. */
import { parseNiceClass, sortClasses } from '../classes.ts';
import { type ClassEntry, type ClassScheme, type GoodsAndServices, stated } from '../document.ts';
import type { Row } from '../tables.ts';
import type { MarkRows } from './rows.ts';

export interface MarkClasses {
  niceClasses: number[] | null;
  goods: GoodsAndServices[];
  former: ClassEntry[];
}

/** Systems of the classification of other rights. */
const OTHER_SYSTEMS: ReadonlySet<string> = new Set(['ipc_mark', 'cpc_mark', 'locarno']);

export function readClasses(rows: MarkRows): MarkClasses {
  const niceClasses: number[] = [];
  const goods: GoodsAndServices[] = [];
  const former: ClassEntry[] = [];
  for (const row of rows.list('application_classification')) {
    const text = row.text('classification');
    if (row.flag('is_current') === false) {
      former.push(readFormer(row, text));
      continue;
    }
    const { scheme, system } = readScheme(row);
    const number = text === null || OTHER_SYSTEMS.has(system?.toLowerCase() ?? '') ? null : parseNiceClass(text);
    if (number !== null) niceClasses.push(number);
    else row.raise('unmapped_class', 'classification', text ?? '');
    goods.push(
      stated<GoodsAndServices>({
        scheme,
        edition: row.text('classification_system_version'),
        classification: scheme === 'nice' ? null : system,
        class: text,
        details: row.rest(),
      }),
    );
  }
  goods.sort((one, other) => Number(one.class ?? 0) - Number(other.class ?? 0));
  return { niceClasses: sortClasses(niceClasses), goods, former };
}

/** A system that is not stated, or of a name that the dictionary does not have, is an issue. */
function readScheme(row: Row): { scheme: ClassScheme; system: string | null } {
  const system = row.text('classification_system');
  const word = system?.toLowerCase() ?? '';
  if (word === 'nice') return { scheme: 'nice', system };
  if (!OTHER_SYSTEMS.has(word)) row.raise('unmapped_class', 'classification_system', system ?? '');
  return { scheme: 'unknown', system };
}

function readFormer(row: Row, text: string | null): ClassEntry {
  return stated<ClassEntry>({
    international_codes: text === null || row.text('classification_system')?.toLowerCase() !== 'nice' ? null : [text],
    status_date: row.statedDay('classification_removal_date'),
    details: stated({
      is_current: row.cells.is_current,
      classification: row.cells.classification_system?.toLowerCase() === 'nice' ? null : text,
      classification_system: row.cells.classification_system,
      ...row.rest(),
    }),
  });
}
