/**
 * The published study of computed deadlines (signa-so/research, commit beb2cfa), read from a folder outside the
 * repository: its samples, renewal events, oppositions, and the figures that it reports for its own rules. It states no
 * licence, so nothing of it is kept here; only counts are published.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Route } from '@tmds/contract/dates';
import type { DateText } from '@tmds/contract/record';
import type { Facts } from '../../server/src/dates/compute.ts';

/** The study's names of offices, and the registers of the rules. Offices of the international register vary. */
const REGISTERS: Record<string, string> = {
  cipo: 'CA',
  euipo: 'EM',
  'inpi-fr': 'FR',
  ipau: 'AU',
  ipi: 'CH',
  ipos: 'SG',
  nipo: 'NO',
  prv: 'SE',
  uspto: 'US',
  wipo: 'WO',
};
export const OFFICES = Object.keys(REGISTERS);
export const OPPOSED_OFFICES = ['cipo', 'euipo', 'ipau', 'ipos', 'uspto'];

/** Codes of the USPTO that note a filing; the others note an acceptance, a reminder or an answer. */
const US_FILINGS = ['E89R', 'E815', '815F', '89AF', 'ES8R', '9.AF', '8.AF', 'ES71', 'ES75', '715F'];

interface SampleRow {
  readonly id: string;
  readonly filing_route: string;
  readonly filing_date: string | null;
  readonly registration_date: string | null;
  readonly expiry_date: string | null;
  readonly publication_date_first: string | null;
  readonly stratum: string;
}

export interface Sampled {
  readonly id: string;
  readonly route: Route;
  /** Decade of registration, as the study draws its sample. */
  readonly era: string;
  readonly facts: Facts;
}

export interface Dated {
  readonly id: string;
  readonly date: DateText;
}

export interface Opposed {
  readonly facts: Facts;
  readonly route: Route;
  readonly filed: DateText;
  readonly isRegistered: boolean;
}

interface PublishedCell {
  readonly office: string;
  readonly route_group: Route;
  readonly n: number;
  readonly agreement: { readonly k: number } | null;
}

/** Agreeing and all, by `office|route`. */
export type Published = ReadonlyMap<string, { readonly k: number; readonly n: number }>;

export function readSamples(folder: string, office: string): Sampled[] {
  const parents = readParents(folder, office);
  return readGzip<SampleRow[]>(folder, `data/samples/${office}.json.gz`).map((row) => {
    const route: Route = row.filing_route.startsWith('madrid') ? 'madrid' : 'direct';
    const parent = parents.get(row.id);
    return {
      id: row.id,
      route,
      era: row.stratum.split(':')[1] ?? '',
      facts: makeFacts(office, route, {
        application_date: day(row.filing_date),
        // The filing date of an international registration is its own; the other is sometimes the day of a record.
        registration_date: day(office === 'wipo' ? row.filing_date : row.registration_date),
        publication_date: day(row.publication_date_first),
        international_registration_date: day(parent?.ir_date ?? null),
        international_expiry_date: day(parent?.ir_expiry ?? null),
        expiry: day(row.expiry_date),
      }),
    };
  });
}

/** Renewals and declarations that were filed. */
export function readFilings(folder: string, office: string): Dated[] {
  const rows = readGzip<{ trademark_record_id: string; event_date: string; event_raw_code: string | null }[]>(
    folder,
    `data/events/${office}.json.gz`,
  );
  return rows
    .filter(({ event_raw_code: code }) => office !== 'uspto' || US_FILINGS.includes(code ?? ''))
    .map((row) => ({ id: row.trademark_record_id, date: row.event_date.slice(0, 10) }));
}

export function readOppositions(folder: string, office: string): Opposed[] {
  const rows = readGzip<
    { filing_route: string; publication_date: string; registration_date: string | null; filed_date: string }[]
  >(folder, `data/oppositions/${office}.json.gz`);
  return rows.map((row) => {
    const route: Route = row.filing_route.startsWith('madrid') ? 'madrid' : 'direct';
    return {
      route,
      filed: row.filed_date,
      isRegistered: row.registration_date !== null && row.filed_date > row.registration_date,
      facts: makeFacts(office, route, { publication_date: row.publication_date }),
    };
  });
}

export function readPublished(folder: string): { renewal: Published; filings: Published; oppositions: Published } {
  const run = readJson<{ direct_cells: PublishedCell[]; event_cells: PublishedCell[] }>(
    folder,
    'results/run-2026-07-11-postfix-s71.json',
  );
  const { cells } = readJson<{ cells: { cell: string; consistency: { k: number; n: number } }[] }>(
    folder,
    'results/oppositions-2026-07-11-postfix.json',
  );
  return {
    renewal: sumCells(run.direct_cells),
    filings: sumCells(run.event_cells),
    oppositions: new Map(cells.map(({ cell, consistency }) => [cell, { k: consistency.k, n: consistency.n }])),
  };
}

/** The study splits the international register by kind of deadline; here it is one row. */
function sumCells(cells: readonly PublishedCell[]): Published {
  const sums = new Map<string, { k: number; n: number }>();
  for (const { office, route_group, n, agreement } of cells) {
    if (agreement === null) continue;
    const sum = sums.get(`${office}|${route_group}`) ?? { k: 0, n: 0 };
    sums.set(`${office}|${route_group}`, { k: sum.k + agreement.k, n: sum.n + n });
  }
  return sums;
}

function readParents(
  folder: string,
  office: string,
): Map<string, { ir_date: string | null; ir_expiry: string | null }> {
  const rows = readJson<{ id: string; office_code: string; ir_date: string | null; ir_expiry: string | null }[]>(
    folder,
    'data/ir-parent-join.json',
  );
  const parents = new Map<string, { ir_date: string | null; ir_expiry: string | null }>();
  for (const row of rows.filter((row) => row.office_code === office)) {
    const known = parents.get(row.id);
    parents.set(row.id, {
      ir_date: row.ir_date ?? known?.ir_date ?? null,
      ir_expiry: row.ir_expiry ?? known?.ir_expiry ?? null,
    });
  }
  return parents;
}

function makeFacts(
  office: string,
  route: Route,
  { expiry = null, ...dates }: Partial<Record<keyof Facts['anchors'] | 'expiry', DateText | null>>,
): Facts {
  const none = {
    application_date: null,
    registration_date: null,
    publication_date: null,
    priority_date: null,
    international_registration_date: null,
    international_expiry_date: null,
  };
  return {
    jurisdiction: REGISTERS[office] ?? office,
    route,
    status: 'Registered',
    anchors: { ...none, ...dates },
    stated: { expiry, oppositionEnd: null },
    terminated: null,
  };
}

function day(instant: string | null): DateText | null {
  return instant === null ? null : instant.slice(0, 10);
}

function readGzip<Content>(folder: string, path: string): Content {
  return JSON.parse(gunzipSync(readFileSync(join(folder, path))).toString()) as Content;
}

function readJson<Content>(folder: string, path: string): Content {
  return JSON.parse(readFileSync(join(folder, path), 'utf8')) as Content;
}
