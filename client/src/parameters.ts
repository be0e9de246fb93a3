/** Written by `npm run docs` from the contract's tables of parameters; not to be edited. */
import type { DATES_ENDPOINTS } from '@tmds/contract/dates';
import type {
  EXPORT_CONTROLS,
  HISTORY_CONTROLS,
  RECORD_HISTORY_PARAMETERS,
  SIMILAR_CONTROLS,
} from '@tmds/contract/extras';
import type { CHANGES_PARAMETERS, FILTERS, SEARCH_CONTROLS } from '@tmds/contract/parameters';
import type { Values } from './values.ts';

/** The filters of a search (specification 4.3). A list, as an array or comma-separated text, is any-of. */
export interface SearchFilters {
  /** Register codes, any of, up to 20. Left out: every register. Example: `US,EM` */
  jurisdiction?: Values<typeof FILTERS>['jurisdiction'];
  /** Registering-office codes, any of. Example: `WO` */
  office?: Values<typeof FILTERS>['office'];
  /** Exact application number, in any spelling that its register has for it. Example: `97123456` */
  application_number?: Values<typeof FILTERS>['application_number'];
  /** Exact registration number, in any spelling that its register has for it. Example: `7123456` */
  registration_number?: Values<typeof FILTERS>['registration_number'];
  /** Statuses, any of, case-insensitive. Example: `Registered,Pending` */
  status?: Values<typeof FILTERS>['status'];
  /** Kinds of mark, any of, case-insensitive. Example: `Collective` */
  kind_of_mark?: Values<typeof FILTERS>['kind_of_mark'];
  /** Mark features, any of, case-insensitive. Example: `Word` */
  mark_feature?: Values<typeof FILTERS>['mark_feature'];
  /** Nice classes, any of. Example: `9,42` */
  nice_class?: Values<typeof FILTERS>['nice_class'];
  /** Nice classes, all of. Example: `9,42` */
  nice_class_all?: Values<typeof FILTERS>['nice_class_all'];
  /** Vienna codes or dotted prefixes, any of; a single segment needs a companion filter. Example: `26.03` */
  vienna_code?: Values<typeof FILTERS>['vienna_code'];
  /** Exact mark text or held variant. Example: `acme` */
  mark_name?: Values<typeof FILTERS>['mark_name'];
  /** Part of the mark text. Example: `cme` */
  mark_name_contains?: Values<typeof FILTERS>['mark_name_contains'];
  /** Start of the mark text. Example: `acm` */
  mark_name_startswith?: Values<typeof FILTERS>['mark_name_startswith'];
  /** Exact owner name. Example: `acme inc.` */
  owner_name?: Values<typeof FILTERS>['owner_name'];
  /** Part of an owner name. Example: `acme` */
  owner_name_contains?: Values<typeof FILTERS>['owner_name_contains'];
  /** Start of an owner name. Example: `acm` */
  owner_name_startswith?: Values<typeof FILTERS>['owner_name_startswith'];
  /** Exact representative name. Example: `jane doe` */
  representative_name?: Values<typeof FILTERS>['representative_name'];
  /** Part of a representative name. Example: `doe` */
  representative_name_contains?: Values<typeof FILTERS>['representative_name_contains'];
  /** Start of a representative name. Example: `jane` */
  representative_name_startswith?: Values<typeof FILTERS>['representative_name_startswith'];
  /** Codes of the proprietor's country, any of. Example: `JP` */
  owner_country?: Values<typeof FILTERS>['owner_country'];
  /** Exact Madrid registration number. Example: `1234567` */
  international_registration_number?: Values<typeof FILTERS>['international_registration_number'];
  /** Exact priority claim number. Example: `2023-104522` */
  priority_number?: Values<typeof FILTERS>['priority_number'];
  /** Designated countries, any of. Example: `FR,DE` */
  designated_country?: Values<typeof FILTERS>['designated_country'];
  /** Content changed at or after this instant. Example: `2026-01-01T00:00:00Z` */
  updated_since?: Values<typeof FILTERS>['updated_since'];
  /** Content changed before this instant. Example: `2026-02-01T00:00:00Z` */
  updated_before?: Values<typeof FILTERS>['updated_before'];
  /** Exact application date, YYYY-MM-DD; excludes the _from and _to forms. Example: `2024-03-15` */
  application_date?: Values<typeof FILTERS>['application_date'];
  /** Earliest application date, inclusive, YYYY-MM-DD. Example: `2024-01-01` */
  application_date_from?: Values<typeof FILTERS>['application_date_from'];
  /** Latest application date, inclusive, YYYY-MM-DD. Example: `2024-12-31` */
  application_date_to?: Values<typeof FILTERS>['application_date_to'];
  /** Exact registration date, YYYY-MM-DD; excludes the _from and _to forms. Example: `2024-03-15` */
  registration_date?: Values<typeof FILTERS>['registration_date'];
  /** Earliest registration date, inclusive, YYYY-MM-DD. Example: `2024-01-01` */
  registration_date_from?: Values<typeof FILTERS>['registration_date_from'];
  /** Latest registration date, inclusive, YYYY-MM-DD. Example: `2024-12-31` */
  registration_date_to?: Values<typeof FILTERS>['registration_date_to'];
  /** Exact publication date, YYYY-MM-DD; excludes the _from and _to forms. Example: `2024-03-15` */
  publication_date?: Values<typeof FILTERS>['publication_date'];
  /** Earliest publication date, inclusive, YYYY-MM-DD. Example: `2024-01-01` */
  publication_date_from?: Values<typeof FILTERS>['publication_date_from'];
  /** Latest publication date, inclusive, YYYY-MM-DD. Example: `2024-12-31` */
  publication_date_to?: Values<typeof FILTERS>['publication_date_to'];
  /** Exact status date, YYYY-MM-DD; excludes the _from and _to forms. Example: `2024-03-15` */
  status_date?: Values<typeof FILTERS>['status_date'];
  /** Earliest status date, inclusive, YYYY-MM-DD. Example: `2024-01-01` */
  status_date_from?: Values<typeof FILTERS>['status_date_from'];
  /** Latest status date, inclusive, YYYY-MM-DD. Example: `2024-12-31` */
  status_date_to?: Values<typeof FILTERS>['status_date_to'];
  /** Exact expiry date, YYYY-MM-DD; excludes the _from and _to forms. Example: `2024-03-15` */
  expiry_date?: Values<typeof FILTERS>['expiry_date'];
  /** Earliest expiry date, inclusive, YYYY-MM-DD. Example: `2024-01-01` */
  expiry_date_from?: Values<typeof FILTERS>['expiry_date_from'];
  /** Latest expiry date, inclusive, YYYY-MM-DD. Example: `2024-12-31` */
  expiry_date_to?: Values<typeof FILTERS>['expiry_date_to'];
  /** Exact termination date, YYYY-MM-DD; excludes the _from and _to forms. Example: `2024-03-15` */
  termination_date?: Values<typeof FILTERS>['termination_date'];
  /** Earliest termination date, inclusive, YYYY-MM-DD. Example: `2024-01-01` */
  termination_date_from?: Values<typeof FILTERS>['termination_date_from'];
  /** Latest termination date, inclusive, YYYY-MM-DD. Example: `2024-12-31` */
  termination_date_to?: Values<typeof FILTERS>['termination_date_to'];
  /** Exact opposition period end, YYYY-MM-DD; excludes the _from and _to forms. Example: `2024-03-15` */
  opposition_period_end?: Values<typeof FILTERS>['opposition_period_end'];
  /** Earliest opposition period end, inclusive, YYYY-MM-DD. Example: `2024-01-01` */
  opposition_period_end_from?: Values<typeof FILTERS>['opposition_period_end_from'];
  /** Latest opposition period end, inclusive, YYYY-MM-DD. Example: `2024-12-31` */
  opposition_period_end_to?: Values<typeof FILTERS>['opposition_period_end_to'];
}

/** What shapes a search page without selecting records. */
export interface SearchControls {
  /** Adds matched_count, bounded at 10,000. Example: `capped` */
  count?: Values<typeof SEARCH_CONTROLS>['count'];
  /** Adds the full normalized document to every record. Example: `payload` */
  expand?: Values<typeof SEARCH_CONTROLS>['expand'];
  /** Sort key, updated_at unless given; records without it come last. Example: `application_date` */
  sort?: Values<typeof SEARCH_CONTROLS>['sort'];
  /** Order of the sort key, desc (latest first) unless given. Example: `asc` */
  order?: Values<typeof SEARCH_CONTROLS>['order'];
  /** The previous page's next_cursor, verbatim. */
  cursor?: Values<typeof SEARCH_CONTROLS>['cursor'];
  /** Page size; at most 50 with expand=payload. Example: `100` */
  limit?: Values<typeof SEARCH_CONTROLS>['limit'];
}

/** A page of the change feed, but for `since`. */
export interface ChangesControls {
  /** The previous page's next_cursor, verbatim. */
  cursor?: Values<typeof CHANGES_PARAMETERS>['cursor'];
  /** Page size; at most 200 with expand=payload. Example: `1000` */
  limit?: Values<typeof CHANGES_PARAMETERS>['limit'];
  /** Adds the full normalized document to every record. Example: `payload` */
  expand?: Values<typeof CHANGES_PARAMETERS>['expand'];
}

/** A page of the history, but for `since` and the filters of a search. */
export interface HistoryControls {
  /** Events in which any of these fields changed; `payload` is the document. Example: `status,owner_names` */
  field?: Values<typeof HISTORY_CONTROLS>['field'];
  /** Events with any of these causes. Example: `office,correction` */
  cause?: Values<typeof HISTORY_CONTROLS>['cause'];
  /** The previous page's next_cursor, verbatim. */
  cursor?: Values<typeof HISTORY_CONTROLS>['cursor'];
  /** Most events of a page. Example: `500` */
  limit?: Values<typeof HISTORY_CONTROLS>['limit'];
}

/** A list of dates, but for the filters of a search. */
export interface DueControls {
  /** Only dates of these events. Example: `renewal,use_declaration` */
  event?: Values<typeof DATES_ENDPOINTS.due_dates.parameters>['event'];
  /** The previous page's next_cursor, verbatim. */
  cursor?: Values<typeof DATES_ENDPOINTS.due_dates.parameters>['cursor'];
  /** Most records of a page. Example: `100` */
  limit?: Values<typeof DATES_ENDPOINTS.due_dates.parameters>['limit'];
}

/** A page of the history of one record. */
export interface RecordHistoryControls {
  /** Events in which any of these fields changed; `payload` is the document. Example: `status,owner_names` */
  field?: Values<typeof RECORD_HISTORY_PARAMETERS>['field'];
  /** Events with any of these causes. Example: `office,correction` */
  cause?: Values<typeof RECORD_HISTORY_PARAMETERS>['cause'];
  /** The previous page's next_cursor, verbatim. */
  cursor?: Values<typeof RECORD_HISTORY_PARAMETERS>['cursor'];
  /** Most events of a page. Example: `50` */
  limit?: Values<typeof RECORD_HISTORY_PARAMETERS>['limit'];
}

/** A whole search as a stream, but for its fields and the filters. */
export interface ExportControls {
  /** Sort key, updated_at unless given; records without it come last. Example: `application_date` */
  sort?: Values<typeof EXPORT_CONTROLS>['sort'];
  /** Order of the sort key, desc (latest first) unless given. Example: `asc` */
  order?: Values<typeof EXPORT_CONTROLS>['order'];
  /** The last next_cursor of an export of the same search; the export continues after it. */
  cursor?: Values<typeof EXPORT_CONTROLS>['cursor'];
}

/** A search for marks whose names are alike, but for `mark` and the filters of a search. */
export interface SimilarControls {
  /**
   * The strategies by which names are found, and the texts that are compared: `mark`, `variant` (translations and
   * transliterations that the register holds) and `pseudo_mark`. If no strategy is named, all are used; if no text, all
   * are. Example: `equal,edits,sound,letters`
   */
  strategies?: Values<typeof SIMILAR_CONTROLS>['strategies'];
  /**
   * Nice classes of the goods of the mark. Within a tier, records in one of them come first, then those in related
   * classes. It leaves nothing out; nice_class does. Example: `9,42`
   */
  classes?: Values<typeof SIMILAR_CONTROLS>['classes'];
  /** Most entries of the answer. There is no further page. Example: `50` */
  limit?: Values<typeof SIMILAR_CONTROLS>['limit'];
}
