/** What a record states that dates follow from. */
import type { Anchor, Route } from '@tmds/contract/dates';
import type { DateText, RecordContent } from '@tmds/contract/record';

export interface Facts {
  readonly jurisdiction: string;
  readonly route: Route;
  readonly status: RecordContent['status'];
  readonly anchors: { readonly [Name in Anchor]: DateText | null };
  readonly stated: { readonly expiry: DateText | null; readonly oppositionEnd: DateText | null };
  readonly terminated: DateText | null;
}

/** What another record states about the same mark: the international registration that it came from. */
export interface Parent {
  readonly registered: DateText | null;
  readonly expires: DateText | null;
}

type Stated = Pick<
  RecordContent,
  | 'jurisdiction_code'
  | 'office'
  | 'status'
  | 'application_number'
  | 'application_date'
  | 'registration_date'
  | 'publication_date'
  | 'expiry_date'
  | 'opposition_period_end'
  | 'termination_date'
  | 'international_registration_numbers'
>;

export function readFacts(record: Stated, parent: Parent | null = null, priority: DateText | null = null): Facts {
  return {
    jurisdiction: record.jurisdiction_code,
    route: routeOf(record),
    status: record.status,
    anchors: {
      application_date: record.application_date,
      registration_date: record.registration_date,
      publication_date: record.publication_date,
      priority_date: priority,
      international_registration_date: parent?.registered ?? null,
      international_expiry_date: parent?.expires ?? null,
    },
    stated: { expiry: record.expiry_date, oppositionEnd: record.opposition_period_end },
    terminated: record.termination_date,
  };
}

/** Registers that name an international registration on a mark only if the mark came from it. */
const NAMED_BY_PARENT: readonly string[] = ['AU', 'BR'];
/** Serial numbers that the USPTO gives to requests for extension (TMEP 401.02). */
const US_EXTENSION = /^79\d{6}$/u;

/** Readers state the office WO on every record that is part of an international registration. */
function routeOf(record: Stated): Route {
  const isPart =
    record.office === 'WO' ||
    record.jurisdiction_code === 'WO' ||
    (record.jurisdiction_code === 'US' && US_EXTENSION.test(record.application_number ?? '')) ||
    (NAMED_BY_PARENT.includes(record.jurisdiction_code) && record.international_registration_numbers !== null);
  return isPart ? 'madrid' : 'direct';
}
