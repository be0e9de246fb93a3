/** The display name of a mark in a list. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';

/** A mark without a text is distinguished from one that is called "Word" or "Figurative". */
export function renderMarkName({
  mark_name,
  mark_feature,
}: Pick<TrademarkDetail, 'mark_name' | 'mark_feature'>): unknown {
  if (mark_name !== null) return mark_name;
  return html`<span class="silent">no text${mark_feature === null ? null : ` (${mark_feature})`}</span>`;
}
