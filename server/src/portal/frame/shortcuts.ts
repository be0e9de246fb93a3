/**
 * The keys that do something on pages where scripts run (`public/portal.js`), as a page that works without. A test
 * presses each of them.
 */
import { html } from 'htm/preact';
import type { Page, PortalRoute } from './call.ts';
import { renderHeading } from './components.ts';
import { renderTable } from './table.ts';

interface Shortcut {
  readonly keys: readonly string[];
  readonly where: string;
  readonly does: string;
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['?'], where: 'Every page', does: 'Opens this list' },
  { keys: ['/'], where: 'Every page with the search bar', does: 'Goes to the search bar' },
  { keys: ['j', 'k'], where: 'Results of a search', does: 'Goes to the next or the previous trademark' },
  { keys: ['Enter'], where: 'Results of a search', does: 'Opens the trademark that you are at' },
  {
    keys: ['j', 'k'],
    where: 'A trademark that you opened from a search',
    does: 'Opens the next or the previous trademark of the search',
  },
];

export const SHORTCUT_ROUTES: readonly PortalRoute[] = [
  { method: 'GET', url: '/shortcuts', people: async () => renderShortcuts() },
];

function renderShortcuts(): Page {
  const body = html`
    <section class="narrow">
      ${renderHeading('Keyboard shortcuts')}
      ${renderTable<Shortcut>({
        label: 'Keyboard shortcuts',
        narrow: 'row',
        rows: SHORTCUTS,
        columns: [
          {
            label: 'Key',
            isHeader: true,
            cell: ({ keys }) => keys.map((key, at) => html`${at > 0 ? ' or ' : null}<kbd>${key}</kbd>`),
          },
          { label: 'Where', style: 'name', cell: ({ where }) => where },
          { label: 'What it does', style: 'name', cell: ({ does }) => does },
        ],
      })}
      <p class="hint">
        They work while you are not typing in a field, in browsers that run scripts. Everything they do can be done
        with links and buttons too: Tab goes through them, and Enter presses one.
      </p>
    </section>
  `;
  return { title: 'Keyboard shortcuts', body };
}
