"""Written by `npm run docs` from the interface description; not to be edited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar

from .export import ExportWalk
from .model import Model
from .models import (
    BucketDigestsPage,
    ChangesPage,
    CoverageReport,
    DateRulesPage,
    DeltasPage,
    DigestsPage,
    DuePage,
    DuePageItems,
    Health,
    HistoryEvent,
    HistoryPage,
    IdentitiesPage,
    JurisdictionsPage,
    KindOfMark,
    MarkFeature,
    NumbersPage,
    RecordDates,
    RecordDigest,
    RecordIdentity,
    RegisterDigestsPage,
    SearchPage,
    SimilarPage,
    SnapshotsPage,
    Status,
    TrademarkDetail,
    UsageReport,
    Watch,
    WatchDetail,
    WatchDiagnosis,
    WatchesPage,
    WatchHit,
    WatchHitsPage,
    Webhook,
    WebhookDeliveriesPage,
    WebhookDelivery,
    WebhooksPage,
    WebhookWithSecret,
)
from .query import AnyOf, Day, Moment, build_path, write_identities, write_numbers, write_register_numbers
from .walks import ITEMS_MAX_DEFAULT, FeedWalk, SearchWalk, Walk

M = TypeVar("M", bound=Model)


class Calls:
    """A method for each endpoint of the service. Each call costs one unit when it is served."""

    def _call(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any],
        model: type[M],
        *,
        body: Mapping[str, Any] | None = None,
        metered: bool = True,
    ) -> M:
        raise NotImplementedError

    def _export(self, query: Mapping[str, Any], cursor: str | None) -> ExportWalk:
        raise NotImplementedError

    def health(self) -> Health:
        """
        Liveness: `GET /v1/health`. Free, with a single attempt.

        200 if the service can answer queries. Needs no key and is not metered.
        """
        query: dict[str, Any] = {}
        return self._call("GET", build_path("health"), query, Health, metered=False)

    def usage(self) -> UsageReport:
        """
        The key's usage this month: `GET /v1/usage`. One unit.

        Counts, quotas and limits of every product of the key, this call included.
        """
        query: dict[str, Any] = {}
        return self._call("GET", build_path("usage"), query, UsageReport)

    def jurisdictions(self) -> JurisdictionsPage:
        """
        Registers served: `GET /v1/jurisdictions`. One unit.

        All registers with their record counts and how current they are, sorted by code.
        """
        query: dict[str, Any] = {}
        return self._call("GET", build_path("jurisdictions"), query, JurisdictionsPage)

    def search(
        self,
        *,
        jurisdiction_code: str | None = None,
        jurisdiction: AnyOf[str] | None = None,
        office: AnyOf[str] | None = None,
        application_number: str | None = None,
        registration_number: str | None = None,
        status: AnyOf[Status] | AnyOf[str] | None = None,
        kind_of_mark: AnyOf[KindOfMark] | AnyOf[str] | None = None,
        mark_feature: AnyOf[MarkFeature] | AnyOf[str] | None = None,
        nice_class: AnyOf[int] | str | None = None,
        nice_class_all: AnyOf[int] | str | None = None,
        vienna_code: AnyOf[str] | None = None,
        mark_name: str | None = None,
        mark_name_contains: str | None = None,
        mark_name_startswith: str | None = None,
        owner_name: str | None = None,
        owner_name_contains: str | None = None,
        owner_name_startswith: str | None = None,
        representative_name: str | None = None,
        representative_name_contains: str | None = None,
        representative_name_startswith: str | None = None,
        owner_country: AnyOf[str] | None = None,
        international_registration_number: str | None = None,
        priority_number: str | None = None,
        designated_country: AnyOf[str] | None = None,
        updated_since: Moment | None = None,
        updated_before: Moment | None = None,
        application_date: Day | None = None,
        application_date_from: Day | None = None,
        application_date_to: Day | None = None,
        registration_date: Day | None = None,
        registration_date_from: Day | None = None,
        registration_date_to: Day | None = None,
        publication_date: Day | None = None,
        publication_date_from: Day | None = None,
        publication_date_to: Day | None = None,
        status_date: Day | None = None,
        status_date_from: Day | None = None,
        status_date_to: Day | None = None,
        expiry_date: Day | None = None,
        expiry_date_from: Day | None = None,
        expiry_date_to: Day | None = None,
        termination_date: Day | None = None,
        termination_date_from: Day | None = None,
        termination_date_to: Day | None = None,
        opposition_period_end: Day | None = None,
        opposition_period_end_from: Day | None = None,
        opposition_period_end_to: Day | None = None,
        count: Literal["capped"] | None = None,
        expand: Literal["payload"] | None = None,
        sort: Literal["updated_at", "application_date", "registration_date"] | None = None,
        order: Literal["asc", "desc"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> SearchPage:
        """
        Search all registers: `GET /v1/trademarks`, or `/v1/{jurisdiction_code}/trademarks`. One unit.

        Filters are combined with AND, the values of one comma-separated parameter with OR (except
        `nice_class_all`). A search without a match is answered with 200 and empty `items`.

        Args:
            jurisdiction_code: One register, through its own endpoint; then leave out `jurisdiction`. Default:
                all.
            jurisdiction: Register codes, any of, up to 20. Left out: every register. Example: `US,EM`
            office: Registering-office codes, any of. Example: `WO`
            application_number: Exact application number, in any spelling that its register has for it.
                Example: `97123456`
            registration_number: Exact registration number, in any spelling that its register has for it.
                Example: `7123456`
            status: Statuses, any of, case-insensitive. Example: `Registered,Pending`
            kind_of_mark: Kinds of mark, any of, case-insensitive. Example: `Collective`
            mark_feature: Mark features, any of, case-insensitive. Example: `Word`
            nice_class: Nice classes, any of. Example: `9,42`
            nice_class_all: Nice classes, all of. Example: `9,42`
            vienna_code: Vienna codes or dotted prefixes, any of; a single segment needs a companion filter.
                Example: `26.03`
            mark_name: Exact mark text or held variant. Example: `acme`
            mark_name_contains: Part of the mark text. Example: `cme`
            mark_name_startswith: Start of the mark text. Example: `acm`
            owner_name: Exact owner name. Example: `acme inc.`
            owner_name_contains: Part of an owner name. Example: `acme`
            owner_name_startswith: Start of an owner name. Example: `acm`
            representative_name: Exact representative name. Example: `jane doe`
            representative_name_contains: Part of a representative name. Example: `doe`
            representative_name_startswith: Start of a representative name. Example: `jane`
            owner_country: Codes of the proprietor's country, any of. Example: `JP`
            international_registration_number: Exact Madrid registration number. Example: `1234567`
            priority_number: Exact priority claim number. Example: `2023-104522`
            designated_country: Designated countries, any of. Example: `FR,DE`
            updated_since: Content changed at or after this instant. Example: `2026-01-01T00:00:00Z`
            updated_before: Content changed before this instant. Example: `2026-02-01T00:00:00Z`
            application_date: Exact application date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            application_date_from: Earliest application date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            application_date_to: Latest application date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            registration_date: Exact registration date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            registration_date_from: Earliest registration date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            registration_date_to: Latest registration date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            publication_date: Exact publication date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            publication_date_from: Earliest publication date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            publication_date_to: Latest publication date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            status_date: Exact status date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            status_date_from: Earliest status date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            status_date_to: Latest status date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            expiry_date: Exact expiry date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            expiry_date_from: Earliest expiry date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            expiry_date_to: Latest expiry date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            termination_date: Exact termination date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            termination_date_from: Earliest termination date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            termination_date_to: Latest termination date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            opposition_period_end: Exact opposition period end, YYYY-MM-DD; excludes the _from and _to forms.
                Example: `2024-03-15`
            opposition_period_end_from: Earliest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-01-01`
            opposition_period_end_to: Latest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-12-31`
            count: Adds matched_count, bounded at 10,000. Example: `capped`
            expand: Adds the full normalized document to every record. Example: `payload`
            sort: Sort key, updated_at unless given; records without it come last. Example: `application_date`
            order: Order of the sort key, desc (latest first) unless given. Example: `asc`
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size; at most 50 with expand=payload. Example: `100`
        """
        query: dict[str, Any] = {
            "jurisdiction": jurisdiction,
            "office": office,
            "application_number": application_number,
            "registration_number": registration_number,
            "status": status,
            "kind_of_mark": kind_of_mark,
            "mark_feature": mark_feature,
            "nice_class": nice_class,
            "nice_class_all": nice_class_all,
            "vienna_code": vienna_code,
            "mark_name": mark_name,
            "mark_name_contains": mark_name_contains,
            "mark_name_startswith": mark_name_startswith,
            "owner_name": owner_name,
            "owner_name_contains": owner_name_contains,
            "owner_name_startswith": owner_name_startswith,
            "representative_name": representative_name,
            "representative_name_contains": representative_name_contains,
            "representative_name_startswith": representative_name_startswith,
            "owner_country": owner_country,
            "international_registration_number": international_registration_number,
            "priority_number": priority_number,
            "designated_country": designated_country,
            "updated_since": updated_since,
            "updated_before": updated_before,
            "application_date": application_date,
            "application_date_from": application_date_from,
            "application_date_to": application_date_to,
            "registration_date": registration_date,
            "registration_date_from": registration_date_from,
            "registration_date_to": registration_date_to,
            "publication_date": publication_date,
            "publication_date_from": publication_date_from,
            "publication_date_to": publication_date_to,
            "status_date": status_date,
            "status_date_from": status_date_from,
            "status_date_to": status_date_to,
            "expiry_date": expiry_date,
            "expiry_date_from": expiry_date_from,
            "expiry_date_to": expiry_date_to,
            "termination_date": termination_date,
            "termination_date_from": termination_date_from,
            "termination_date_to": termination_date_to,
            "opposition_period_end": opposition_period_end,
            "opposition_period_end_from": opposition_period_end_from,
            "opposition_period_end_to": opposition_period_end_to,
            "count": count,
            "expand": expand,
            "sort": sort,
            "order": order,
            "cursor": cursor,
            "limit": limit,
        }
        return self._call("GET", build_path(jurisdiction_code, "trademarks"), query, SearchPage)

    def search_all(
        self,
        *,
        jurisdiction_code: str | None = None,
        jurisdiction: AnyOf[str] | None = None,
        office: AnyOf[str] | None = None,
        application_number: str | None = None,
        registration_number: str | None = None,
        status: AnyOf[Status] | AnyOf[str] | None = None,
        kind_of_mark: AnyOf[KindOfMark] | AnyOf[str] | None = None,
        mark_feature: AnyOf[MarkFeature] | AnyOf[str] | None = None,
        nice_class: AnyOf[int] | str | None = None,
        nice_class_all: AnyOf[int] | str | None = None,
        vienna_code: AnyOf[str] | None = None,
        mark_name: str | None = None,
        mark_name_contains: str | None = None,
        mark_name_startswith: str | None = None,
        owner_name: str | None = None,
        owner_name_contains: str | None = None,
        owner_name_startswith: str | None = None,
        representative_name: str | None = None,
        representative_name_contains: str | None = None,
        representative_name_startswith: str | None = None,
        owner_country: AnyOf[str] | None = None,
        international_registration_number: str | None = None,
        priority_number: str | None = None,
        designated_country: AnyOf[str] | None = None,
        updated_since: Moment | None = None,
        updated_before: Moment | None = None,
        application_date: Day | None = None,
        application_date_from: Day | None = None,
        application_date_to: Day | None = None,
        registration_date: Day | None = None,
        registration_date_from: Day | None = None,
        registration_date_to: Day | None = None,
        publication_date: Day | None = None,
        publication_date_from: Day | None = None,
        publication_date_to: Day | None = None,
        status_date: Day | None = None,
        status_date_from: Day | None = None,
        status_date_to: Day | None = None,
        expiry_date: Day | None = None,
        expiry_date_from: Day | None = None,
        expiry_date_to: Day | None = None,
        termination_date: Day | None = None,
        termination_date_from: Day | None = None,
        termination_date_to: Day | None = None,
        opposition_period_end: Day | None = None,
        opposition_period_end_from: Day | None = None,
        opposition_period_end_to: Day | None = None,
        count: Literal["capped"] | None = None,
        expand: Literal["payload"] | None = None,
        sort: Literal["updated_at", "application_date", "registration_date"] | None = None,
        order: Literal["asc", "desc"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        items_max: int = ITEMS_MAX_DEFAULT,
    ) -> SearchWalk[SearchPage, TrademarkDetail]:
        """
        Search all registers, page by page, each fetched when it is needed: `GET /v1/trademarks`, or
        `/v1/{jurisdiction_code}/trademarks`. One unit a page.

        At most `items_max` records.

        Args:
            jurisdiction_code: One register, through its own endpoint; then leave out `jurisdiction`. Default:
                all.
            jurisdiction: Register codes, any of, up to 20. Left out: every register. Example: `US,EM`
            office: Registering-office codes, any of. Example: `WO`
            application_number: Exact application number, in any spelling that its register has for it.
                Example: `97123456`
            registration_number: Exact registration number, in any spelling that its register has for it.
                Example: `7123456`
            status: Statuses, any of, case-insensitive. Example: `Registered,Pending`
            kind_of_mark: Kinds of mark, any of, case-insensitive. Example: `Collective`
            mark_feature: Mark features, any of, case-insensitive. Example: `Word`
            nice_class: Nice classes, any of. Example: `9,42`
            nice_class_all: Nice classes, all of. Example: `9,42`
            vienna_code: Vienna codes or dotted prefixes, any of; a single segment needs a companion filter.
                Example: `26.03`
            mark_name: Exact mark text or held variant. Example: `acme`
            mark_name_contains: Part of the mark text. Example: `cme`
            mark_name_startswith: Start of the mark text. Example: `acm`
            owner_name: Exact owner name. Example: `acme inc.`
            owner_name_contains: Part of an owner name. Example: `acme`
            owner_name_startswith: Start of an owner name. Example: `acm`
            representative_name: Exact representative name. Example: `jane doe`
            representative_name_contains: Part of a representative name. Example: `doe`
            representative_name_startswith: Start of a representative name. Example: `jane`
            owner_country: Codes of the proprietor's country, any of. Example: `JP`
            international_registration_number: Exact Madrid registration number. Example: `1234567`
            priority_number: Exact priority claim number. Example: `2023-104522`
            designated_country: Designated countries, any of. Example: `FR,DE`
            updated_since: Content changed at or after this instant. Example: `2026-01-01T00:00:00Z`
            updated_before: Content changed before this instant. Example: `2026-02-01T00:00:00Z`
            application_date: Exact application date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            application_date_from: Earliest application date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            application_date_to: Latest application date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            registration_date: Exact registration date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            registration_date_from: Earliest registration date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            registration_date_to: Latest registration date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            publication_date: Exact publication date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            publication_date_from: Earliest publication date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            publication_date_to: Latest publication date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            status_date: Exact status date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            status_date_from: Earliest status date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            status_date_to: Latest status date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            expiry_date: Exact expiry date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            expiry_date_from: Earliest expiry date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            expiry_date_to: Latest expiry date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            termination_date: Exact termination date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            termination_date_from: Earliest termination date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            termination_date_to: Latest termination date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            opposition_period_end: Exact opposition period end, YYYY-MM-DD; excludes the _from and _to forms.
                Example: `2024-03-15`
            opposition_period_end_from: Earliest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-01-01`
            opposition_period_end_to: Latest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-12-31`
            count: Adds matched_count, bounded at 10,000. Example: `capped`
            expand: Adds the full normalized document to every record. Example: `payload`
            sort: Sort key, updated_at unless given; records without it come last. Example: `application_date`
            order: Order of the sort key, desc (latest first) unless given. Example: `asc`
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size; at most 50 with expand=payload. Example: `100`
            items_max: The walk ends after this many records: 1 or more.
        """
        path = build_path(jurisdiction_code, "trademarks")
        page_max = limit or (50 if expand == "payload" else 500)
        query: dict[str, Any] = {
            "jurisdiction": jurisdiction,
            "office": office,
            "application_number": application_number,
            "registration_number": registration_number,
            "status": status,
            "kind_of_mark": kind_of_mark,
            "mark_feature": mark_feature,
            "nice_class": nice_class,
            "nice_class_all": nice_class_all,
            "vienna_code": vienna_code,
            "mark_name": mark_name,
            "mark_name_contains": mark_name_contains,
            "mark_name_startswith": mark_name_startswith,
            "owner_name": owner_name,
            "owner_name_contains": owner_name_contains,
            "owner_name_startswith": owner_name_startswith,
            "representative_name": representative_name,
            "representative_name_contains": representative_name_contains,
            "representative_name_startswith": representative_name_startswith,
            "owner_country": owner_country,
            "international_registration_number": international_registration_number,
            "priority_number": priority_number,
            "designated_country": designated_country,
            "updated_since": updated_since,
            "updated_before": updated_before,
            "application_date": application_date,
            "application_date_from": application_date_from,
            "application_date_to": application_date_to,
            "registration_date": registration_date,
            "registration_date_from": registration_date_from,
            "registration_date_to": registration_date_to,
            "publication_date": publication_date,
            "publication_date_from": publication_date_from,
            "publication_date_to": publication_date_to,
            "status_date": status_date,
            "status_date_from": status_date_from,
            "status_date_to": status_date_to,
            "expiry_date": expiry_date,
            "expiry_date_from": expiry_date_from,
            "expiry_date_to": expiry_date_to,
            "termination_date": termination_date,
            "termination_date_from": termination_date_from,
            "termination_date_to": termination_date_to,
            "opposition_period_end": opposition_period_end,
            "opposition_period_end_from": opposition_period_end_from,
            "opposition_period_end_to": opposition_period_end_to,
            "count": count,
            "expand": expand,
            "sort": sort,
            "order": order,
        }

        def fetch(at: str | None, left: int | None) -> SearchPage:
            size = page_max if left is None else min(page_max, left)
            return self._call("GET", path, {**query, "cursor": at, "limit": size}, SearchPage)

        return SearchWalk(fetch, cursor, items_max)

    def count(
        self,
        *,
        jurisdiction_code: str | None = None,
        jurisdiction: AnyOf[str] | None = None,
        office: AnyOf[str] | None = None,
        application_number: str | None = None,
        registration_number: str | None = None,
        status: AnyOf[Status] | AnyOf[str] | None = None,
        kind_of_mark: AnyOf[KindOfMark] | AnyOf[str] | None = None,
        mark_feature: AnyOf[MarkFeature] | AnyOf[str] | None = None,
        nice_class: AnyOf[int] | str | None = None,
        nice_class_all: AnyOf[int] | str | None = None,
        vienna_code: AnyOf[str] | None = None,
        mark_name: str | None = None,
        mark_name_contains: str | None = None,
        mark_name_startswith: str | None = None,
        owner_name: str | None = None,
        owner_name_contains: str | None = None,
        owner_name_startswith: str | None = None,
        representative_name: str | None = None,
        representative_name_contains: str | None = None,
        representative_name_startswith: str | None = None,
        owner_country: AnyOf[str] | None = None,
        international_registration_number: str | None = None,
        priority_number: str | None = None,
        designated_country: AnyOf[str] | None = None,
        updated_since: Moment | None = None,
        updated_before: Moment | None = None,
        application_date: Day | None = None,
        application_date_from: Day | None = None,
        application_date_to: Day | None = None,
        registration_date: Day | None = None,
        registration_date_from: Day | None = None,
        registration_date_to: Day | None = None,
        publication_date: Day | None = None,
        publication_date_from: Day | None = None,
        publication_date_to: Day | None = None,
        status_date: Day | None = None,
        status_date_from: Day | None = None,
        status_date_to: Day | None = None,
        expiry_date: Day | None = None,
        expiry_date_from: Day | None = None,
        expiry_date_to: Day | None = None,
        termination_date: Day | None = None,
        termination_date_from: Day | None = None,
        termination_date_to: Day | None = None,
        opposition_period_end: Day | None = None,
        opposition_period_end_from: Day | None = None,
        opposition_period_end_to: Day | None = None,
    ) -> SearchPage:
        """
        Counts the records that a search matches: `matched_count`, up to 10,000, and `matched_count_capped`.
        One unit.

        Args:
            jurisdiction_code: One register, through its own endpoint; then leave out `jurisdiction`. Default:
                all.
            jurisdiction: Register codes, any of, up to 20. Left out: every register. Example: `US,EM`
            office: Registering-office codes, any of. Example: `WO`
            application_number: Exact application number, in any spelling that its register has for it.
                Example: `97123456`
            registration_number: Exact registration number, in any spelling that its register has for it.
                Example: `7123456`
            status: Statuses, any of, case-insensitive. Example: `Registered,Pending`
            kind_of_mark: Kinds of mark, any of, case-insensitive. Example: `Collective`
            mark_feature: Mark features, any of, case-insensitive. Example: `Word`
            nice_class: Nice classes, any of. Example: `9,42`
            nice_class_all: Nice classes, all of. Example: `9,42`
            vienna_code: Vienna codes or dotted prefixes, any of; a single segment needs a companion filter.
                Example: `26.03`
            mark_name: Exact mark text or held variant. Example: `acme`
            mark_name_contains: Part of the mark text. Example: `cme`
            mark_name_startswith: Start of the mark text. Example: `acm`
            owner_name: Exact owner name. Example: `acme inc.`
            owner_name_contains: Part of an owner name. Example: `acme`
            owner_name_startswith: Start of an owner name. Example: `acm`
            representative_name: Exact representative name. Example: `jane doe`
            representative_name_contains: Part of a representative name. Example: `doe`
            representative_name_startswith: Start of a representative name. Example: `jane`
            owner_country: Codes of the proprietor's country, any of. Example: `JP`
            international_registration_number: Exact Madrid registration number. Example: `1234567`
            priority_number: Exact priority claim number. Example: `2023-104522`
            designated_country: Designated countries, any of. Example: `FR,DE`
            updated_since: Content changed at or after this instant. Example: `2026-01-01T00:00:00Z`
            updated_before: Content changed before this instant. Example: `2026-02-01T00:00:00Z`
            application_date: Exact application date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            application_date_from: Earliest application date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            application_date_to: Latest application date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            registration_date: Exact registration date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            registration_date_from: Earliest registration date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            registration_date_to: Latest registration date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            publication_date: Exact publication date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            publication_date_from: Earliest publication date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            publication_date_to: Latest publication date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            status_date: Exact status date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            status_date_from: Earliest status date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            status_date_to: Latest status date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            expiry_date: Exact expiry date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            expiry_date_from: Earliest expiry date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            expiry_date_to: Latest expiry date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            termination_date: Exact termination date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            termination_date_from: Earliest termination date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            termination_date_to: Latest termination date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            opposition_period_end: Exact opposition period end, YYYY-MM-DD; excludes the _from and _to forms.
                Example: `2024-03-15`
            opposition_period_end_from: Earliest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-01-01`
            opposition_period_end_to: Latest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-12-31`
        """
        query: dict[str, Any] = {
            "jurisdiction": jurisdiction,
            "office": office,
            "application_number": application_number,
            "registration_number": registration_number,
            "status": status,
            "kind_of_mark": kind_of_mark,
            "mark_feature": mark_feature,
            "nice_class": nice_class,
            "nice_class_all": nice_class_all,
            "vienna_code": vienna_code,
            "mark_name": mark_name,
            "mark_name_contains": mark_name_contains,
            "mark_name_startswith": mark_name_startswith,
            "owner_name": owner_name,
            "owner_name_contains": owner_name_contains,
            "owner_name_startswith": owner_name_startswith,
            "representative_name": representative_name,
            "representative_name_contains": representative_name_contains,
            "representative_name_startswith": representative_name_startswith,
            "owner_country": owner_country,
            "international_registration_number": international_registration_number,
            "priority_number": priority_number,
            "designated_country": designated_country,
            "updated_since": updated_since,
            "updated_before": updated_before,
            "application_date": application_date,
            "application_date_from": application_date_from,
            "application_date_to": application_date_to,
            "registration_date": registration_date,
            "registration_date_from": registration_date_from,
            "registration_date_to": registration_date_to,
            "publication_date": publication_date,
            "publication_date_from": publication_date_from,
            "publication_date_to": publication_date_to,
            "status_date": status_date,
            "status_date_from": status_date_from,
            "status_date_to": status_date_to,
            "expiry_date": expiry_date,
            "expiry_date_from": expiry_date_from,
            "expiry_date_to": expiry_date_to,
            "termination_date": termination_date,
            "termination_date_from": termination_date_from,
            "termination_date_to": termination_date_to,
            "opposition_period_end": opposition_period_end,
            "opposition_period_end_from": opposition_period_end_from,
            "opposition_period_end_to": opposition_period_end_to,
            "count": "capped",
            "limit": 1,
        }
        return self._call("GET", build_path(jurisdiction_code, "trademarks"), query, SearchPage)

    def get(
        self,
        jurisdiction_code: str,
        uid: str,
        *,
        expand: Literal["payload"] | None = None,
    ) -> TrademarkDetail:
        """
        One record by its identity: `GET /v1/{jurisdiction_code}/trademarks/{uid}`. One unit.

        The pair of register code and `uid` is stable. A `uid` is opaque; percent-encode all of it.

        Args:
            expand: Adds the full normalized document to every record. Example: `payload`
        """
        query: dict[str, Any] = {
            "expand": expand,
        }
        return self._call("GET", build_path(jurisdiction_code, "trademarks", uid), query, TrademarkDetail)

    def changes(
        self,
        *,
        since: Moment,
        jurisdiction_code: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        expand: Literal["payload"] | None = None,
    ) -> ChangesPage:
        """
        Changes in all registers: `GET /v1/changes`, or `/v1/{jurisdiction_code}/changes`. One unit.

        Records whose content changed, oldest change first. Keep the latest `next_cursor` and send it with the
        same `since`: every later change arrives exactly once. An empty page means caught up.

        Args:
            jurisdiction_code: One register, through its own endpoint; then leave out `jurisdiction`. Default:
                all.
            since: Records whose content changed at or after this instant. Example: `2026-01-01`
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size; at most 200 with expand=payload. Example: `1000`
            expand: Adds the full normalized document to every record. Example: `payload`
        """
        query: dict[str, Any] = {
            "since": since,
            "cursor": cursor,
            "limit": limit,
            "expand": expand,
        }
        return self._call("GET", build_path(jurisdiction_code, "changes"), query, ChangesPage)

    def changes_all(
        self,
        *,
        since: Moment,
        jurisdiction_code: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        expand: Literal["payload"] | None = None,
    ) -> FeedWalk[ChangesPage, TrademarkDetail]:
        """
        Changes in all registers, page by page, each fetched when it is needed: `GET /v1/changes`, or
        `/v1/{jurisdiction_code}/changes`. One unit a page.

        To the end of the feed. Save `walk.cursor` with what you have consumed; `walk.follow()` goes on
        without an end.

        Args:
            jurisdiction_code: One register, through its own endpoint; then leave out `jurisdiction`. Default:
                all.
            since: Records whose content changed at or after this instant. Example: `2026-01-01`
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size; at most 200 with expand=payload. Example: `1000`
            expand: Adds the full normalized document to every record. Example: `payload`
        """
        path = build_path(jurisdiction_code, "changes")
        page_max = limit or (200 if expand == "payload" else 5000)
        query: dict[str, Any] = {
            "since": since,
            "expand": expand,
        }

        def fetch(at: str | None, left: int | None) -> ChangesPage:
            size = page_max if left is None else min(page_max, left)
            return self._call("GET", path, {**query, "cursor": at, "limit": size}, ChangesPage)

        return FeedWalk(fetch, cursor, None)

    def coverage(
        self,
        jurisdiction_code: str,
    ) -> CoverageReport:
        """
        What silence of a register means: `GET /v1/jurisdictions/{jurisdiction_code}/coverage`. One unit.

        Through which periods of its sources a register was loaded, which are missing or were loaded out of
        order, its last load with its rejects, and the share of its records with issues. `conclusion` sums it
        up in a sentence. It costs a unit, as every call does; the same in the portal costs nothing.
        """
        query: dict[str, Any] = {}
        return self._call("GET", build_path("jurisdictions", jurisdiction_code, "coverage"), query, CoverageReport)

    def history(
        self,
        *,
        since: Moment,
        jurisdiction_code: str | None = None,
        field: AnyOf[Literal["office", "application_number", "registration_number", "mark_name", "status", "tm5_status", "kind_of_mark", "mark_feature", "application_date", "registration_date", "publication_date", "expiry_date", "renewal_date", "termination_date", "opposition_period_end", "status_date", "external_update_date", "nice_classes", "vienna_codes", "owner_names", "owner_countries", "representative_names", "international_registration_numbers", "priority_numbers", "designated_countries", "payload"]] | AnyOf[str] | None = None,
        cause: AnyOf[Literal["first", "office", "correction", "renormalization", "removal"]] | AnyOf[str] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        jurisdiction: AnyOf[str] | None = None,
        office: AnyOf[str] | None = None,
        application_number: str | None = None,
        registration_number: str | None = None,
        status: AnyOf[Status] | AnyOf[str] | None = None,
        kind_of_mark: AnyOf[KindOfMark] | AnyOf[str] | None = None,
        mark_feature: AnyOf[MarkFeature] | AnyOf[str] | None = None,
        nice_class: AnyOf[int] | str | None = None,
        nice_class_all: AnyOf[int] | str | None = None,
        vienna_code: AnyOf[str] | None = None,
        mark_name: str | None = None,
        mark_name_contains: str | None = None,
        mark_name_startswith: str | None = None,
        owner_name: str | None = None,
        owner_name_contains: str | None = None,
        owner_name_startswith: str | None = None,
        representative_name: str | None = None,
        representative_name_contains: str | None = None,
        representative_name_startswith: str | None = None,
        owner_country: AnyOf[str] | None = None,
        international_registration_number: str | None = None,
        priority_number: str | None = None,
        designated_country: AnyOf[str] | None = None,
        updated_since: Moment | None = None,
        updated_before: Moment | None = None,
        application_date: Day | None = None,
        application_date_from: Day | None = None,
        application_date_to: Day | None = None,
        registration_date: Day | None = None,
        registration_date_from: Day | None = None,
        registration_date_to: Day | None = None,
        publication_date: Day | None = None,
        publication_date_from: Day | None = None,
        publication_date_to: Day | None = None,
        status_date: Day | None = None,
        status_date_from: Day | None = None,
        status_date_to: Day | None = None,
        expiry_date: Day | None = None,
        expiry_date_from: Day | None = None,
        expiry_date_to: Day | None = None,
        termination_date: Day | None = None,
        termination_date_from: Day | None = None,
        termination_date_to: Day | None = None,
        opposition_period_end: Day | None = None,
        opposition_period_end_from: Day | None = None,
        opposition_period_end_to: Day | None = None,
    ) -> HistoryPage:
        """
        History of all registers: `GET /v1/history`, or `/v1/{jurisdiction_code}/history`. One unit.

        Every version of every record is an event at its own stamp, oldest first, up to the horizon of the
        change feed. All filters of a search can be given: an event passes if its version, or the one before,
        satisfies them. Keep the latest `next_cursor` and send it with the same query: every later event
        arrives exactly once. A page reads a bounded number of events, so **with filters it may be empty and
        still have a `next_cursor`**: continue from there. Only `next_cursor: null` means that no events were
        left to read.

        Args:
            jurisdiction_code: One register, through its own endpoint; then leave out `jurisdiction`. Default:
                all.
            since: Versions published at or after this instant. Example: `2026-01-01`
            field: Events in which any of these fields changed; `payload` is the document. Example:
                `status,owner_names`
            cause: Events with any of these causes. Example: `office,correction`
            cursor: The previous page's next_cursor, verbatim.
            limit: Most events of a page. Example: `500`
            jurisdiction: Register codes, any of, up to 20. Left out: every register. Example: `US,EM`
            office: Registering-office codes, any of. Example: `WO`
            application_number: Exact application number, in any spelling that its register has for it.
                Example: `97123456`
            registration_number: Exact registration number, in any spelling that its register has for it.
                Example: `7123456`
            status: Statuses, any of, case-insensitive. Example: `Registered,Pending`
            kind_of_mark: Kinds of mark, any of, case-insensitive. Example: `Collective`
            mark_feature: Mark features, any of, case-insensitive. Example: `Word`
            nice_class: Nice classes, any of. Example: `9,42`
            nice_class_all: Nice classes, all of. Example: `9,42`
            vienna_code: Vienna codes or dotted prefixes, any of; a single segment needs a companion filter.
                Example: `26.03`
            mark_name: Exact mark text or held variant. Example: `acme`
            mark_name_contains: Part of the mark text. Example: `cme`
            mark_name_startswith: Start of the mark text. Example: `acm`
            owner_name: Exact owner name. Example: `acme inc.`
            owner_name_contains: Part of an owner name. Example: `acme`
            owner_name_startswith: Start of an owner name. Example: `acm`
            representative_name: Exact representative name. Example: `jane doe`
            representative_name_contains: Part of a representative name. Example: `doe`
            representative_name_startswith: Start of a representative name. Example: `jane`
            owner_country: Codes of the proprietor's country, any of. Example: `JP`
            international_registration_number: Exact Madrid registration number. Example: `1234567`
            priority_number: Exact priority claim number. Example: `2023-104522`
            designated_country: Designated countries, any of. Example: `FR,DE`
            updated_since: Content changed at or after this instant. Example: `2026-01-01T00:00:00Z`
            updated_before: Content changed before this instant. Example: `2026-02-01T00:00:00Z`
            application_date: Exact application date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            application_date_from: Earliest application date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            application_date_to: Latest application date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            registration_date: Exact registration date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            registration_date_from: Earliest registration date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            registration_date_to: Latest registration date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            publication_date: Exact publication date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            publication_date_from: Earliest publication date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            publication_date_to: Latest publication date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            status_date: Exact status date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            status_date_from: Earliest status date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            status_date_to: Latest status date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            expiry_date: Exact expiry date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            expiry_date_from: Earliest expiry date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            expiry_date_to: Latest expiry date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            termination_date: Exact termination date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            termination_date_from: Earliest termination date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            termination_date_to: Latest termination date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            opposition_period_end: Exact opposition period end, YYYY-MM-DD; excludes the _from and _to forms.
                Example: `2024-03-15`
            opposition_period_end_from: Earliest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-01-01`
            opposition_period_end_to: Latest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-12-31`
        """
        query: dict[str, Any] = {
            "since": since,
            "field": field,
            "cause": cause,
            "cursor": cursor,
            "limit": limit,
            "jurisdiction": jurisdiction,
            "office": office,
            "application_number": application_number,
            "registration_number": registration_number,
            "status": status,
            "kind_of_mark": kind_of_mark,
            "mark_feature": mark_feature,
            "nice_class": nice_class,
            "nice_class_all": nice_class_all,
            "vienna_code": vienna_code,
            "mark_name": mark_name,
            "mark_name_contains": mark_name_contains,
            "mark_name_startswith": mark_name_startswith,
            "owner_name": owner_name,
            "owner_name_contains": owner_name_contains,
            "owner_name_startswith": owner_name_startswith,
            "representative_name": representative_name,
            "representative_name_contains": representative_name_contains,
            "representative_name_startswith": representative_name_startswith,
            "owner_country": owner_country,
            "international_registration_number": international_registration_number,
            "priority_number": priority_number,
            "designated_country": designated_country,
            "updated_since": updated_since,
            "updated_before": updated_before,
            "application_date": application_date,
            "application_date_from": application_date_from,
            "application_date_to": application_date_to,
            "registration_date": registration_date,
            "registration_date_from": registration_date_from,
            "registration_date_to": registration_date_to,
            "publication_date": publication_date,
            "publication_date_from": publication_date_from,
            "publication_date_to": publication_date_to,
            "status_date": status_date,
            "status_date_from": status_date_from,
            "status_date_to": status_date_to,
            "expiry_date": expiry_date,
            "expiry_date_from": expiry_date_from,
            "expiry_date_to": expiry_date_to,
            "termination_date": termination_date,
            "termination_date_from": termination_date_from,
            "termination_date_to": termination_date_to,
            "opposition_period_end": opposition_period_end,
            "opposition_period_end_from": opposition_period_end_from,
            "opposition_period_end_to": opposition_period_end_to,
        }
        return self._call("GET", build_path(jurisdiction_code, "history"), query, HistoryPage)

    def history_all(
        self,
        *,
        since: Moment,
        jurisdiction_code: str | None = None,
        field: AnyOf[Literal["office", "application_number", "registration_number", "mark_name", "status", "tm5_status", "kind_of_mark", "mark_feature", "application_date", "registration_date", "publication_date", "expiry_date", "renewal_date", "termination_date", "opposition_period_end", "status_date", "external_update_date", "nice_classes", "vienna_codes", "owner_names", "owner_countries", "representative_names", "international_registration_numbers", "priority_numbers", "designated_countries", "payload"]] | AnyOf[str] | None = None,
        cause: AnyOf[Literal["first", "office", "correction", "renormalization", "removal"]] | AnyOf[str] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        jurisdiction: AnyOf[str] | None = None,
        office: AnyOf[str] | None = None,
        application_number: str | None = None,
        registration_number: str | None = None,
        status: AnyOf[Status] | AnyOf[str] | None = None,
        kind_of_mark: AnyOf[KindOfMark] | AnyOf[str] | None = None,
        mark_feature: AnyOf[MarkFeature] | AnyOf[str] | None = None,
        nice_class: AnyOf[int] | str | None = None,
        nice_class_all: AnyOf[int] | str | None = None,
        vienna_code: AnyOf[str] | None = None,
        mark_name: str | None = None,
        mark_name_contains: str | None = None,
        mark_name_startswith: str | None = None,
        owner_name: str | None = None,
        owner_name_contains: str | None = None,
        owner_name_startswith: str | None = None,
        representative_name: str | None = None,
        representative_name_contains: str | None = None,
        representative_name_startswith: str | None = None,
        owner_country: AnyOf[str] | None = None,
        international_registration_number: str | None = None,
        priority_number: str | None = None,
        designated_country: AnyOf[str] | None = None,
        updated_since: Moment | None = None,
        updated_before: Moment | None = None,
        application_date: Day | None = None,
        application_date_from: Day | None = None,
        application_date_to: Day | None = None,
        registration_date: Day | None = None,
        registration_date_from: Day | None = None,
        registration_date_to: Day | None = None,
        publication_date: Day | None = None,
        publication_date_from: Day | None = None,
        publication_date_to: Day | None = None,
        status_date: Day | None = None,
        status_date_from: Day | None = None,
        status_date_to: Day | None = None,
        expiry_date: Day | None = None,
        expiry_date_from: Day | None = None,
        expiry_date_to: Day | None = None,
        termination_date: Day | None = None,
        termination_date_from: Day | None = None,
        termination_date_to: Day | None = None,
        opposition_period_end: Day | None = None,
        opposition_period_end_from: Day | None = None,
        opposition_period_end_to: Day | None = None,
    ) -> FeedWalk[HistoryPage, HistoryEvent]:
        """
        History of all registers, page by page, each fetched when it is needed: `GET /v1/history`, or
        `/v1/{jurisdiction_code}/history`. One unit a page.

        To the end of the feed. Save `walk.cursor` with what you have consumed; `walk.follow()` goes on
        without an end.

        Args:
            jurisdiction_code: One register, through its own endpoint; then leave out `jurisdiction`. Default:
                all.
            since: Versions published at or after this instant. Example: `2026-01-01`
            field: Events in which any of these fields changed; `payload` is the document. Example:
                `status,owner_names`
            cause: Events with any of these causes. Example: `office,correction`
            cursor: The previous page's next_cursor, verbatim.
            limit: Most events of a page. Example: `500`
            jurisdiction: Register codes, any of, up to 20. Left out: every register. Example: `US,EM`
            office: Registering-office codes, any of. Example: `WO`
            application_number: Exact application number, in any spelling that its register has for it.
                Example: `97123456`
            registration_number: Exact registration number, in any spelling that its register has for it.
                Example: `7123456`
            status: Statuses, any of, case-insensitive. Example: `Registered,Pending`
            kind_of_mark: Kinds of mark, any of, case-insensitive. Example: `Collective`
            mark_feature: Mark features, any of, case-insensitive. Example: `Word`
            nice_class: Nice classes, any of. Example: `9,42`
            nice_class_all: Nice classes, all of. Example: `9,42`
            vienna_code: Vienna codes or dotted prefixes, any of; a single segment needs a companion filter.
                Example: `26.03`
            mark_name: Exact mark text or held variant. Example: `acme`
            mark_name_contains: Part of the mark text. Example: `cme`
            mark_name_startswith: Start of the mark text. Example: `acm`
            owner_name: Exact owner name. Example: `acme inc.`
            owner_name_contains: Part of an owner name. Example: `acme`
            owner_name_startswith: Start of an owner name. Example: `acm`
            representative_name: Exact representative name. Example: `jane doe`
            representative_name_contains: Part of a representative name. Example: `doe`
            representative_name_startswith: Start of a representative name. Example: `jane`
            owner_country: Codes of the proprietor's country, any of. Example: `JP`
            international_registration_number: Exact Madrid registration number. Example: `1234567`
            priority_number: Exact priority claim number. Example: `2023-104522`
            designated_country: Designated countries, any of. Example: `FR,DE`
            updated_since: Content changed at or after this instant. Example: `2026-01-01T00:00:00Z`
            updated_before: Content changed before this instant. Example: `2026-02-01T00:00:00Z`
            application_date: Exact application date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            application_date_from: Earliest application date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            application_date_to: Latest application date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            registration_date: Exact registration date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            registration_date_from: Earliest registration date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            registration_date_to: Latest registration date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            publication_date: Exact publication date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            publication_date_from: Earliest publication date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            publication_date_to: Latest publication date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            status_date: Exact status date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            status_date_from: Earliest status date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            status_date_to: Latest status date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            expiry_date: Exact expiry date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            expiry_date_from: Earliest expiry date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            expiry_date_to: Latest expiry date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            termination_date: Exact termination date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            termination_date_from: Earliest termination date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            termination_date_to: Latest termination date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            opposition_period_end: Exact opposition period end, YYYY-MM-DD; excludes the _from and _to forms.
                Example: `2024-03-15`
            opposition_period_end_from: Earliest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-01-01`
            opposition_period_end_to: Latest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-12-31`
        """
        path = build_path(jurisdiction_code, "history")
        page_max = limit or 500
        query: dict[str, Any] = {
            "since": since,
            "field": field,
            "cause": cause,
            "jurisdiction": jurisdiction,
            "office": office,
            "application_number": application_number,
            "registration_number": registration_number,
            "status": status,
            "kind_of_mark": kind_of_mark,
            "mark_feature": mark_feature,
            "nice_class": nice_class,
            "nice_class_all": nice_class_all,
            "vienna_code": vienna_code,
            "mark_name": mark_name,
            "mark_name_contains": mark_name_contains,
            "mark_name_startswith": mark_name_startswith,
            "owner_name": owner_name,
            "owner_name_contains": owner_name_contains,
            "owner_name_startswith": owner_name_startswith,
            "representative_name": representative_name,
            "representative_name_contains": representative_name_contains,
            "representative_name_startswith": representative_name_startswith,
            "owner_country": owner_country,
            "international_registration_number": international_registration_number,
            "priority_number": priority_number,
            "designated_country": designated_country,
            "updated_since": updated_since,
            "updated_before": updated_before,
            "application_date": application_date,
            "application_date_from": application_date_from,
            "application_date_to": application_date_to,
            "registration_date": registration_date,
            "registration_date_from": registration_date_from,
            "registration_date_to": registration_date_to,
            "publication_date": publication_date,
            "publication_date_from": publication_date_from,
            "publication_date_to": publication_date_to,
            "status_date": status_date,
            "status_date_from": status_date_from,
            "status_date_to": status_date_to,
            "expiry_date": expiry_date,
            "expiry_date_from": expiry_date_from,
            "expiry_date_to": expiry_date_to,
            "termination_date": termination_date,
            "termination_date_from": termination_date_from,
            "termination_date_to": termination_date_to,
            "opposition_period_end": opposition_period_end,
            "opposition_period_end_from": opposition_period_end_from,
            "opposition_period_end_to": opposition_period_end_to,
        }

        def fetch(at: str | None, left: int | None) -> HistoryPage:
            size = page_max if left is None else min(page_max, left)
            return self._call("GET", path, {**query, "cursor": at, "limit": size}, HistoryPage)

        return FeedWalk(fetch, cursor, None)

    def record_history(
        self,
        jurisdiction_code: str,
        uid: str,
        *,
        field: AnyOf[Literal["office", "application_number", "registration_number", "mark_name", "status", "tm5_status", "kind_of_mark", "mark_feature", "application_date", "registration_date", "publication_date", "expiry_date", "renewal_date", "termination_date", "opposition_period_end", "status_date", "external_update_date", "nice_classes", "vienna_codes", "owner_names", "owner_countries", "representative_names", "international_registration_numbers", "priority_numbers", "designated_countries", "payload"]] | AnyOf[str] | None = None,
        cause: AnyOf[Literal["first", "office", "correction", "renormalization", "removal"]] | AnyOf[str] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> HistoryPage:
        """
        History of one record: `GET /v1/{jurisdiction_code}/trademarks/{uid}/history`. One unit.

        The versions of a record, newest first: what changed, why, and from which source. With filters, a page
        may be empty and still have a `next_cursor`; `next_cursor: null` is the end. A literal `/history` ends
        the `uid`; a `uid` that itself ends like this is sent with `%2Fhistory`.

        Args:
            field: Events in which any of these fields changed; `payload` is the document. Example:
                `status,owner_names`
            cause: Events with any of these causes. Example: `office,correction`
            cursor: The previous page's next_cursor, verbatim.
            limit: Most events of a page. Example: `50`
        """
        query: dict[str, Any] = {
            "field": field,
            "cause": cause,
            "cursor": cursor,
            "limit": limit,
        }
        return self._call("GET", build_path(jurisdiction_code, "trademarks", uid, "history"), query, HistoryPage)

    def record_history_all(
        self,
        jurisdiction_code: str,
        uid: str,
        *,
        field: AnyOf[Literal["office", "application_number", "registration_number", "mark_name", "status", "tm5_status", "kind_of_mark", "mark_feature", "application_date", "registration_date", "publication_date", "expiry_date", "renewal_date", "termination_date", "opposition_period_end", "status_date", "external_update_date", "nice_classes", "vienna_codes", "owner_names", "owner_countries", "representative_names", "international_registration_numbers", "priority_numbers", "designated_countries", "payload"]] | AnyOf[str] | None = None,
        cause: AnyOf[Literal["first", "office", "correction", "renormalization", "removal"]] | AnyOf[str] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Walk[HistoryPage, HistoryEvent]:
        """
        History of one record, page by page, each fetched when it is needed: `GET
        /v1/{jurisdiction_code}/trademarks/{uid}/history`. One unit a page.

        To the end.

        Args:
            field: Events in which any of these fields changed; `payload` is the document. Example:
                `status,owner_names`
            cause: Events with any of these causes. Example: `office,correction`
            cursor: The previous page's next_cursor, verbatim.
            limit: Most events of a page. Example: `50`
        """
        path = build_path(jurisdiction_code, "trademarks", uid, "history")
        page_max = limit or 100
        query: dict[str, Any] = {
            "field": field,
            "cause": cause,
        }

        def fetch(at: str | None, left: int | None) -> HistoryPage:
            size = page_max if left is None else min(page_max, left)
            return self._call("GET", path, {**query, "cursor": at, "limit": size}, HistoryPage)

        return Walk(fetch, cursor, None)

    def record_version(
        self,
        jurisdiction_code: str,
        uid: str,
        version: str,
        *,
        expand: Literal["payload"] | None = None,
    ) -> TrademarkDetail:
        """
        One record as it was: `GET /v1/{jurisdiction_code}/trademarks/{uid}/history/{version}`. One unit.

        The record under one of its stamps, as the look-up answered at that time. It never changes: cache it.

        Args:
            expand: Adds the full normalized document to every record. Example: `payload`
        """
        query: dict[str, Any] = {
            "expand": expand,
        }
        return self._call("GET", build_path(jurisdiction_code, "trademarks", uid, "history", version), query, TrademarkDetail)

    def digests(
        self,
        *,
        as_of: Moment,
    ) -> DigestsPage:
        """
        Digests of all registers: `GET /v1/digests`. One unit.

        For verifying a replica: the digests of the records that last changed at or before `as_of`, and the
        identities of those that have changed since.

        Args:
            as_of: The position to compare at: the X-Change-Horizon of the page that ended a catch-up.
                Example: `2026-01-01T00:00:00Z`
        """
        query: dict[str, Any] = {
            "as_of": as_of,
        }
        return self._call("GET", build_path("digests"), query, DigestsPage)

    def register_digests(
        self,
        jurisdiction_code: str,
        *,
        as_of: Moment,
    ) -> RegisterDigestsPage:
        """
        Digests of one register by bucket: `GET /v1/{jurisdiction_code}/digests`. One unit.

        For verifying a replica: the digests of the records that last changed at or before `as_of`, and the
        identities of those that have changed since.

        Args:
            as_of: The position to compare at: the X-Change-Horizon of the page that ended a catch-up.
                Example: `2026-01-01T00:00:00Z`
        """
        query: dict[str, Any] = {
            "as_of": as_of,
        }
        return self._call("GET", build_path(jurisdiction_code, "digests"), query, RegisterDigestsPage)

    def bucket_digests(
        self,
        jurisdiction_code: str,
        bucket: int,
        *,
        as_of: Moment,
        cursor: str | None = None,
    ) -> BucketDigestsPage:
        """
        Digests of the records in one bucket: `GET /v1/{jurisdiction_code}/digests/{bucket}`. One unit.

        For verifying a replica: the digests of the records that last changed at or before `as_of`, and the
        identities of those that have changed since.

        Args:
            as_of: The position to compare at: the X-Change-Horizon of the page that ended a catch-up.
                Example: `2026-01-01T00:00:00Z`
            cursor: The previous page's next_cursor, verbatim.
        """
        query: dict[str, Any] = {
            "as_of": as_of,
            "cursor": cursor,
        }
        return self._call("GET", build_path(jurisdiction_code, "digests", bucket), query, BucketDigestsPage)

    def bucket_digests_all(
        self,
        jurisdiction_code: str,
        bucket: int,
        *,
        as_of: Moment,
        cursor: str | None = None,
    ) -> Walk[BucketDigestsPage, RecordDigest]:
        """
        Digests of the records in one bucket, page by page, each fetched when it is needed: `GET
        /v1/{jurisdiction_code}/digests/{bucket}`. One unit a page.

        To the end.

        Args:
            as_of: The position to compare at: the X-Change-Horizon of the page that ended a catch-up.
                Example: `2026-01-01T00:00:00Z`
            cursor: The previous page's next_cursor, verbatim.
        """
        path = build_path(jurisdiction_code, "digests", bucket)
        query: dict[str, Any] = {
            "as_of": as_of,
        }

        def fetch(at: str | None, left: int | None) -> BucketDigestsPage:
            return self._call("GET", path, {**query, "cursor": at}, BucketDigestsPage)

        return Walk(fetch, cursor, None)

    def find_numbers(
        self,
        jurisdiction_code: str,
        *,
        numbers: AnyOf[str],
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SearchPage:
        """
        Many records of a register by their numbers: `GET /v1/{jurisdiction_code}/numbers`. One unit.

        The records whose application, registration or international registration number is one of `numbers`,
        in whichever usual form it is written: with or without separators, zeros and letters before it. Newest
        change first. A number without a record is simply absent.

        Args:
            numbers: Up to 500 application, registration or international registration numbers, in any usual
                form. A comma separates two numbers, so leave it out of a number. Example:
                `97123456,97/123457`
            limit: Page size. Example: `500`
            cursor: The previous page's next_cursor, verbatim.
        """
        query: dict[str, Any] = {
            "numbers": write_numbers(numbers),
            "limit": limit,
            "cursor": cursor,
        }
        return self._call("GET", build_path(jurisdiction_code, "numbers"), query, SearchPage)

    def find_numbers_all(
        self,
        jurisdiction_code: str,
        *,
        numbers: AnyOf[str],
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Walk[SearchPage, TrademarkDetail]:
        """
        Many records of a register by their numbers, page by page, each fetched when it is needed: `GET
        /v1/{jurisdiction_code}/numbers`. One unit a page.

        To the end.

        Args:
            numbers: Up to 500 application, registration or international registration numbers, in any usual
                form. A comma separates two numbers, so leave it out of a number. Example:
                `97123456,97/123457`
            limit: Page size. Example: `500`
            cursor: The previous page's next_cursor, verbatim.
        """
        path = build_path(jurisdiction_code, "numbers")
        page_max = limit or 500
        query: dict[str, Any] = {
            "numbers": write_numbers(numbers),
        }

        def fetch(at: str | None, left: int | None) -> SearchPage:
            size = page_max if left is None else min(page_max, left)
            return self._call("GET", path, {**query, "cursor": at, "limit": size}, SearchPage)

        return Walk(fetch, cursor, None)

    def find_numbers_of_registers(
        self,
        *,
        numbers: Iterable[tuple[str, str]],
        limit: int | None = None,
        cursor: str | None = None,
    ) -> NumbersPage:
        """
        Many records of several registers by their numbers: `GET /v1/numbers`. One unit.

        As for one register, each number in its own register. `items` has each record once, register by
        register in the order of their codes, newest change first. `asked` has every number in the order in
        which they were asked for, with the places of its records in `items`. A number without a record has no
        places: `coverage` says through which day its register is complete, and whether the register was
        searched at all. If there is a `next_cursor`, send it with the same numbers: a number has none only if
        no page has a record of it.

        Args:
            numbers: Up to 500 application, registration or international registration numbers in any usual
                form, each after the code of its register and a colon. A comma separates two numbers, so leave
                it out of a number. Example: `US:97123456,EM:018000001`
            limit: Page size. Example: `500`
            cursor: The previous page's next_cursor, verbatim.
        """
        query: dict[str, Any] = {
            "numbers": write_register_numbers(numbers),
            "limit": limit,
            "cursor": cursor,
        }
        return self._call("GET", build_path("numbers"), query, NumbersPage)

    def find_numbers_of_registers_all(
        self,
        *,
        numbers: Iterable[tuple[str, str]],
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Walk[NumbersPage, TrademarkDetail]:
        """
        Many records of several registers by their numbers, page by page, each fetched when it is needed: `GET
        /v1/numbers`. One unit a page.

        To the end.

        Args:
            numbers: Up to 500 application, registration or international registration numbers in any usual
                form, each after the code of its register and a colon. A comma separates two numbers, so leave
                it out of a number. Example: `US:97123456,EM:018000001`
            limit: Page size. Example: `500`
            cursor: The previous page's next_cursor, verbatim.
        """
        path = build_path("numbers")
        page_max = limit or 500
        query: dict[str, Any] = {
            "numbers": write_register_numbers(numbers),
        }

        def fetch(at: str | None, left: int | None) -> NumbersPage:
            size = page_max if left is None else min(page_max, left)
            return self._call("GET", path, {**query, "cursor": at, "limit": size}, NumbersPage)

        return Walk(fetch, cursor, None)

    def find_identities(
        self,
        *,
        identities: Iterable[tuple[str, str]],
    ) -> IdentitiesPage:
        """
        Many records of several registers by their identities: `GET /v1/identities`. One unit.

        The records of up to 500 uids, each once in `items`. `asked` has every identity in the order in which
        they were asked for, with the place of its record in `items`, or null. What null means for a register
        is in `coverage`.

        Args:
            identities: Up to 500 records, each as the code of its register, a colon and its uid. A comma
                separates two of them; inside a uid, write `%2C` for a comma and `%25` for a percent sign,
                before the query is encoded. Example: `US:US500000097123456,EM:EM500000018000001`
        """
        query: dict[str, Any] = {
            "identities": write_identities(identities),
        }
        return self._call("GET", build_path("identities"), query, IdentitiesPage)

    def export(
        self,
        *,
        fields: AnyOf[Literal["jurisdiction_code", "uid", "office", "application_number", "registration_number", "mark_name", "status", "tm5_status", "kind_of_mark", "mark_feature", "application_date", "registration_date", "publication_date", "expiry_date", "renewal_date", "termination_date", "opposition_period_end", "status_date", "external_update_date", "nice_classes", "vienna_codes", "owner_names", "owner_countries", "representative_names", "international_registration_numbers", "priority_numbers", "designated_countries", "record_update_date", "first_seen_at", "updated_at"]] | AnyOf[str] | None = None,
        sort: Literal["updated_at", "application_date", "registration_date"] | None = None,
        order: Literal["asc", "desc"] | None = None,
        cursor: str | None = None,
        jurisdiction: AnyOf[str] | None = None,
        office: AnyOf[str] | None = None,
        application_number: str | None = None,
        registration_number: str | None = None,
        status: AnyOf[Status] | AnyOf[str] | None = None,
        kind_of_mark: AnyOf[KindOfMark] | AnyOf[str] | None = None,
        mark_feature: AnyOf[MarkFeature] | AnyOf[str] | None = None,
        nice_class: AnyOf[int] | str | None = None,
        nice_class_all: AnyOf[int] | str | None = None,
        vienna_code: AnyOf[str] | None = None,
        mark_name: str | None = None,
        mark_name_contains: str | None = None,
        mark_name_startswith: str | None = None,
        owner_name: str | None = None,
        owner_name_contains: str | None = None,
        owner_name_startswith: str | None = None,
        representative_name: str | None = None,
        representative_name_contains: str | None = None,
        representative_name_startswith: str | None = None,
        owner_country: AnyOf[str] | None = None,
        international_registration_number: str | None = None,
        priority_number: str | None = None,
        designated_country: AnyOf[str] | None = None,
        updated_since: Moment | None = None,
        updated_before: Moment | None = None,
        application_date: Day | None = None,
        application_date_from: Day | None = None,
        application_date_to: Day | None = None,
        registration_date: Day | None = None,
        registration_date_from: Day | None = None,
        registration_date_to: Day | None = None,
        publication_date: Day | None = None,
        publication_date_from: Day | None = None,
        publication_date_to: Day | None = None,
        status_date: Day | None = None,
        status_date_from: Day | None = None,
        status_date_to: Day | None = None,
        expiry_date: Day | None = None,
        expiry_date_from: Day | None = None,
        expiry_date_to: Day | None = None,
        termination_date: Day | None = None,
        termination_date_from: Day | None = None,
        termination_date_to: Day | None = None,
        opposition_period_end: Day | None = None,
        opposition_period_end_from: Day | None = None,
        opposition_period_end_to: Day | None = None,
    ) -> ExportWalk:
        """
        A whole search as a stream: `GET /v1/export`. One unit for each 500 records, which are a page.

        Each record is a dictionary of its fields. The walk continues on its own after a cut, or when the
        service ends the stream; its `cursor` is the position after the last page that you consumed
        completely.

        Args:
            fields: The fields of each record, which come in the order of a record. Left out: all. Example:
                `jurisdiction_code,uid,mark_name,status`
            sort: Sort key, updated_at unless given; records without it come last. Example: `application_date`
            order: Order of the sort key, desc (latest first) unless given. Example: `asc`
            cursor: The last next_cursor of an export of the same search; the export continues after it.
            jurisdiction: Register codes, any of, up to 20. Left out: every register. Example: `US,EM`
            office: Registering-office codes, any of. Example: `WO`
            application_number: Exact application number, in any spelling that its register has for it.
                Example: `97123456`
            registration_number: Exact registration number, in any spelling that its register has for it.
                Example: `7123456`
            status: Statuses, any of, case-insensitive. Example: `Registered,Pending`
            kind_of_mark: Kinds of mark, any of, case-insensitive. Example: `Collective`
            mark_feature: Mark features, any of, case-insensitive. Example: `Word`
            nice_class: Nice classes, any of. Example: `9,42`
            nice_class_all: Nice classes, all of. Example: `9,42`
            vienna_code: Vienna codes or dotted prefixes, any of; a single segment needs a companion filter.
                Example: `26.03`
            mark_name: Exact mark text or held variant. Example: `acme`
            mark_name_contains: Part of the mark text. Example: `cme`
            mark_name_startswith: Start of the mark text. Example: `acm`
            owner_name: Exact owner name. Example: `acme inc.`
            owner_name_contains: Part of an owner name. Example: `acme`
            owner_name_startswith: Start of an owner name. Example: `acm`
            representative_name: Exact representative name. Example: `jane doe`
            representative_name_contains: Part of a representative name. Example: `doe`
            representative_name_startswith: Start of a representative name. Example: `jane`
            owner_country: Codes of the proprietor's country, any of. Example: `JP`
            international_registration_number: Exact Madrid registration number. Example: `1234567`
            priority_number: Exact priority claim number. Example: `2023-104522`
            designated_country: Designated countries, any of. Example: `FR,DE`
            updated_since: Content changed at or after this instant. Example: `2026-01-01T00:00:00Z`
            updated_before: Content changed before this instant. Example: `2026-02-01T00:00:00Z`
            application_date: Exact application date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            application_date_from: Earliest application date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            application_date_to: Latest application date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            registration_date: Exact registration date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            registration_date_from: Earliest registration date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            registration_date_to: Latest registration date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            publication_date: Exact publication date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            publication_date_from: Earliest publication date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            publication_date_to: Latest publication date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            status_date: Exact status date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            status_date_from: Earliest status date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            status_date_to: Latest status date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            expiry_date: Exact expiry date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            expiry_date_from: Earliest expiry date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            expiry_date_to: Latest expiry date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            termination_date: Exact termination date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            termination_date_from: Earliest termination date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            termination_date_to: Latest termination date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            opposition_period_end: Exact opposition period end, YYYY-MM-DD; excludes the _from and _to forms.
                Example: `2024-03-15`
            opposition_period_end_from: Earliest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-01-01`
            opposition_period_end_to: Latest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-12-31`
        """
        query: dict[str, Any] = {
            "fields": fields,
            "sort": sort,
            "order": order,
            "jurisdiction": jurisdiction,
            "office": office,
            "application_number": application_number,
            "registration_number": registration_number,
            "status": status,
            "kind_of_mark": kind_of_mark,
            "mark_feature": mark_feature,
            "nice_class": nice_class,
            "nice_class_all": nice_class_all,
            "vienna_code": vienna_code,
            "mark_name": mark_name,
            "mark_name_contains": mark_name_contains,
            "mark_name_startswith": mark_name_startswith,
            "owner_name": owner_name,
            "owner_name_contains": owner_name_contains,
            "owner_name_startswith": owner_name_startswith,
            "representative_name": representative_name,
            "representative_name_contains": representative_name_contains,
            "representative_name_startswith": representative_name_startswith,
            "owner_country": owner_country,
            "international_registration_number": international_registration_number,
            "priority_number": priority_number,
            "designated_country": designated_country,
            "updated_since": updated_since,
            "updated_before": updated_before,
            "application_date": application_date,
            "application_date_from": application_date_from,
            "application_date_to": application_date_to,
            "registration_date": registration_date,
            "registration_date_from": registration_date_from,
            "registration_date_to": registration_date_to,
            "publication_date": publication_date,
            "publication_date_from": publication_date_from,
            "publication_date_to": publication_date_to,
            "status_date": status_date,
            "status_date_from": status_date_from,
            "status_date_to": status_date_to,
            "expiry_date": expiry_date,
            "expiry_date_from": expiry_date_from,
            "expiry_date_to": expiry_date_to,
            "termination_date": termination_date,
            "termination_date_from": termination_date_from,
            "termination_date_to": termination_date_to,
            "opposition_period_end": opposition_period_end,
            "opposition_period_end_from": opposition_period_end_from,
            "opposition_period_end_to": opposition_period_end_to,
        }
        return self._export(query, cursor)

    def snapshots(self) -> SnapshotsPage:
        """
        Snapshots of the registers as files: `GET /v1/snapshots`. One unit.

        The newest first; empty if the operator makes none. A snapshot has every record that last changed at
        or before `as_of`; the change feed continues from its cursors, so a replica that loads the files
        misses nothing.
        """
        query: dict[str, Any] = {}
        return self._call("GET", build_path("snapshots"), query, SnapshotsPage)

    def deltas(
        self,
        *,
        as_of: Moment | None = None,
    ) -> DeltasPage:
        """
        What changed between snapshots, as files: `GET /v1/snapshots/deltas`. One unit.

        In the order in which they are applied; empty if the operator makes none. A delta has every record
        whose last change is after `from_as_of` and at or before `as_of`. A copy that is complete up to an
        instant between the two takes each of its records instead of the one that it has, and is then complete
        up to `as_of`; the change feed continues from its cursors. There are no deletions.
        `/v1/snapshots/{snapshot_id}/{file}` has the files, with the id of the delta.

        Args:
            as_of: The instant up to which your copy is complete. Lists the deltas that end later. Left out:
                all of them. Example: `2026-01-01T00:00:00Z`
        """
        query: dict[str, Any] = {
            "as_of": as_of,
        }
        return self._call("GET", build_path("snapshots", "deltas"), query, DeltasPage)

    def watches(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> WatchesPage:
        """
        Watches of the customer: `GET /v1/watches`. One unit.

        The live watches of the customer of the key, in the order of their ids.

        Args:
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size, 1 to 500; default 100. Example: `100`
        """
        query: dict[str, Any] = {
            "cursor": cursor,
            "limit": limit,
        }
        return self._call("GET", build_path("watches"), query, WatchesPage)

    def watches_all(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Walk[WatchesPage, Watch]:
        """
        Watches of the customer, page by page, each fetched when it is needed: `GET /v1/watches`. One unit a
        page.

        To the end.

        Args:
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size, 1 to 500; default 100. Example: `100`
        """
        path = build_path("watches")
        page_max = limit or 500
        query: dict[str, Any] = {}

        def fetch(at: str | None, left: int | None) -> WatchesPage:
            size = page_max if left is None else min(page_max, left)
            return self._call("GET", path, {**query, "cursor": at, "limit": size}, WatchesPage)

        return Walk(fetch, cursor, None)

    def watch(
        self,
        watch: str,
    ) -> WatchDetail:
        """
        One watch, and what it matches: `GET /v1/watches/{watch}`. One unit.

        The watch with all that it lists, how many records match now, and for each of the last twelve months
        in how many events of the history a record began to match, changed while matching, or stopped
        matching; how many of the matching records last changed in it; and how many hits the watch had. Where
        the history has too many events, they are counted from `counted_from` on. A watch that has ended is
        answered too.
        """
        query: dict[str, Any] = {}
        return self._call("GET", build_path("watches", watch), query, WatchDetail)

    def put_watch(
        self,
        watch: str,
        *,
        name: str,
        reference: str | None = None,
        search: str | None = None,
        records: Iterable[RecordIdentity] | None = None,
        owners: Iterable[str] | None = None,
        similar: Mapping[str, Any] | None = None,
    ) -> Watch:
        """
        Make or change a watch: `PUT /v1/watches/{watch}`. One unit.

        You choose the id. The body takes exactly one of `search` (the query string of a search, without the
        parameters that shape a page), `records`, `owners` and `similar`. Sending the same body again changes
        nothing; another body changes the watch, and its hits stay. Hits begin after `holds_from`. A search
        that the search endpoint would refuse is refused here in the same words; it has at most 16,384 bytes,
        like one in an address. The body has at most 4 MB and is read after rate and quota are checked. A
        customer may send four bodies at a time; a further one gets 503.

        Args:
            name: For people.
            reference: Your own, such as the number of a matter: hits, messages to webhooks and files repeat
                it.
            search: The query string of a search, such as `jurisdiction=US&owner_name=acme`.
            records: Records by their identities.
            owners: Names, compared like `owner_name` of a search.
            similar: A mark; the watch is hit by records with names that are alike.
        """
        query: dict[str, Any] = {}
        body: dict[str, Any] = {
            "name": name,
            "reference": reference,
            "search": search,
            "records": None if records is None else [each.to_dict() for each in records],
            "owners": None if owners is None else [*owners],
            "similar": similar,
        }
        return self._call("PUT", build_path("watches", watch), query, Watch, body={name: value for name, value in body.items() if value is not None})

    def delete_watch(
        self,
        watch: str,
    ) -> Watch:
        """
        End a watch: `DELETE /v1/watches/{watch}`. One unit.

        Nothing more is matched; its hits stay. Ending it again changes nothing.
        """
        query: dict[str, Any] = {}
        return self._call("DELETE", build_path("watches", watch), query, Watch)

    def hits(
        self,
        watch: str,
        *,
        since: Moment,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> WatchHitsPage:
        """
        The hits of a watch: `GET /v1/watches/{watch}/hits`. One unit.

        Every version of a record that the watch matches, or that replaces one it matches, oldest first: the
        record begins to match, changes while matching, or stops matching. Keep the latest `next_cursor` and
        send it with the same `since`: every later hit arrives exactly once. An empty page means caught up to
        X-Change-Horizon; it costs a unit like any other, so ask when a webhook announces hits, or after
        X-Poll-After.

        Args:
            since: Hits with stamps at or after this instant. Example: `2026-01-01T00:00:00Z`
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size, 1 to 500; default 100. Example: `100`
        """
        query: dict[str, Any] = {
            "since": since,
            "cursor": cursor,
            "limit": limit,
        }
        return self._call("GET", build_path("watches", watch, "hits"), query, WatchHitsPage)

    def hits_all(
        self,
        watch: str,
        *,
        since: Moment,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> FeedWalk[WatchHitsPage, WatchHit]:
        """
        The hits of a watch, page by page, each fetched when it is needed: `GET /v1/watches/{watch}/hits`. One
        unit a page.

        To the end of the feed. Save `walk.cursor` with what you have consumed; `walk.follow()` goes on
        without an end.

        Args:
            since: Hits with stamps at or after this instant. Example: `2026-01-01T00:00:00Z`
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size, 1 to 500; default 100. Example: `100`
        """
        path = build_path("watches", watch, "hits")
        page_max = limit or 500
        query: dict[str, Any] = {
            "since": since,
        }

        def fetch(at: str | None, left: int | None) -> WatchHitsPage:
            size = page_max if left is None else min(page_max, left)
            return self._call("GET", path, {**query, "cursor": at, "limit": size}, WatchHitsPage)

        return FeedWalk(fetch, cursor, None)

    def diagnose(
        self,
        watch: str,
        *,
        jurisdiction_code: str,
        uid: str,
    ) -> WatchDiagnosis:
        """
        Why a record did or did not hit a watch: `GET /v1/watches/{watch}/diagnosis`. One unit.

        The latest 100 changes of a record, matched again as the watch is now: which of them hit, which came
        before the watch had this form, are not checked yet, or came after it ended; and of each thing that
        the watch asks for, whether the record satisfies it and since which version. A record that no register
        has is answered too.

        Args:
            jurisdiction_code: Register code of the record. Example: `EM`
            uid: Identity of the record within the register. Example: `EM500000018229854`
        """
        query: dict[str, Any] = {
            "jurisdiction_code": jurisdiction_code,
            "uid": uid,
        }
        return self._call("GET", build_path("watches", watch, "diagnosis"), query, WatchDiagnosis)

    def webhooks(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> WebhooksPage:
        """
        Webhooks of the customer: `GET /v1/webhooks`. One unit.

        The webhooks of the customer of the key, those of the portal included, in the order of their ids.

        Args:
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size, 1 to 100; default 100. Example: `100`
        """
        query: dict[str, Any] = {
            "cursor": cursor,
            "limit": limit,
        }
        return self._call("GET", build_path("webhooks"), query, WebhooksPage)

    def webhooks_all(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Walk[WebhooksPage, Webhook]:
        """
        Webhooks of the customer, page by page, each fetched when it is needed: `GET /v1/webhooks`. One unit a
        page.

        To the end.

        Args:
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size, 1 to 100; default 100. Example: `100`
        """
        path = build_path("webhooks")
        page_max = limit or 100
        query: dict[str, Any] = {}

        def fetch(at: str | None, left: int | None) -> WebhooksPage:
            size = page_max if left is None else min(page_max, left)
            return self._call("GET", path, {**query, "cursor": at, "limit": size}, WebhooksPage)

        return Walk(fetch, cursor, None)

    def webhook(
        self,
        webhook: str,
    ) -> Webhook:
        """
        One webhook and its state: `GET /v1/webhooks/{webhook}`. One unit.

        Its address, whether it is on, and its pending messages. Its secret is never shown here.
        """
        query: dict[str, Any] = {}
        return self._call("GET", build_path("webhooks", webhook), query, Webhook)

    def put_webhook(
        self,
        webhook: str,
        *,
        url: str,
        watch: str | None = None,
        is_off: bool | None = None,
    ) -> WebhookWithSecret:
        """
        Add or change a webhook: `PUT /v1/webhooks/{webhook}`. One unit.

        You choose the id; a customer has at most 20 webhooks. The answer that adds one has its `secret`,
        which signs its messages and is never shown again: if that answer was lost, renew the secret. Sending
        the same body again changes nothing, except that a webhook that is off is switched on, unless `is_off`
        is true. Pending messages go to the new address, which has to be `https` and on the public internet.

        Args:
            url: Of your receiver: `https`, and public.
            watch: Id of a watch. Null or left out: all, future ones included.
            is_off: Sends nothing; pending messages wait. Default: false, which also switches it on.
        """
        query: dict[str, Any] = {}
        body: dict[str, Any] = {
            "url": url,
            "watch": watch,
            "is_off": is_off,
        }
        return self._call("PUT", build_path("webhooks", webhook), query, WebhookWithSecret, body={name: value for name, value in body.items() if value is not None})

    def delete_webhook(
        self,
        webhook: str,
    ) -> Webhook:
        """
        Delete a webhook: `DELETE /v1/webhooks/{webhook}`. One unit.

        Nothing more is sent, and pending messages are dropped; the hits stay. A deleted webhook is
        `not_found`.
        """
        query: dict[str, Any] = {}
        return self._call("DELETE", build_path("webhooks", webhook), query, Webhook)

    def webhook_deliveries(
        self,
        webhook: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> WebhookDeliveriesPage:
        """
        The messages to a webhook: `GET /v1/webhooks/{webhook}/deliveries`. One unit.

        Each message with its state, newest first, test events included. Messages that were taken are kept for
        30 days, unless the operator keeps them for longer.

        Args:
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size, 1 to 500; default 100. Example: `100`
        """
        query: dict[str, Any] = {
            "cursor": cursor,
            "limit": limit,
        }
        return self._call("GET", build_path("webhooks", webhook, "deliveries"), query, WebhookDeliveriesPage)

    def webhook_deliveries_all(
        self,
        webhook: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Walk[WebhookDeliveriesPage, WebhookDelivery]:
        """
        The messages to a webhook, page by page, each fetched when it is needed: `GET
        /v1/webhooks/{webhook}/deliveries`. One unit a page.

        To the end.

        Args:
            cursor: The previous page's next_cursor, verbatim.
            limit: Page size, 1 to 500; default 100. Example: `100`
        """
        path = build_path("webhooks", webhook, "deliveries")
        page_max = limit or 500
        query: dict[str, Any] = {}

        def fetch(at: str | None, left: int | None) -> WebhookDeliveriesPage:
            size = page_max if left is None else min(page_max, left)
            return self._call("GET", path, {**query, "cursor": at, "limit": size}, WebhookDeliveriesPage)

        return Walk(fetch, cursor, None)

    def renew_webhook_secret(
        self,
        webhook: str,
        *,
        grace_seconds: int | None = None,
    ) -> WebhookWithSecret:
        """
        Renew the secret of a webhook: `PUT /v1/webhooks/{webhook}/secret`. One unit.

        Makes a new secret, which this answer alone shows. For `grace_seconds` the old one signs too, so that
        a receiver that knows only the old one keeps working. Each call makes another secret; within the
        grace, the one that the receiver has keeps signing, so you may send a call again if its answer was
        lost.

        Args:
            grace_seconds: How long the old secret signs together with the new one. Default: 0.
        """
        query: dict[str, Any] = {}
        body: dict[str, Any] = {
            "grace_seconds": grace_seconds,
        }
        return self._call("PUT", build_path("webhooks", webhook, "secret"), query, WebhookWithSecret, body={name: value for name, value in body.items() if value is not None})

    def test_webhook(
        self,
        webhook: str,
    ) -> WebhookDelivery:
        """
        Send a test event to a webhook: `PUT /v1/webhooks/{webhook}/test`. One unit.

        One signed event of the type `test` is sent once, within seconds, even while the webhook is off;
        `deliveries` shows what the receiver answered. While one is pending, the same request makes no other.
        A customer may send five in ten minutes; then 429 says when the next one may be sent.
        """
        query: dict[str, Any] = {}
        return self._call("PUT", build_path("webhooks", webhook, "test"), query, WebhookDelivery)

    def due_dates(
        self,
        *,
        from_: Day,
        to: Day,
        event: AnyOf[Literal["opposition_end", "use_declaration", "renewal", "dependency_end"]] | AnyOf[str] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        jurisdiction: AnyOf[str] | None = None,
        office: AnyOf[str] | None = None,
        application_number: str | None = None,
        registration_number: str | None = None,
        status: AnyOf[Status] | AnyOf[str] | None = None,
        kind_of_mark: AnyOf[KindOfMark] | AnyOf[str] | None = None,
        mark_feature: AnyOf[MarkFeature] | AnyOf[str] | None = None,
        nice_class: AnyOf[int] | str | None = None,
        nice_class_all: AnyOf[int] | str | None = None,
        vienna_code: AnyOf[str] | None = None,
        mark_name: str | None = None,
        mark_name_contains: str | None = None,
        mark_name_startswith: str | None = None,
        owner_name: str | None = None,
        owner_name_contains: str | None = None,
        owner_name_startswith: str | None = None,
        representative_name: str | None = None,
        representative_name_contains: str | None = None,
        representative_name_startswith: str | None = None,
        owner_country: AnyOf[str] | None = None,
        international_registration_number: str | None = None,
        priority_number: str | None = None,
        designated_country: AnyOf[str] | None = None,
        updated_since: Moment | None = None,
        updated_before: Moment | None = None,
        application_date: Day | None = None,
        application_date_from: Day | None = None,
        application_date_to: Day | None = None,
        registration_date: Day | None = None,
        registration_date_from: Day | None = None,
        registration_date_to: Day | None = None,
        publication_date: Day | None = None,
        publication_date_from: Day | None = None,
        publication_date_to: Day | None = None,
        status_date: Day | None = None,
        status_date_from: Day | None = None,
        status_date_to: Day | None = None,
        expiry_date: Day | None = None,
        expiry_date_from: Day | None = None,
        expiry_date_to: Day | None = None,
        termination_date: Day | None = None,
        termination_date_from: Day | None = None,
        termination_date_to: Day | None = None,
        opposition_period_end: Day | None = None,
        opposition_period_end_from: Day | None = None,
        opposition_period_end_to: Day | None = None,
    ) -> DuePage:
        """
        What is due between two days: `GET /analytics/v1/dates`. One unit.

        The dates of the records that the filters match, in order: those that offices state and those that
        follow from the rules, as of `from`. A record whose office states a date is listed under it, whatever
        the rule gives. The filters may match at most 2,000 records. It belongs to the product `analytics`.
        One unit a page.

        Args:
            from_: The first day; at most 366 days with to. Example: `2026-12-01`
            to: The last day. Example: `2027-02-28`
            event: Only dates of these events. Example: `renewal,use_declaration`
            cursor: The previous page's next_cursor, verbatim.
            limit: Most records of a page. Example: `100`
            jurisdiction: Register codes, any of, up to 20. Left out: every register. Example: `US,EM`
            office: Registering-office codes, any of. Example: `WO`
            application_number: Exact application number, in any spelling that its register has for it.
                Example: `97123456`
            registration_number: Exact registration number, in any spelling that its register has for it.
                Example: `7123456`
            status: Statuses, any of, case-insensitive. Example: `Registered,Pending`
            kind_of_mark: Kinds of mark, any of, case-insensitive. Example: `Collective`
            mark_feature: Mark features, any of, case-insensitive. Example: `Word`
            nice_class: Nice classes, any of. Example: `9,42`
            nice_class_all: Nice classes, all of. Example: `9,42`
            vienna_code: Vienna codes or dotted prefixes, any of; a single segment needs a companion filter.
                Example: `26.03`
            mark_name: Exact mark text or held variant. Example: `acme`
            mark_name_contains: Part of the mark text. Example: `cme`
            mark_name_startswith: Start of the mark text. Example: `acm`
            owner_name: Exact owner name. Example: `acme inc.`
            owner_name_contains: Part of an owner name. Example: `acme`
            owner_name_startswith: Start of an owner name. Example: `acm`
            representative_name: Exact representative name. Example: `jane doe`
            representative_name_contains: Part of a representative name. Example: `doe`
            representative_name_startswith: Start of a representative name. Example: `jane`
            owner_country: Codes of the proprietor's country, any of. Example: `JP`
            international_registration_number: Exact Madrid registration number. Example: `1234567`
            priority_number: Exact priority claim number. Example: `2023-104522`
            designated_country: Designated countries, any of. Example: `FR,DE`
            updated_since: Content changed at or after this instant. Example: `2026-01-01T00:00:00Z`
            updated_before: Content changed before this instant. Example: `2026-02-01T00:00:00Z`
            application_date: Exact application date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            application_date_from: Earliest application date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            application_date_to: Latest application date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            registration_date: Exact registration date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            registration_date_from: Earliest registration date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            registration_date_to: Latest registration date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            publication_date: Exact publication date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            publication_date_from: Earliest publication date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            publication_date_to: Latest publication date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            status_date: Exact status date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            status_date_from: Earliest status date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            status_date_to: Latest status date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            expiry_date: Exact expiry date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            expiry_date_from: Earliest expiry date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            expiry_date_to: Latest expiry date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            termination_date: Exact termination date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            termination_date_from: Earliest termination date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            termination_date_to: Latest termination date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            opposition_period_end: Exact opposition period end, YYYY-MM-DD; excludes the _from and _to forms.
                Example: `2024-03-15`
            opposition_period_end_from: Earliest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-01-01`
            opposition_period_end_to: Latest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-12-31`
        """
        query: dict[str, Any] = {
            "from": from_,
            "to": to,
            "event": event,
            "cursor": cursor,
            "limit": limit,
            "jurisdiction": jurisdiction,
            "office": office,
            "application_number": application_number,
            "registration_number": registration_number,
            "status": status,
            "kind_of_mark": kind_of_mark,
            "mark_feature": mark_feature,
            "nice_class": nice_class,
            "nice_class_all": nice_class_all,
            "vienna_code": vienna_code,
            "mark_name": mark_name,
            "mark_name_contains": mark_name_contains,
            "mark_name_startswith": mark_name_startswith,
            "owner_name": owner_name,
            "owner_name_contains": owner_name_contains,
            "owner_name_startswith": owner_name_startswith,
            "representative_name": representative_name,
            "representative_name_contains": representative_name_contains,
            "representative_name_startswith": representative_name_startswith,
            "owner_country": owner_country,
            "international_registration_number": international_registration_number,
            "priority_number": priority_number,
            "designated_country": designated_country,
            "updated_since": updated_since,
            "updated_before": updated_before,
            "application_date": application_date,
            "application_date_from": application_date_from,
            "application_date_to": application_date_to,
            "registration_date": registration_date,
            "registration_date_from": registration_date_from,
            "registration_date_to": registration_date_to,
            "publication_date": publication_date,
            "publication_date_from": publication_date_from,
            "publication_date_to": publication_date_to,
            "status_date": status_date,
            "status_date_from": status_date_from,
            "status_date_to": status_date_to,
            "expiry_date": expiry_date,
            "expiry_date_from": expiry_date_from,
            "expiry_date_to": expiry_date_to,
            "termination_date": termination_date,
            "termination_date_from": termination_date_from,
            "termination_date_to": termination_date_to,
            "opposition_period_end": opposition_period_end,
            "opposition_period_end_from": opposition_period_end_from,
            "opposition_period_end_to": opposition_period_end_to,
        }
        return self._call("GET", build_path("dates", product="analytics"), query, DuePage)

    def due_dates_all(
        self,
        *,
        from_: Day,
        to: Day,
        event: AnyOf[Literal["opposition_end", "use_declaration", "renewal", "dependency_end"]] | AnyOf[str] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        jurisdiction: AnyOf[str] | None = None,
        office: AnyOf[str] | None = None,
        application_number: str | None = None,
        registration_number: str | None = None,
        status: AnyOf[Status] | AnyOf[str] | None = None,
        kind_of_mark: AnyOf[KindOfMark] | AnyOf[str] | None = None,
        mark_feature: AnyOf[MarkFeature] | AnyOf[str] | None = None,
        nice_class: AnyOf[int] | str | None = None,
        nice_class_all: AnyOf[int] | str | None = None,
        vienna_code: AnyOf[str] | None = None,
        mark_name: str | None = None,
        mark_name_contains: str | None = None,
        mark_name_startswith: str | None = None,
        owner_name: str | None = None,
        owner_name_contains: str | None = None,
        owner_name_startswith: str | None = None,
        representative_name: str | None = None,
        representative_name_contains: str | None = None,
        representative_name_startswith: str | None = None,
        owner_country: AnyOf[str] | None = None,
        international_registration_number: str | None = None,
        priority_number: str | None = None,
        designated_country: AnyOf[str] | None = None,
        updated_since: Moment | None = None,
        updated_before: Moment | None = None,
        application_date: Day | None = None,
        application_date_from: Day | None = None,
        application_date_to: Day | None = None,
        registration_date: Day | None = None,
        registration_date_from: Day | None = None,
        registration_date_to: Day | None = None,
        publication_date: Day | None = None,
        publication_date_from: Day | None = None,
        publication_date_to: Day | None = None,
        status_date: Day | None = None,
        status_date_from: Day | None = None,
        status_date_to: Day | None = None,
        expiry_date: Day | None = None,
        expiry_date_from: Day | None = None,
        expiry_date_to: Day | None = None,
        termination_date: Day | None = None,
        termination_date_from: Day | None = None,
        termination_date_to: Day | None = None,
        opposition_period_end: Day | None = None,
        opposition_period_end_from: Day | None = None,
        opposition_period_end_to: Day | None = None,
    ) -> Walk[DuePage, DuePageItems]:
        """
        What is due between two days, page by page, each fetched when it is needed: `GET /analytics/v1/dates`.
        One unit a page.

        To the end.

        Args:
            from_: The first day; at most 366 days with to. Example: `2026-12-01`
            to: The last day. Example: `2027-02-28`
            event: Only dates of these events. Example: `renewal,use_declaration`
            cursor: The previous page's next_cursor, verbatim.
            limit: Most records of a page. Example: `100`
            jurisdiction: Register codes, any of, up to 20. Left out: every register. Example: `US,EM`
            office: Registering-office codes, any of. Example: `WO`
            application_number: Exact application number, in any spelling that its register has for it.
                Example: `97123456`
            registration_number: Exact registration number, in any spelling that its register has for it.
                Example: `7123456`
            status: Statuses, any of, case-insensitive. Example: `Registered,Pending`
            kind_of_mark: Kinds of mark, any of, case-insensitive. Example: `Collective`
            mark_feature: Mark features, any of, case-insensitive. Example: `Word`
            nice_class: Nice classes, any of. Example: `9,42`
            nice_class_all: Nice classes, all of. Example: `9,42`
            vienna_code: Vienna codes or dotted prefixes, any of; a single segment needs a companion filter.
                Example: `26.03`
            mark_name: Exact mark text or held variant. Example: `acme`
            mark_name_contains: Part of the mark text. Example: `cme`
            mark_name_startswith: Start of the mark text. Example: `acm`
            owner_name: Exact owner name. Example: `acme inc.`
            owner_name_contains: Part of an owner name. Example: `acme`
            owner_name_startswith: Start of an owner name. Example: `acm`
            representative_name: Exact representative name. Example: `jane doe`
            representative_name_contains: Part of a representative name. Example: `doe`
            representative_name_startswith: Start of a representative name. Example: `jane`
            owner_country: Codes of the proprietor's country, any of. Example: `JP`
            international_registration_number: Exact Madrid registration number. Example: `1234567`
            priority_number: Exact priority claim number. Example: `2023-104522`
            designated_country: Designated countries, any of. Example: `FR,DE`
            updated_since: Content changed at or after this instant. Example: `2026-01-01T00:00:00Z`
            updated_before: Content changed before this instant. Example: `2026-02-01T00:00:00Z`
            application_date: Exact application date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            application_date_from: Earliest application date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            application_date_to: Latest application date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            registration_date: Exact registration date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            registration_date_from: Earliest registration date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            registration_date_to: Latest registration date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            publication_date: Exact publication date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            publication_date_from: Earliest publication date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            publication_date_to: Latest publication date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            status_date: Exact status date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            status_date_from: Earliest status date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            status_date_to: Latest status date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            expiry_date: Exact expiry date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            expiry_date_from: Earliest expiry date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            expiry_date_to: Latest expiry date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            termination_date: Exact termination date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            termination_date_from: Earliest termination date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            termination_date_to: Latest termination date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            opposition_period_end: Exact opposition period end, YYYY-MM-DD; excludes the _from and _to forms.
                Example: `2024-03-15`
            opposition_period_end_from: Earliest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-01-01`
            opposition_period_end_to: Latest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-12-31`
        """
        path = build_path("dates", product="analytics")
        page_max = limit or 500
        query: dict[str, Any] = {
            "from": from_,
            "to": to,
            "event": event,
            "jurisdiction": jurisdiction,
            "office": office,
            "application_number": application_number,
            "registration_number": registration_number,
            "status": status,
            "kind_of_mark": kind_of_mark,
            "mark_feature": mark_feature,
            "nice_class": nice_class,
            "nice_class_all": nice_class_all,
            "vienna_code": vienna_code,
            "mark_name": mark_name,
            "mark_name_contains": mark_name_contains,
            "mark_name_startswith": mark_name_startswith,
            "owner_name": owner_name,
            "owner_name_contains": owner_name_contains,
            "owner_name_startswith": owner_name_startswith,
            "representative_name": representative_name,
            "representative_name_contains": representative_name_contains,
            "representative_name_startswith": representative_name_startswith,
            "owner_country": owner_country,
            "international_registration_number": international_registration_number,
            "priority_number": priority_number,
            "designated_country": designated_country,
            "updated_since": updated_since,
            "updated_before": updated_before,
            "application_date": application_date,
            "application_date_from": application_date_from,
            "application_date_to": application_date_to,
            "registration_date": registration_date,
            "registration_date_from": registration_date_from,
            "registration_date_to": registration_date_to,
            "publication_date": publication_date,
            "publication_date_from": publication_date_from,
            "publication_date_to": publication_date_to,
            "status_date": status_date,
            "status_date_from": status_date_from,
            "status_date_to": status_date_to,
            "expiry_date": expiry_date,
            "expiry_date_from": expiry_date_from,
            "expiry_date_to": expiry_date_to,
            "termination_date": termination_date,
            "termination_date_from": termination_date_from,
            "termination_date_to": termination_date_to,
            "opposition_period_end": opposition_period_end,
            "opposition_period_end_from": opposition_period_end_from,
            "opposition_period_end_to": opposition_period_end_to,
        }

        def fetch(at: str | None, left: int | None) -> DuePage:
            size = page_max if left is None else min(page_max, left)
            return self._call("GET", path, {**query, "cursor": at, "limit": size}, DuePage)

        return Walk(fetch, cursor, None)

    def record_dates(
        self,
        jurisdiction_code: str,
        uid: str,
    ) -> RecordDates:
        """
        The dates of one record: `GET /analytics/v1/{jurisdiction_code}/trademarks/{uid}/dates`. One unit.

        For each event what the office states, what follows from a rule, and whether they agree; or which fact
        is missing. Nothing replaces the date of the office. A part of an international registration is dated
        by the registration, if its record is held. A period of opposition that has passed is listed only if
        its office states its end. It belongs to the product `analytics`.
        """
        query: dict[str, Any] = {}
        return self._call("GET", build_path(jurisdiction_code, "trademarks", uid, "dates", product="analytics"), query, RecordDates)

    def date_rules(self) -> DateRulesPage:
        """
        The rules from which dates follow: `GET /analytics/v1/rules`. One unit.

        Every rule with its versions: the fact it runs from, its terms, window, grace and consequence, and the
        article of its source. It belongs to the product `analytics`.
        """
        query: dict[str, Any] = {}
        return self._call("GET", build_path("rules", product="analytics"), query, DateRulesPage)

    def similar(
        self,
        *,
        mark: str,
        strategies: AnyOf[Literal["equal", "glyphs", "edits", "plural", "order", "sound", "consonants", "transliteration", "within", "word", "beginning", "letters", "mark", "variant", "pseudo_mark"]] | AnyOf[str] | None = None,
        classes: AnyOf[int] | str | None = None,
        limit: int | None = None,
        jurisdiction: AnyOf[str] | None = None,
        office: AnyOf[str] | None = None,
        application_number: str | None = None,
        registration_number: str | None = None,
        status: AnyOf[Status] | AnyOf[str] | None = None,
        kind_of_mark: AnyOf[KindOfMark] | AnyOf[str] | None = None,
        mark_feature: AnyOf[MarkFeature] | AnyOf[str] | None = None,
        nice_class: AnyOf[int] | str | None = None,
        nice_class_all: AnyOf[int] | str | None = None,
        vienna_code: AnyOf[str] | None = None,
        mark_name: str | None = None,
        mark_name_contains: str | None = None,
        mark_name_startswith: str | None = None,
        owner_name: str | None = None,
        owner_name_contains: str | None = None,
        owner_name_startswith: str | None = None,
        representative_name: str | None = None,
        representative_name_contains: str | None = None,
        representative_name_startswith: str | None = None,
        owner_country: AnyOf[str] | None = None,
        international_registration_number: str | None = None,
        priority_number: str | None = None,
        designated_country: AnyOf[str] | None = None,
        updated_since: Moment | None = None,
        updated_before: Moment | None = None,
        application_date: Day | None = None,
        application_date_from: Day | None = None,
        application_date_to: Day | None = None,
        registration_date: Day | None = None,
        registration_date_from: Day | None = None,
        registration_date_to: Day | None = None,
        publication_date: Day | None = None,
        publication_date_from: Day | None = None,
        publication_date_to: Day | None = None,
        status_date: Day | None = None,
        status_date_from: Day | None = None,
        status_date_to: Day | None = None,
        expiry_date: Day | None = None,
        expiry_date_from: Day | None = None,
        expiry_date_to: Day | None = None,
        termination_date: Day | None = None,
        termination_date_from: Day | None = None,
        termination_date_to: Day | None = None,
        opposition_period_end: Day | None = None,
        opposition_period_end_from: Day | None = None,
        opposition_period_end_to: Day | None = None,
    ) -> SimilarPage:
        """
        Marks whose names are alike: `GET /analytics/v1/similar`. One unit.

        Compares `mark` with every distinct name of the records that satisfy the filters, including
        translations and transliterations that a register holds. Each strategy lists the names that it finds
        by how alike they are; `place` is how many names are as alike or more. Entries come by tier:
        `identical`, then `near` and `shared`, where a strategy of that tier finds at most a few names that
        are as alike, then `alike`. Within a tier, classes in common come first if `classes` is given, then
        the places of all strategies decide together. Marks of one owner that begin alike are one entry.
        `bounds_met` says what was left out. The product is `analytics`.

        Args:
            mark: The text of the mark, up to 200 characters and 30 words. Example: `aurelia`
            strategies: The strategies by which names are found, and the texts that are compared: `mark`,
                `variant` (translations and transliterations that the register holds) and `pseudo_mark`. If no
                strategy is named, all are used; if no text, all are. Example: `equal,edits,sound,letters`
            classes: Nice classes of the goods of the mark. Within a tier, records in one of them come first,
                then those in related classes. It leaves nothing out; nice_class does. Example: `9,42`
            limit: Most entries of the answer. There is no further page. Example: `50`
            jurisdiction: Register codes, any of, up to 20. Left out: every register. Example: `US,EM`
            office: Registering-office codes, any of. Example: `WO`
            application_number: Exact application number, in any spelling that its register has for it.
                Example: `97123456`
            registration_number: Exact registration number, in any spelling that its register has for it.
                Example: `7123456`
            status: Statuses, any of, case-insensitive. Example: `Registered,Pending`
            kind_of_mark: Kinds of mark, any of, case-insensitive. Example: `Collective`
            mark_feature: Mark features, any of, case-insensitive. Example: `Word`
            nice_class: Nice classes, any of. Example: `9,42`
            nice_class_all: Nice classes, all of. Example: `9,42`
            vienna_code: Vienna codes or dotted prefixes, any of; a single segment needs a companion filter.
                Example: `26.03`
            mark_name: Exact mark text or held variant. Example: `acme`
            mark_name_contains: Part of the mark text. Example: `cme`
            mark_name_startswith: Start of the mark text. Example: `acm`
            owner_name: Exact owner name. Example: `acme inc.`
            owner_name_contains: Part of an owner name. Example: `acme`
            owner_name_startswith: Start of an owner name. Example: `acm`
            representative_name: Exact representative name. Example: `jane doe`
            representative_name_contains: Part of a representative name. Example: `doe`
            representative_name_startswith: Start of a representative name. Example: `jane`
            owner_country: Codes of the proprietor's country, any of. Example: `JP`
            international_registration_number: Exact Madrid registration number. Example: `1234567`
            priority_number: Exact priority claim number. Example: `2023-104522`
            designated_country: Designated countries, any of. Example: `FR,DE`
            updated_since: Content changed at or after this instant. Example: `2026-01-01T00:00:00Z`
            updated_before: Content changed before this instant. Example: `2026-02-01T00:00:00Z`
            application_date: Exact application date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            application_date_from: Earliest application date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            application_date_to: Latest application date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            registration_date: Exact registration date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            registration_date_from: Earliest registration date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            registration_date_to: Latest registration date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            publication_date: Exact publication date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            publication_date_from: Earliest publication date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            publication_date_to: Latest publication date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            status_date: Exact status date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            status_date_from: Earliest status date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            status_date_to: Latest status date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            expiry_date: Exact expiry date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            expiry_date_from: Earliest expiry date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            expiry_date_to: Latest expiry date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            termination_date: Exact termination date, YYYY-MM-DD; excludes the _from and _to forms. Example:
                `2024-03-15`
            termination_date_from: Earliest termination date, inclusive, YYYY-MM-DD. Example: `2024-01-01`
            termination_date_to: Latest termination date, inclusive, YYYY-MM-DD. Example: `2024-12-31`
            opposition_period_end: Exact opposition period end, YYYY-MM-DD; excludes the _from and _to forms.
                Example: `2024-03-15`
            opposition_period_end_from: Earliest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-01-01`
            opposition_period_end_to: Latest opposition period end, inclusive, YYYY-MM-DD. Example:
                `2024-12-31`
        """
        query: dict[str, Any] = {
            "mark": mark,
            "strategies": strategies,
            "classes": classes,
            "limit": limit,
            "jurisdiction": jurisdiction,
            "office": office,
            "application_number": application_number,
            "registration_number": registration_number,
            "status": status,
            "kind_of_mark": kind_of_mark,
            "mark_feature": mark_feature,
            "nice_class": nice_class,
            "nice_class_all": nice_class_all,
            "vienna_code": vienna_code,
            "mark_name": mark_name,
            "mark_name_contains": mark_name_contains,
            "mark_name_startswith": mark_name_startswith,
            "owner_name": owner_name,
            "owner_name_contains": owner_name_contains,
            "owner_name_startswith": owner_name_startswith,
            "representative_name": representative_name,
            "representative_name_contains": representative_name_contains,
            "representative_name_startswith": representative_name_startswith,
            "owner_country": owner_country,
            "international_registration_number": international_registration_number,
            "priority_number": priority_number,
            "designated_country": designated_country,
            "updated_since": updated_since,
            "updated_before": updated_before,
            "application_date": application_date,
            "application_date_from": application_date_from,
            "application_date_to": application_date_to,
            "registration_date": registration_date,
            "registration_date_from": registration_date_from,
            "registration_date_to": registration_date_to,
            "publication_date": publication_date,
            "publication_date_from": publication_date_from,
            "publication_date_to": publication_date_to,
            "status_date": status_date,
            "status_date_from": status_date_from,
            "status_date_to": status_date_to,
            "expiry_date": expiry_date,
            "expiry_date_from": expiry_date_from,
            "expiry_date_to": expiry_date_to,
            "termination_date": termination_date,
            "termination_date_from": termination_date_from,
            "termination_date_to": termination_date_to,
            "opposition_period_end": opposition_period_end,
            "opposition_period_end_from": opposition_period_end_from,
            "opposition_period_end_to": opposition_period_end_to,
        }
        return self._call("GET", build_path("similar", product="analytics"), query, SimilarPage)
