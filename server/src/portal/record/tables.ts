/**
 * Lists of a payload as tables with columns for the members that most entries have; the rest of an entry is next to
 * them.
 */
import { html } from 'htm/preact';
import { renderDisclosure } from '../frame/components.ts';
import { Members } from '../frame/payload-reader.ts';
import { renderStated } from '../frame/pieces.ts';
import { renderTable as renderRows } from '../frame/table.ts';
import { renderLeft } from './generic-view.ts';

/** The members of an entry that have columns, with their headings. */
export type Columns = Readonly<Record<string, string>>;

export function renderTable(label: string, columns: Columns, entries: readonly unknown[]): unknown {
  const rows = entries.map((entry) => {
    const members = new Members(entry);
    const cells = Object.fromEntries(Object.keys(columns).map((name) => [name, members.text(name)]));
    return { cells, left: renderFurther(members) };
  });
  const names = Object.keys(columns).filter((name) => rows.some(({ cells }) => cells[name] !== null));
  const hasMore = rows.some(({ left }) => left !== null);
  return renderRows<(typeof rows)[number]>({
    label,
    narrow: 'row',
    rows,
    columns: [
      ...names.map((name) => ({
        label: columns[name] ?? name,
        style: name === 'date' ? ('date' as const) : ('words' as const),
        cell: ({ cells }: (typeof rows)[number]) =>
          name === 'date' ? renderStated(cells[name] ?? null) : html`<span dir="auto">${cells[name]}</span>`,
      })),
      ...(hasMore ? [{ label: 'Further', isUnlabelled: true, cell: ({ left }: (typeof rows)[number]) => left }] : []),
    ],
  });
}

function renderFurther(members: Members): unknown {
  if (members.left().length === 0) return null;
  return renderDisclosure('Further', renderLeft(members));
}
