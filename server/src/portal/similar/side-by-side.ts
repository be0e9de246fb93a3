/** Marks that a person has chosen, next to the mark that is asked for. */
import type { SimilarRecord } from '@tmds/contract/likeness';
import { html } from 'htm/preact';
import { recordPath, renderMarkName } from '../explorer/record-parts.ts';
import { describeAge, describeGoods, TIER_TITLES } from '../frame/alike-words.ts';
import { renderDate } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import { drawWord } from '../frame/word-picture.ts';
import { renderStatus } from '../frame/wording.ts';
import { type EntriesShown, nameRecord, numberOf, renderPicture, renderWhy } from './entries-view.ts';

/** More would be too narrow to read. */
export const BESIDE_MAX = 3;

interface Line {
  readonly label: string;
  readonly asked: unknown;
  readonly cell: (chosen: SimilarRecord) => unknown;
}

export interface Asked {
  readonly mark: string;
  /** In compared form. */
  readonly words: readonly string[];
  readonly classes: string | null;
}

export function renderSideBySide(asked: Asked, chosen: readonly SimilarRecord[], shown: EntriesShown): unknown {
  if (chosen.length === 0) return null;
  const drawn = drawWord(asked.mark);
  const lines: readonly Line[] = [
    {
      label: 'Picture',
      asked: drawn === null ? null : html`<img src=${`data:image/svg+xml,${encodeURIComponent(drawn)}`} alt="" />`,
      cell: ({ record }) => renderPicture(record, shown),
    },
    { label: 'Compared as', asked: asked.words.join(' '), cell: ({ compared }) => compared.words.join(' ') },
    { label: 'Tier', asked: null, cell: ({ tier }) => TIER_TITLES[tier].title },
    { label: 'Why', asked: null, cell: renderWhy },
    {
      label: 'Classes',
      asked: asked.classes,
      cell: ({ goods, record }) =>
        [(record.nice_classes ?? []).join(', '), describeGoods(goods)]
          .filter((text) => text !== null && text !== '')
          .join(' · '),
    },
    { label: 'Register', asked: null, cell: ({ record }) => registerName(record.jurisdiction_code) },
    { label: 'Number', asked: null, cell: ({ record }) => numberOf(record) },
    { label: 'Owner', asked: null, cell: ({ record }) => (record.owner_names ?? []).join('; ') },
    { label: 'Status', asked: null, cell: ({ record }) => renderStatus(record.status) },
    { label: 'Filed', asked: null, cell: ({ record: { application_date: date } }) => date && renderDate(date) },
    { label: 'Expires', asked: null, cell: ({ record: { expiry_date: date } }) => date && renderDate(date) },
    { label: 'Age', asked: null, cell: describeAge },
    {
      label: 'Remove',
      asked: null,
      cell: ({ record }) => html`<a href=${shown.linkBeside(record)} rel="nofollow">Put back</a>`,
    },
  ];
  return html`
    <section id="beside" class="sides">
      <h2>Side by side</h2>
      ${renderTable<Line>({
        label: 'Side by side',
        rows: lines,
        keyOf: ({ label }) => label,
        narrow: 'row',
        columns: [
          { label: 'What', isHeader: true, isUnlabelled: true, cell: ({ label }) => label },
          { label: asked.mark, style: 'image', cell: (line) => line.asked },
          ...chosen.map((each) => ({
            label: `${each.record.mark_name ?? 'no text'} (${nameRecord(each.record)})`,
            style: 'image' as const,
            cell: (line: Line) =>
              line.label === 'Picture'
                ? html`<a href=${recordPath(each.record, shown.opening)}>${line.cell(each)}<br />${renderMarkName(each.record)}</a>`
                : line.cell(each),
          })),
        ],
      })}
    </section>
  `;
}
