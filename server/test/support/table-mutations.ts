/** Changes to the tables of a set, one at a time, that a reader must notice: to cells, to columns and to rows. */

export interface TableMutation {
  /** The table's file and what was changed in it, as in `upd_jiken_c_t.tsv shutugan_bi emptied`. */
  title: string;
  files: Readonly<Record<string, string>>;
}

interface Table {
  fileName: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

function parseTable(fileName: string, text: string): Table {
  const [columns = [], ...rows] = text
    .replace('\ufeff', '')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'));
  return { fileName, columns, rows };
}

const writeTable = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  `${[columns, ...rows].map((cells) => cells.join('\t')).join('\n')}\n`;

const isStated = (cell: string | undefined): boolean => cell !== undefined && !/^[0\s]*$/.test(cell);

/** A blank cell and one of zeros state nothing, and a column without a stated cell does not either. */
export function listTableMutations(files: Readonly<Record<string, string>>): TableMutation[] {
  const tables = Object.entries(files).map(([fileName, text]) => parseTable(fileName, text));
  return tables.flatMap((table, at): TableMutation[] => {
    const { fileName } = table;
    const changed = [...mutateCells(table), ...mutateColumns(table), ...mutateRows(table)];
    const other = tables[(at + 1) % tables.length] ?? table;
    return [
      ...changed.map(([what, spoilt]) => ({ title: `${fileName} ${what}`, files: { ...files, [fileName]: spoilt } })),
      ...table.rows.map((cells, row) => ({
        title: `${fileName} row ${row + 1} moved`,
        files: {
          ...files,
          [fileName]: writeTable(table.columns, table.rows.toSpliced(row, 1)),
          [other.fileName]: writeTable(other.columns, [...other.rows, cells]),
        },
      })),
    ];
  });
}

type Change = readonly [what: string, text: string];

function mutateCells({ columns, rows }: Table): Change[] {
  const replace = (row: number, cells: readonly string[]): string =>
    writeTable(
      columns,
      rows.map((each, at) => (at === row ? cells : each)),
    );
  return rows.flatMap((cells, row) =>
    columns.flatMap((column, place): Change[] => {
      if (!isStated(cells[place])) return [];
      const emptied = cells.with(place, '');
      const free = cells.findIndex((cell, at) => cell === '' && at !== place);
      const moved =
        free === -1 ? [] : [[`${column} moved`, replace(row, emptied.with(free, cells[place] ?? ''))] as const];
      return [[`${column} emptied`, replace(row, emptied)], ...moved];
    }),
  );
}

function mutateColumns({ columns, rows }: Table): Change[] {
  return columns.flatMap((column, place): Change[] => {
    if (!rows.some((cells) => isStated(cells[place]))) return [];
    const without = (cells: readonly string[]): string[] => cells.toSpliced(place, 1);
    const twice = (cells: readonly string[]): string[] => cells.toSpliced(place, 0, cells[place] ?? '');
    return [
      [`${column} removed`, writeTable(without(columns), rows.map(without))],
      [`${column} doubled`, writeTable(twice(columns), rows.map(twice))],
      [`${column} misspelt`, writeTable(columns.with(place, `${column}x`), rows)],
    ];
  });
}

function mutateRows({ columns, rows }: Table): Change[] {
  return rows.flatMap((cells, row): Change[] => [
    [`row ${row + 1} removed`, writeTable(columns, rows.toSpliced(row, 1))],
    [`row ${row + 1} doubled`, writeTable(columns, rows.toSpliced(row, 0, cells))],
  ]);
}
