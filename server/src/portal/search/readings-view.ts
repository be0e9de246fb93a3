/** How the text of the search bar was understood, and its other possible meanings, with the matches of each. */
import { findSpreadsheetFault } from '@tmds/contract/docket/spreadsheet';
import { html } from 'htm/preact';
import { renderCount, renderEmpty } from '../frame/components.ts';
import { isTooLong, TEXT_CHARACTERS_MAX, tidyText } from './readings.ts';
import { type CountedReading, linkReading } from './routes.ts';

interface ReadingsShown {
  /** As typed. */
  readonly text: string;
  readonly keyId: string;
}

interface Understood extends ReadingsShown {
  /** Whether the page shows this reading. */
  readonly isShown: (reading: CountedReading) => boolean;
  /** In how many of how many registers it has matches, such as `3 of 28 registers`; null if that is not known. */
  readonly places: string | null;
}

export function renderReadings(
  readings: readonly CountedReading[],
  { text, keyId, isShown, places }: Understood,
): unknown {
  const shown = readings.find(isShown);
  const others = readings.filter((reading) => reading !== shown && reading.count !== 0);
  if (shown === undefined && others.length === 0) return null;
  return html`
    <p id="readings">
      ${shown === undefined ? null : html`<strong><bdi>${asBeginning(shown.title)}</bdi></strong>${places === null ? null : ` (${places})`}. `}
      ${others.length === 0 ? null : shown === undefined ? 'Possible meanings: ' : 'Also: '}
      ${others.map((reading, at) => html`${at > 0 ? ', ' : ''}${renderOther(reading, { text, keyId })}`)}
    </p>
  `;
}

function asBeginning(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function renderOther(reading: CountedReading, { text, keyId }: ReadingsShown): unknown {
  const { title, count } = reading;
  return html`<a key=${title} rel="nofollow" href=${linkReading(reading, text, keyId)}><bdi>${title}</bdi></a>${' '}
    ${count === null ? html`<span class="silent">(not counted in time)</span>` : renderCount(count)}`;
}

/** Instead of results, when no reading of the text has a match. `registers`: how many were searched. */
export function renderNothingFound(
  readings: readonly CountedReading[],
  { text, keyId, registers }: ReadingsShown & { readonly registers: number },
): unknown {
  const typed = tidyText(text);
  if (isTooLong(typed)) {
    return renderEmpty(
      `The search bar takes up to ${TEXT_CHARACTERS_MAX} characters. Shorten the text, or search with the fields here.`,
    );
  }
  const spoilt = findSpreadsheetFault(typed);
  if (spoilt !== null) return renderEmpty(html`<bdi>${spoilt}</bdi>`);
  const places = registers === 1 ? 'the one register' : `all ${registers} registers`;
  const isEmpty = readings.every(({ count }) => count === 0);
  return html`
    ${
      isEmpty
        ? renderEmpty(
            html`No trademarks found for “<bdi>${typed}</bdi>”. It was searched for in ${places}, as a number, a mark,
              an owner and a representative. This cost nothing.`,
          )
        : null
    }
    ${renderReadings(readings, { text, keyId, isShown: () => false, places: null })}
  `;
}
