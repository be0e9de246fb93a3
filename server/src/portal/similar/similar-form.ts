/** The form of a search for likeness. It validates nothing: the refusal of the API is shown next to its field. */
import { STATUSES } from '@tmds/contract/enums';
import { LIKENESS_CHOICES } from '@tmds/contract/likeness';
import type { JurisdictionInfo } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { Refusal } from '../explorer/ask.ts';
import { type KeyChoice, renderKeyChoice } from '../explorer/ask.ts';
import { describeFilters } from '../explorer/filter-chips.ts';
import type { SearchPairs } from '../explorer/search-pairs.ts';
import { listChoices } from '../frame/alike-words.ts';
import { renderActions, renderButton, renderLinkButton } from '../frame/components.ts';
import { renderChipSet, renderField } from '../frame/fields.ts';
import { registerName } from '../frame/registers.ts';
import { titleOfClass } from '../frame/wording.ts';
import type { SimilarTarget } from './similar-target.ts';

interface FormShown {
  readonly asked: SimilarTarget;
  readonly choice: KeyChoice;
  readonly registers: readonly JurisdictionInfo[];
  readonly refusal: Refusal | null;
}

/** Filters that have a field here; others of the address are kept. */
const SHOWN_FILTERS = ['jurisdiction', 'status'];
const CLASSES = Array.from({ length: 45 }, (_, at) => String(at + 1));

function chosenOf(pairs: SearchPairs, name: string): string[] {
  const value = pairs.find(([known]) => known === name)?.[1] ?? '';
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

export function renderSimilarForm({ asked, choice, registers, refusal }: FormShown): unknown {
  const { pairs, filters } = asked;
  const refusalOf = (name: string): string | null => (refusal?.param === name ? refusal.message : null);
  const chipSet = (name: string, legend: string, choices: readonly Choice[], hint: string): unknown => {
    const asked = chosenOf(pairs, name);
    const known = new Set(choices.map(({ value }) => value));
    const others = asked.filter((value) => !known.has(value)).map((value) => ({ value, label: value, title: value }));
    return renderChipSet({
      legend,
      name,
      choices: [...choices, ...others],
      chosen: asked,
      hint,
      refusal: refusalOf(name),
    });
  };
  const kept = filters.filter(([name]) => !SHOWN_FILTERS.includes(name));
  const served = registers.filter(({ record_count }) => record_count > 0);
  return html`
    <form method="get" action="/portal/similar" class="filters" data-slow="Comparing names…" aria-label="Is it free?">
      ${renderField({
        id: 'mark',
        label: 'Mark',
        hint: 'The text of the mark that you want to use, in any script.',
        refusal: refusalOf('mark'),
        attributes: { value: asked.mark, required: true, maxlength: 400, dir: 'auto', spellcheck: 'false' },
      })}
      ${chipSet(
        'classes',
        'Classes of its goods and services',
        CLASSES.map((value) => ({ value, label: value, title: titleOfClass(Number(value)) ?? value })),
        'They order the results and leave nothing out.',
      )}
      ${chipSet(
        'jurisdiction',
        'Registers',
        served.map(({ jurisdiction_code: code }) => ({ value: code, label: registerName(code), title: code })),
        'None chosen means all.',
      )}
      <details class="advanced" open=${SHOWN.some((name) => chosenOf(pairs, name).length > 0) || kept.length > 0}>
        <summary>Status and strategies</summary>
        ${chipSet(
          'status',
          'Status',
          STATUSES.map((value) => ({ value, label: value, title: value })),
          'None chosen means every status, ended marks included.',
        )}
        ${chipSet(
          'strategies',
          'Strategies, and the texts that are compared',
          listChoices(LIKENESS_CHOICES),
          'No strategy chosen means all; no text chosen means all: that of the mark, and those that registers hold.',
        )}
        ${kept.length === 0 ? null : html`<p>Also: <bdi>${describeFilters(kept)}</bdi></p>`}
      </details>
      ${kept.map(([name, value]) => html`<input key=${name} type="hidden" name=${name} value=${value} />`)}
      ${renderKeyChoice(choice)}
      ${renderActions(
        renderButton('Search'),
        renderLinkButton('Clear', `/portal/similar?key=${choice.key?.id ?? ''}`, 'second'),
      )}
    </form>
  `;
}

const SHOWN = ['status', 'strategies'];

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly title: string;
}
