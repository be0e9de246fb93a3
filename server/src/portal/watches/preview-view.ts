/** The preview of a watch: how many records match now, and how many hits it would have had in each month. */

import type { Instant } from '@tmds/contract/record';
import type { WatchDetail, WatchMonth } from '@tmds/contract/watches';
import { html } from 'htm/preact';
import type { WatchedRecord } from '../../store/watches/watches.ts';
import { renderDayChart } from '../frame/charts.ts';
import { renderDisclosure, renderEmpty, renderNotice } from '../frame/components.ts';
import { formatCount, formatMonth, renderInstant } from '../frame/pieces.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';
import { renderListed, renderRecordName } from './definition-view.ts';

export interface PreviewShown {
  /** Null if it took too long. */
  readonly counts: Pick<WatchDetail, 'matches_now' | 'months' | 'counted_from'> | null;
  /** Listed records that no register has now. */
  readonly missing: readonly WatchedRecord[];
  /** Lines that were left out, because another names the same. */
  readonly repeats: number;
}

/** `withHits`: the watch exists, and may have had some. */
export function renderPreview({ counts, missing, repeats }: PreviewShown, withHits: boolean): unknown {
  return html`
    <section>
      <h2>${withHits ? 'Matches' : 'Preview'}</h2>
      ${repeats === 0 ? null : renderNotice('plain', describeRepeats(repeats))}
      ${missing.length === 0 ? null : renderMissing(missing)}
      ${
        counts === null
          ? renderEmpty('The matches could not be counted in time. The watch works anyway.')
          : renderCounts(counts, withHits)
      }
    </section>
  `;
}

function describeRepeats(repeats: number): string {
  return repeats === 1
    ? 'One line repeats another line and is left out.'
    : `${formatCount(repeats)} lines repeat other lines and are left out.`;
}

function renderMissing(missing: readonly WatchedRecord[]): unknown {
  const isOne = missing.length === 1;
  const subject = isOne ? 'One record of the list is' : `${formatCount(missing.length)} records of the list are`;
  const fate = isOne ? 'It is watched anyway' : 'They are watched anyway';
  const sentence = `${subject} in no register now. ${fate}, with hits once a register has ${isOne ? 'it' : 'them'}.`;
  return renderNotice('warn', html`<p>${sentence}</p>${renderListed('Which', missing.map(renderRecordName))}`);
}

function renderCounts(
  { matches_now, months, counted_from }: NonNullable<PreviewShown['counts']>,
  withHits: boolean,
): unknown {
  const isQuiet = months.every(({ events, hits }) => events === 0 && hits === 0);
  if (matches_now === 0 && isQuiet) return renderEmpty('No record matches now.');
  const matching = matches_now === 1 ? 'record matches' : 'records match';
  const bars = months
    .toReversed()
    .flatMap(({ month, events }) =>
      events === null
        ? []
        : [{ label: MONTHS[Number(month.slice(5)) - 1]!, title: formatMonth(month), values: [events] }],
    );
  return html`
    <p>
      <strong>${formatCount(matches_now)}</strong> ${matching} now. Changes that such a watch finds, by month,
      earlier ones included:
    </p>
    ${counted_from.startsWith(`${months.at(-1)!.month}-01T00:00:00.000000`) ? null : renderStopped(counted_from)}
    ${renderDayChart(bars, ['events'])}
    ${renderDisclosure('The same as a table', renderMonths(months, withHits))}
  `;
}

function renderStopped(countedFrom: Instant): unknown {
  return renderNotice(
    'plain',
    html`The history has more events than a preview reads. They are counted from ${renderInstant(countedFrom)} on.`,
  );
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function renderMonths(months: readonly WatchMonth[], withHits: boolean): unknown {
  const hits: TableColumn<WatchMonth> = { label: 'Hits', style: 'number', cell: (month) => formatCount(month.hits) };
  return renderTable<WatchMonth>({
    label: 'Matches by month',
    narrow: 'row',
    rows: months,
    keyOf: ({ month }) => month,
    columns: [
      { label: 'Month (UTC)', isHeader: true, cell: ({ month }) => formatMonth(month) },
      {
        label: 'Events',
        style: 'number',
        cell: ({ events }) => (events === null ? 'not counted' : formatCount(events)),
      },
      { label: 'Last changed', style: 'number', cell: ({ last_changed }) => formatCount(last_changed) },
      ...(withHits ? [hits] : []),
    ],
  });
}
