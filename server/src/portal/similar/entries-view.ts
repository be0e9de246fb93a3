/**
 * The marks that are alike: a table for each tier, with what makes each alike, and families folded into one row; and
 * those that a person has chosen, next to the mark that is asked for.
 */
import {
  LIKENESS_TIERS,
  type LikenessTier,
  type SimilarEntry,
  type SimilarPage,
  type SimilarRecord,
} from '@tmds/contract/likeness';
import { describeReasons } from '@tmds/contract/likeness-words';
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { Queryable } from '../../database/driver/db.ts';
import type { Judgement } from '../../store/accounts/similar-judgements.ts';
import { decodeImage, firstImage, type Opening, recordPath, renderMarkName } from '../explorer/record-parts.ts';
import type { Download } from '../frame/call.ts';
import { renderBadge, renderDisclosure, renderSubheading } from '../frame/components.ts';
import { renderTick } from '../frame/fields.ts';
import { spellRecords } from '../frame/party-names.ts';
import { formatCount, renderDate } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import { drawWord } from '../frame/word-picture.ts';
import { describeAge, describeGoods, renderStatus, TIER_TITLES } from '../frame/wording.ts';

export interface EntriesShown {
  /** How records open; its key is empty if the key of the page is not for records. */
  readonly opening: Opening;
  readonly linkPicture: (record: TrademarkDetail) => string;
  /** The address of this page with the record next to the mark that is asked for, or without it if it is there. */
  readonly linkBeside: (record: TrademarkDetail) => string;
  readonly isBeside: (record: TrademarkDetail) => boolean;
  /** What the team thinks of records, by `nameRecord`. */
  readonly judgements: ReadonlyMap<string, Judgement>;
}

/** The name of a record in addresses and forms. */
export function nameRecord({ jurisdiction_code, uid }: Pick<TrademarkDetail, 'jurisdiction_code' | 'uid'>): string {
  return `${jurisdiction_code}/${uid}`;
}

export function listShown({ items }: SimilarPage): SimilarRecord[] {
  return items.flatMap((entry) => [entry, ...(entry.family?.members ?? [])]);
}

/** The same answer with names of owners as the source spells them. */
export async function spellShown(db: Queryable, page: SimilarPage): Promise<SimilarPage> {
  const spelled = await spellRecords(
    db,
    listShown(page).map(({ record }) => record),
  );
  let at = 0;
  // In the order of `listShown`.
  const spell = <Entry extends SimilarRecord>(entry: Entry): Entry => ({ ...entry, record: spelled[at++]! });
  const items = page.items.map((entry) => {
    const { family, ...spelt } = spell(entry);
    return { ...spelt, family: family && { ...family, members: family.members.map(spell) } };
  });
  return { ...page, items };
}

export function renderEntries({ items }: SimilarPage, shown: EntriesShown): unknown {
  return LIKENESS_TIERS.map((tier) => {
    const entries = items.filter((entry) => entry.tier === tier);
    return entries.length === 0 ? null : renderTier(tier, entries, shown);
  });
}

function renderTier(tier: LikenessTier, entries: readonly SimilarEntry[], shown: EntriesShown): unknown {
  const { title, means } = TIER_TITLES[tier];
  return html`
    <section id=${`tier-${tier}`} class="tier">
      ${renderSubheading(`${title} (${formatCount(entries.length)})`, html`<span class="silent">${means}</span>`)}
      ${renderTable<SimilarEntry>({
        label: `${title} marks`,
        rows: entries,
        columns: [
          { label: 'Choose', isUnlabelled: true, cell: ({ record }) => renderChoice(record) },
          {
            label: 'Picture',
            isUnlabelled: true,
            style: 'image',
            cell: ({ record }) => renderPicture(record, shown.linkPicture(record)),
          },
          { label: 'Mark', isHeader: true, style: 'name', cell: (entry) => renderMark(entry, shown) },
          { label: 'Register and owner', style: 'name', cell: ({ record }) => renderWhose(record) },
          { label: 'Why', style: 'words', cell: renderWhy },
          { label: 'Goods', style: 'name', cell: renderGoods },
          { label: 'Status and age', cell: renderStanding },
          { label: 'Compare', isUnlabelled: true, cell: ({ record }) => renderBesideLink(record, shown) },
        ],
      })}
    </section>
  `;
}

/** The words of a mark drawn on the page; any other picture from its address. */
export function renderPicture(record: TrademarkDetail, address: string): unknown {
  const isWord = record.mark_feature === 'Word' || record.mark_feature === null;
  return (isWord ? renderDrawn(record.mark_name) : null) ?? html`<img src=${address} alt="" loading="lazy" />`;
}

function renderDrawn(text: string | null): unknown {
  const drawn = drawWord(text);
  return drawn === null ? null : html`<img src=${`data:image/svg+xml,${encodeURIComponent(drawn)}`} alt="" />`;
}

/** What is at that address: the picture in the document of a record, or its words drawn. */
export function buildPicture(payload: unknown, name: string | null): Download {
  const uri = firstImage(payload);
  if (uri === null) {
    const drawn = drawWord(name ?? 'no picture') ?? '';
    return { download: 'image.svg', type: 'image/svg+xml', chunks: [Buffer.from(drawn)] };
  }
  const { type, bytes } = decodeImage(uri);
  return { download: 'image', type, chunks: [bytes] };
}

function renderChoice(record: TrademarkDetail): unknown {
  const name = nameRecord(record);
  return renderTick('record', name, record.mark_name ?? name);
}

function renderJudgement(record: TrademarkDetail, { judgements }: EntriesShown): unknown {
  const judged = judgements.get(nameRecord(record));
  if (judged === undefined) return null;
  const badge = judged.is_relevant ? renderBadge('warn', 'relevant') : renderBadge('off', 'not relevant');
  return html` <span title=${`${judged.judged_by}, ${judged.judged_at.slice(0, 10)}`}>${badge}</span>`;
}

function renderMark(entry: SimilarEntry, shown: EntriesShown): unknown {
  const { record, family } = entry;
  return html`
    <a href=${recordPath(record, shown.opening)} dir="auto">${renderMarkName(record)}</a>${renderJudgement(record, shown)}
    ${
      family === null
        ? null
        : renderDisclosure(
            `${formatCount(family.members.length)} more of this owner that ${family.members.length === 1 ? 'begins' : 'begin'} with ${family.beginning}`,
            html`<ul class="entries">${family.members.map((member) => renderMember(member, shown))}</ul>`,
          )
    }
  `;
}

function renderWhose(record: TrademarkDetail): unknown {
  const owner = record.owner_names?.[0];
  return html`
    <span>
      ${registerName(record.jurisdiction_code)} <bdi>${numberOf(record)}</bdi>
      ${owner === undefined ? null : html`<br /><span class="silent"><bdi>${owner}</bdi></span>`}
    </span>
  `;
}

function renderMember(member: SimilarRecord, shown: EntriesShown): unknown {
  const { record } = member;
  const tier = TIER_TITLES[member.tier].title;
  return html`
    <li>
      <span>
        ${renderChoice(record)}${' '}
        <a href=${recordPath(record, shown.opening)} dir="auto">${renderMarkName(record)}</a>
        ${renderJudgement(record, shown)}${' '}
        <span class="silent">${registerName(record.jurisdiction_code)}, ${tier.toLowerCase()}</span>
        ${' '}${renderStatus(record.status)} ${renderBesideLink(record, shown)}
      </span>
    </li>
  `;
}

export function numberOf({ application_number, registration_number, uid }: TrademarkDetail): string {
  return application_number ?? registration_number ?? uid;
}

/** What makes it alike: what the name is if it is not the text of the mark, and a line for each strategy. */
function renderWhy(entry: Pick<SimilarRecord, 'name' | 'held_as' | 'evidence' | 'compared'>): unknown {
  const { compared } = entry;
  return html`
    <ul class="entries">
      ${describeReasons(entry).map((text) => html`<li><bdi>${text}</bdi></li>`)}
      ${
        compared.is_transliterated
          ? html`<li class="silent">Transliterated here as <bdi>${compared.words.join(' ')}</bdi></li>`
          : null
      }
    </ul>
  `;
}

function renderGoods({ goods, record }: SimilarRecord): unknown {
  const relation = describeGoods(goods);
  const classes = record.nice_classes ?? [];
  const stated =
    classes.length === 0 ? 'no class stated' : `${classes.length === 1 ? 'Class' : 'Classes'} ${classes.join(', ')}`;
  return html`
    <span>
      ${relation === null ? null : html`${relation}<br />`}
      <span class=${relation === null ? null : 'silent'}>${stated}</span>
    </span>
  `;
}

function renderStanding(entry: SimilarRecord): unknown {
  const age = describeAge(entry);
  return html`
    <span>
      ${renderStatus(entry.record.status)}
      ${age === null ? null : html`<br /><span class="silent">${age}</span>`}
    </span>
  `;
}

function renderBesideLink(record: TrademarkDetail, { linkBeside, isBeside }: EntriesShown): unknown {
  const isThere = isBeside(record);
  return html`
    <a href=${linkBeside(record)} rel="nofollow">
      ${isThere ? 'Put back' : 'Side by side'}<span class="unseen"> ${record.mark_name ?? record.uid}</span>
    </a>
  `;
}

/** More would be too narrow to read. */
export const BESIDE_MAX = 3;

interface Line {
  readonly label: string;
  readonly asked: unknown;
  readonly cell: (chosen: SimilarRecord) => unknown;
}

export function renderSideBySide(
  asked: { mark: string; words: readonly string[]; classes: string | null },
  chosen: readonly SimilarRecord[],
  shown: EntriesShown,
): unknown {
  if (chosen.length === 0) return null;
  const lines: readonly Line[] = [
    {
      label: 'Picture',
      asked: renderDrawn(asked.mark),
      cell: ({ record }) => renderPicture(record, shown.linkPicture(record)),
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
