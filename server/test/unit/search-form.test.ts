/** The search form sends what it shows, and its own fields become filters of the API with nothing lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILTERS, type FilterName } from '@tmds/contract/parameters';
import type { DateText } from '@tmds/contract/record';
import { renderToString } from 'preact-render-to-string';
import { translateForm } from '../../src/portal/explorer/form-fields.ts';
import { renderFilters } from '../../src/portal/explorer/search-form.ts';
import { readPairs, type SearchPairs } from '../../src/portal/explorer/search-pairs.ts';

const TODAY = '2026-03-10' as DateText;

function attribute(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&') ?? '';
}

/** What a browser sends of the form that shows a search. */
function sendForm(pairs: SearchPairs): URLSearchParams {
  const page = renderToString(renderFilters({ pairs, registers: ['FR', 'US', 'EM'], refusal: null }) as never);
  const sent = new URLSearchParams();
  for (const [tag, kind] of page.matchAll(/<(input|select)\b[^>]*>/g)) {
    const isBox = attribute(tag, 'type') === 'checkbox';
    if (kind === 'input' && (!isBox || / checked/.test(tag)))
      sent.append(attribute(tag, 'name'), attribute(tag, 'value'));
  }
  for (const [, tag = '', options = ''] of page.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
    const chosen = /<option[^>]* selected[^>]*>/.exec(options)?.[0] ?? '';
    sent.append(attribute(tag, 'name'), attribute(chosen, 'value'));
  }
  return sent;
}

function resend(pairs: SearchPairs): SearchPairs {
  return readPairs(translateForm(sendForm(pairs), TODAY) ?? new URLSearchParams(), []);
}

test('sends every filter of the contract again as it was asked, and none that was not [4.3]', () => {
  assert.deepEqual(resend([]), []);
  for (const name of Object.keys(FILTERS) as FilterName[]) {
    const pairs = [[name, FILTERS[name].example]] as const;
    assert.deepEqual(resend(pairs), pairs, name);
  }
});

test('keeps several filters of one name or one date', () => {
  const searches: SearchPairs[] = [
    [
      ['mark_name', 'one'],
      ['mark_name_contains', 'two'],
      ['mark_name_startswith', 'three'],
    ],
    [
      ['expiry_date', '2026-01-01'],
      ['expiry_date_from', '2026-01-02'],
      ['expiry_date_to', '2026-01-03'],
    ],
  ];
  for (const pairs of searches) assert.deepEqual([...resend(pairs)].sort(), [...pairs].sort());
});

function translate(query: string): string {
  return decodeURIComponent(translateForm(new URLSearchParams(query), TODAY)?.toString() ?? 'as it is');
}

test('turns an operator and its text into the filter of the API', () => {
  assert.equal(translate('mark_name_how=contains&mark_name_text=acme'), 'mark_name_contains=acme');
  assert.equal(translate('owner_name_how=is&owner_name_text=acme&key=1'), 'key=1&owner_name=acme');
  assert.equal(translate('mark_name_how=contains&mark_name_text='), '');
  assert.equal(translate('mark_name_how=never&mark_name_text=acme'), 'mark_name_never=acme', 'for the API to refuse');
  assert.equal(translate('mark_name=acme&status=Pending'), 'as it is');
});

test('turns a span of days into its first and last day, in UTC and both inclusive', () => {
  const days = (when: string): string => translate(`expiry_date_when=${when}&expiry_date_from=2020-01-01`);
  assert.equal(days(''), 'expiry_date_from=2020-01-01');
  assert.equal(days('any'), '');
  assert.equal(days('on'), 'expiry_date=2020-01-01');
  assert.equal(days('last_7'), 'expiry_date_from=2026-03-04&expiry_date_to=2026-03-10');
  assert.equal(days('next_30'), 'expiry_date_from=2026-03-10&expiry_date_to=2026-04-08');
  assert.equal(days('last_year'), 'expiry_date_from=2025-01-01&expiry_date_to=2025-12-31');
});
