"""Written by `npm run docs` from the interface description; not to be edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Union

from .model import Model, Nested

Status = Literal[
    "Registered",
    "Pending",
    "Abandoned",
    "Cancelled",
    "Unknown",
]
KindOfMark = Literal[
    "Certificate",
    "Collective",
    "Common right",
    "Defensive",
    "Geographical",
    "Guarantee",
    "Individual",
    "Logotype",
    "Other",
    "Service",
    "Trademark",
    "Denomination",
]
MarkFeature = Literal[
    "Word",
    "Figurative",
    "Combined",
    "Three-dimensional",
    "Colour",
    "Sound",
    "Hologram",
    "Olfactory",
    "Motion",
    "Touch",
    "Taste",
    "Position",
    "Other",
    "Chimney",
    "Combination of colours",
    "Multimedia",
    "Stylized characters",
    "Pattern",
    "Undefined",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrademarkDetail(Model):
    """One trademark record. Every key is present; `payload` only with `expand=payload`."""

    #: Register the record comes from.
    jurisdiction_code: str
    #: Opaque identity, unique within the register.
    uid: str
    #: Registering office as the source states it.
    office: str | None
    #: Office number; null when not assigned.
    application_number: str | None
    #: Office number; null when not assigned.
    registration_number: str | None
    #: Mark text as filed.
    mark_name: str | None
    #: Normalized status.
    status: Status
    #: The office's own status text.
    tm5_status: str | None
    #: Normalized kind of mark.
    kind_of_mark: KindOfMark | None
    #: Normalized feature of the mark.
    mark_feature: MarkFeature | None
    #: Date of filing.
    application_date: str | None
    #: Date of registration.
    registration_date: str | None
    #: Date of publication.
    publication_date: str | None
    #: Date on which protection ends unless renewed.
    expiry_date: str | None
    #: Date of the latest renewal.
    renewal_date: str | None
    #: Date on which the record ended.
    termination_date: str | None
    #: Last day of the opposition period.
    opposition_period_end: str | None
    #: When the office last changed the status.
    status_date: str | None
    #: The office's own timestamp of the record.
    external_update_date: str | None
    #: Nice classes, ascending.
    nice_classes: list[int] | None
    #: Vienna figurative-element codes, such as 26.03.01.
    vienna_codes: list[str] | None
    #: Applicant, owner and holder names, lower-cased.
    owner_names: list[str] | None
    #: Codes of the proprietors' countries.
    owner_countries: list[str] | None
    #: Representative, agent and correspondent names, lower-cased.
    representative_names: list[str] | None
    #: Madrid registration numbers.
    international_registration_numbers: list[str] | None
    #: Priority claim numbers.
    priority_numbers: list[str] | None
    #: Madrid designated country codes.
    designated_countries: list[str] | None
    #: Batch date of the service; not for syncing.
    record_update_date: str | None
    #: When the service first ingested the record.
    first_seen_at: str
    #: When the content last changed; the key of the change feed.
    updated_at: str
    #: The full normalized document: parties, goods and services, publications, priorities, events, images. Present
    #: only with expand=payload; `{}` where the source states none.
    payload: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage(Model):
    """One page of a search."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": TrademarkDetail})

    #: The records.
    items: list[TrademarkDetail]
    #: Send it back verbatim for the next page; null: no more.
    next_cursor: str | None
    #: Number of matches of the query, up to a maximum; only with count=capped.
    matched_count: int | None = None
    #: True if there are more matches than that maximum; only with count=capped.
    matched_count_capped: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesPage(Model):
    """One page of the change feed, in change order."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": TrademarkDetail})

    #: The records.
    items: list[TrademarkDetail]
    #: A durable position: keep the latest one. Null only on an empty page, which means caught up.
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JurisdictionInfo(Model):
    """A register."""

    #: Register code.
    jurisdiction_code: str
    #: Records of the register.
    record_count: int
    #: The instant up to which the register has been loaded.
    data_current_through: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JurisdictionsPage(Model):
    """All registers."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": JurisdictionInfo})

    #: The registers, by code.
    items: list[JurisdictionInfo]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRegister(Model):
    """What silence of a register means."""

    #: The last day through which nothing is known to be missing; null if unknown.
    complete_through: str | None
    #: Whether newer files are overdue.
    late: bool
    #: Files that are missing, or that came after later ones and may have replaced something newer.
    gaps: int
    #: Records and files that loads rejected and that no later load has stored.
    rejects: int
    #: Register code.
    jurisdiction_code: str
    #: False if no register has this code: nothing was searched, and the rest says nothing.
    searched: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedNumber(Model):
    """An object of an answer."""

    #: Register code.
    jurisdiction_code: str
    #: As it was asked for.
    number: str
    #: The places of its records in `items`, from 0. Empty: no record on this page.
    positions: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersPage(Model):
    """Records of several registers by their numbers."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": TrademarkDetail, "asked": AskedNumber, "coverage": AskedRegister})

    #: The records of this page, each once.
    items: list[TrademarkDetail]
    #: Every number, in the order in which they were asked for, on every page.
    asked: list[AskedNumber]
    #: The registers that were asked for, by code; null while nothing recent is known.
    coverage: list[AskedRegister] | None
    #: Send it back verbatim for the next page; null: no more.
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedIdentity(Model):
    """An object of an answer."""

    #: Register code.
    jurisdiction_code: str
    #: As it was asked for.
    uid: str
    #: The place of its record in `items`, from 0; null if there is none.
    position: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentitiesPage(Model):
    """Records of several registers by their identities."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": TrademarkDetail, "asked": AskedIdentity, "coverage": AskedRegister})

    #: The records, each once.
    items: list[TrademarkDetail]
    #: Every identity, in the order in which they were asked for.
    asked: list[AskedIdentity]
    #: The registers that were asked for, by code; null while nothing recent is known.
    coverage: list[AskedRegister] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingPeriod(Model):
    """An object of an answer."""

    #: The missing period.
    period: str
    #: absent: no file of it came. Else why it is not loaded.
    reason: Literal["absent", "failed", "late", "skipped", "waiting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LatePeriod(Model):
    """An object of an answer."""

    #: The late period.
    period: str
    #: The newest period loaded before it.
    after: str
    #: When it was loaded.
    loaded_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageSeries(Model):
    """An object of an answer."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"missing": MissingPeriod, "out_of_order": LatePeriod})

    #: The name of the declared source; null for files loaded by hand.
    source: str | None
    #: Format of the files.
    format: str
    #: The condition of the source; null if it is not declared, or for files loaded by hand.
    condition: Literal["stopped", "failing", "overdue", "gaps", "never checked", "current"] | None
    #: The first period loaded; null if it is not known which periods the files are of.
    first_period: str | None
    #: The last period that was loaded; null if it is not known.
    last_period: str | None
    #: The last period loaded before which none is missing; null while the expected periods are unknown.
    complete_through: str | None
    #: Whether the expected periods are known, from a rhythm or consecutive numbers; if not, more may be missing.
    expected: bool
    #: Periods up to the last one that are not loaded, the first ones first.
    missing: list[MissingPeriod]
    #: How many are missing, those that are not listed included.
    missing_count: int
    #: Periods that were last loaded after a later period; the most recently loaded first.
    out_of_order: list[LatePeriod]
    #: How many there are, those that are not listed included.
    out_of_order_count: int
    #: False if its statements carry their age, so that one loaded out of order does not replace newer ones.
    order_matters: bool
    #: The next expected period; null without a rhythm.
    next_period: str | None
    #: When that becomes overdue.
    overdue_at: str | None
    #: When a file of the series was last loaded.
    last_loaded_at: str | None
    #: When the list of its files was last read; null for files loaded by hand.
    checked_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageLoad(Model):
    """The last load of the register. Its counts are of all registers that it read."""

    #: Names the load.
    load_id: str
    #: Format of its files.
    format: str
    #: When it finished.
    finished_at: str
    #: Records that it read.
    read: int
    #: Records that were not there before.
    new: int
    #: Records whose content changed.
    changed: int
    #: Records that were there already, with the same content.
    unchanged: int
    #: Records and files that could not be read, and are not in the register.
    rejected: int
    #: Values that could not be read as the format expects them.
    issues: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageIssues(Model):
    """How many records had issues in the last load that read at least half as many as the register has."""

    #: Names the load.
    load_id: str
    #: When that load finished.
    finished_at: str
    #: Records of the register that the load read.
    read: int
    #: How many of those records have at least one issue.
    flagged: int
    #: `flagged` of `read`, from 0 to 1.
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageReport(Model):
    """What can be concluded when a register reports no change."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"series": CoverageSeries, "last_load": CoverageLoad, "issues": CoverageIssues})

    #: Register code.
    jurisdiction_code: str
    #: Records of the register.
    record_count: int
    #: The instant up to which the register is complete, as far as its files or the operator who loaded them state
    #: it.
    data_current_through: str | None
    #: What can be concluded from silence, in a sentence made of the rest.
    conclusion: str
    #: The files that were loaded, in series: one for each declared source, and for each format loaded by hand.
    series: list[CoverageSeries]
    #: Null before the first load.
    last_load: CoverageLoad | None
    #: Records and files that loads rejected and that no later load has stored; operators may close them.
    open_rejects: int
    #: Null while no load that counted them has read at least half as many records as the register has.
    issues: CoverageIssues | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageKey(Model):
    """The calling key."""

    #: The public part of the key.
    id: str
    #: As the customer calls it.
    name: str | None
    #: When it was issued.
    created_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductUsage(Model):
    """An object of an answer."""

    #: Name of the product.
    product: Literal["records", "analytics"]
    #: Units metered this month, this call included.
    calls: int
    #: Units per month; null if unlimited.
    quota: int | None
    #: Null if unlimited.
    remaining: int | None
    #: Calls that the key may make in a minute.
    rate_limit_per_minute: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReport(Model):
    """The usage of the key this month."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"key": UsageKey, "products": ProductUsage})

    #: UTC calendar month.
    month: str
    #: When the month ends and the quotas reset.
    resets_at: str
    #: The calling key.
    key: UsageKey
    #: The products that the key is enabled for.
    products: list[ProductUsage]


@dataclass(frozen=True, slots=True, kw_only=True)
class Health(Model):
    """The service is up."""

    #: Calls are served.
    status: str
    #: Version of the running program.
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterDigest(Model):
    """An object of an answer."""

    #: Register code.
    jurisdiction_code: str
    #: Settled records.
    record_count: int
    #: Of the record, or the exclusive or of the digests of all records counted here.
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordIdentity(Model):
    """An object of an answer."""

    #: Register code.
    jurisdiction_code: str
    #: Identity within the register.
    uid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestsPage(Model):
    """Digests of all registers."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": RegisterDigest, "unsettled": RecordIdentity})

    #: Version of the method of digesting; digests of different versions cannot be compared.
    form: int
    #: The requested position.
    as_of: str
    #: A register has 2 to this power buckets.
    bucket_bits: int
    #: The digests.
    items: list[RegisterDigest]
    #: Identities of records that changed since.
    unsettled: list[RecordIdentity]


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketDigest(Model):
    """An object of an answer."""

    #: Number of the bucket.
    bucket: int
    #: Settled records.
    record_count: int
    #: Of the record, or the exclusive or of the digests of all records counted here.
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsettledRecord(Model):
    """An object of an answer."""

    #: Identity within the register.
    uid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterDigestsPage(Model):
    """Digests of one register by bucket; buckets without records are left out."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": BucketDigest, "unsettled": UnsettledRecord})

    #: Version of the method of digesting; digests of different versions cannot be compared.
    form: int
    #: The requested position.
    as_of: str
    #: A register has 2 to this power buckets.
    bucket_bits: int
    #: The digests.
    items: list[BucketDigest]
    #: Identities of records that changed since.
    unsettled: list[UnsettledRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDigest(Model):
    """An object of an answer."""

    #: Identity within the register.
    uid: str
    #: Of the record, or the exclusive or of the digests of all records counted here.
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketDigestsPage(Model):
    """Digests of the records in one bucket."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": RecordDigest, "unsettled": UnsettledRecord})

    #: Version of the method of digesting; digests of different versions cannot be compared.
    form: int
    #: The requested position.
    as_of: str
    #: A register has 2 to this power buckets.
    bucket_bits: int
    #: The digests.
    items: list[RecordDigest]
    #: Identities of records that changed since.
    unsettled: list[UnsettledRecord]
    #: Send it back verbatim for the next page; null: no more.
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange(Model):
    """A field with its whole value before and after."""

    field: Literal["office", "application_number", "registration_number", "mark_name", "status", "tm5_status", "kind_of_mark", "mark_feature", "application_date", "registration_date", "publication_date", "expiry_date", "renewal_date", "termination_date", "opposition_period_end", "status_date", "external_update_date", "nice_classes", "vienna_codes", "owner_names", "owner_countries", "representative_names", "international_registration_numbers", "priority_numbers", "designated_countries"]
    old: str | Literal["Registered", "Pending", "Abandoned", "Cancelled", "Unknown"] | Literal["Certificate", "Collective", "Common right", "Defensive", "Geographical", "Guarantee", "Individual", "Logotype", "Other", "Service", "Trademark", "Denomination"] | Literal["Word", "Figurative", "Combined", "Three-dimensional", "Colour", "Sound", "Hologram", "Olfactory", "Motion", "Touch", "Taste", "Position", "Other", "Chimney", "Combination of colours", "Multimedia", "Stylized characters", "Pattern", "Undefined"] | list[int] | list[str] | None
    new: str | Literal["Registered", "Pending", "Abandoned", "Cancelled", "Unknown"] | Literal["Certificate", "Collective", "Common right", "Defensive", "Geographical", "Guarantee", "Individual", "Logotype", "Other", "Service", "Trademark", "Denomination"] | Literal["Word", "Figurative", "Combined", "Three-dimensional", "Colour", "Sound", "Hologram", "Olfactory", "Motion", "Touch", "Taste", "Position", "Other", "Chimney", "Combination of colours", "Multimedia", "Stylized characters", "Pattern", "Undefined"] | list[int] | list[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PayloadChange(Model):
    """Where the payload differs."""

    field: Literal["payload"]
    #: JSON Pointers (RFC 6901) to what differs: places in the payload of this version and, for values that are gone,
    #: the former place. The empty pointer is the whole payload.
    paths: list[str]
    #: How many paths beyond 100 are left out.
    more_paths: int


HistoryChange = Union[FieldChange, PayloadChange]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile(Model):
    """A file of the load that published a version."""

    #: Name of the file.
    name: str
    #: Digest of the file as delivered.
    sha256: str
    #: Its size.
    bytes: int
    #: The period that the file covers, if it or its source states one.
    period: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistorySource(Model):
    """The load that published a version."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"files": SourceFile})

    #: Names the load.
    load_id: str
    #: Null if the load is no longer known.
    format: str | None
    #: Its first files, as delivered, in the order in which they were read.
    files: list[SourceFile]
    #: How many files beyond 20 are left out.
    more_files: int
    #: The date that the source itself gives to its statement of the record; null if it gives none.
    source_date: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEvent(Model):
    """One version of a record, described by its differences from the version before."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"source": HistorySource, "changes": (FieldChange, PayloadChange)})

    #: Register code.
    jurisdiction_code: str
    #: Identity within the register.
    uid: str
    #: The `updated_at` of the version.
    version: str
    #: The version that it replaced; null for the first.
    previous_version: str | None
    #: `first`: the first version that the history has; `office`: the source says otherwise than before;
    #: `correction`: the source states other content of the same date; `renormalization`: the source says the same,
    #: and the service reads it otherwise; `removal`: the source no longer has the record.
    cause: Literal["first", "office", "correction", "renormalization", "removal"]
    #: Null for versions published before sources were kept.
    source: HistorySource | None
    #: What differs from the version before: fields with their whole values, the payload last. Empty for a first
    #: version, and where only held translations of the mark differ, which are searched but not delivered.
    changes: list[HistoryChange]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPage(Model):
    """One page of a history."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": HistoryEvent})

    #: The events.
    items: list[HistoryEvent]
    #: How far was read: send it back for the next page, also after an empty one. Null: nothing more was read.
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch(Model):
    """A watch."""

    #: Chosen by the customer.
    id: str
    #: For people.
    name: str
    #: Your own, such as the number of a matter; null: none.
    reference: str | None
    #: What is watched.
    kind: Literal["search", "records", "owners", "similar"]
    #: The canonical query string of the search, or of the search for likeness; null for records and owners.
    search: str | None
    #: How many records or owners it lists; 0 for a search.
    item_count: int
    #: Rises with every change, from 1.
    revision: int
    #: When it was made.
    created_at: str
    #: When it was last changed.
    changed_at: str
    #: How far events had been matched when it was changed: later ones are matched by its current definition.
    holds_from: str
    #: Null while it is live.
    ended_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchesPage(Model):
    """One page of watches."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": Watch})

    #: The watches.
    items: list[Watch]
    #: Send it back verbatim for the next page; null: no more.
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchMonth(Model):
    """An object of an answer."""

    #: UTC calendar month.
    month: str
    #: Events of the history, from `counted_from` on, in which a record began to match, changed while matching, or
    #: stopped matching. Null for a month before it.
    events: int | None
    #: Records that match now and last changed in the month.
    last_changed: int
    #: Hits of the watch in the month.
    hits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchDetail(Model):
    """A watch with everything that it lists, and what it matches."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"records": RecordIdentity, "months": WatchMonth})

    #: Chosen by the customer.
    id: str
    #: For people.
    name: str
    #: Your own, such as the number of a matter; null: none.
    reference: str | None
    #: What is watched.
    kind: Literal["search", "records", "owners", "similar"]
    #: The canonical query string of the search, or of the search for likeness; null for records and owners.
    search: str | None
    #: How many records or owners it lists; 0 for a search.
    item_count: int
    #: Rises with every change, from 1.
    revision: int
    #: When it was made.
    created_at: str
    #: When it was last changed.
    changed_at: str
    #: How far events had been matched when it was changed: later ones are matched by its current definition.
    holds_from: str
    #: Null while it is live.
    ended_at: str | None
    #: Null unless it lists records.
    records: list[RecordIdentity] | None
    #: In the form in which names are compared; null unless it lists owners.
    owners: list[str] | None
    #: Records that match now.
    matches_now: int
    #: The last twelve months, the running one first.
    months: list[WatchMonth]
    #: Where counting starts: the first month, or later if there were too many events to check.
    counted_from: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HitEvidence(Model):
    """One way in which it is alike."""

    #: The way in which names are alike.
    strategy: Literal["equal", "glyphs", "edits", "plural", "order", "sound", "consonants", "transliteration", "within", "beginning"]
    #: In words.
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodsRelation(Model):
    """How the classes of a record relate to those that were asked for, or that the watch names."""

    #: Same, related, apart, or not known.
    relation: Literal["same", "related", "apart", "unknown"]
    #: Classes in common, or those that are related.
    nice_classes: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class HitLikeness(Model):
    """Why its name is alike: of the version that the event created or, if it stops matching, of the one
    before."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"evidence": HitEvidence, "goods": GoodsRelation})

    #: The name that is alike, in compared form.
    name: str
    #: What the name is of the mark; null: the hit is older than the distinction.
    held_as: Literal["mark", "variant", "pseudo_mark"] | None
    #: Every way in which it is alike, the nearest first.
    evidence: list[HitEvidence]
    #: How its classes relate; null if the watch names no classes.
    goods: GoodsRelation | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchHit(Model):
    """An event of the history, and how it hits the watch."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"source": HistorySource, "changes": (FieldChange, PayloadChange), "likeness": HitLikeness})

    #: Register code.
    jurisdiction_code: str
    #: Identity within the register.
    uid: str
    #: The `updated_at` of the version.
    version: str
    #: The version that it replaced; null for the first.
    previous_version: str | None
    #: `first`: the first version that the history has; `office`: the source says otherwise than before;
    #: `correction`: the source states other content of the same date; `renormalization`: the source says the same,
    #: and the service reads it otherwise; `removal`: the source no longer has the record.
    cause: Literal["first", "office", "correction", "renormalization", "removal"]
    #: Null for versions published before sources were kept.
    source: HistorySource | None
    #: What differs from the version before: fields with their whole values, the payload last. Empty for a first
    #: version, and where only held translations of the mark differ, which are searched but not delivered.
    changes: list[HistoryChange]
    #: The record begins to match, changes while matching, or stops matching.
    event: Literal["begins", "changes", "stops"]
    #: Why its name is alike; null unless the watch was for likeness when it was hit.
    likeness: HitLikeness | None
    #: Your own reference on the watch, as it is now; null: none.
    reference: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchHitsPage(Model):
    """One page of the hits of a watch, in the order of the history."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": WatchHit})

    #: The hits.
    items: list[WatchHit]
    #: A durable position: keep the latest one. Null only on an empty page, which means caught up.
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchDiagnosisCriteria(Model):
    """What the watch asks of a record; a record matches when it satisfies all of it."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"likeness": HitLikeness})

    #: The name of a filter, or the kind of the watch for its list or its mark.
    criterion: str
    #: As a query string; of a list, how many entries it has.
    asks: str
    #: Whether the record as it is now satisfies it; null when no register has the record.
    holds: bool | None
    #: The version from which on this has been so; null when it has been so for longer than the examined changes, and
    #: when the record is in no register. For a list of records: since when the watch is as it is.
    since: str | None
    #: Why the name is alike; null for other criteria, and when it is not.
    likeness: HitLikeness | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchDiagnosisEvents(Model):
    """A change of the record, as the watch sees it."""

    #: The version that the change made.
    version: str
    #: Before the watch was as it is, checked, not checked yet, or after the watch ended.
    window: Literal["before_watch", "checked", "waiting", "ended"]
    #: How it would hit the watch as it is; null: neither this version nor the one before matches.
    matches: Literal["begins", "changes", "stops"] | None
    #: How it did hit; null: it did not.
    hit: Literal["begins", "changes", "stops"] | None
    #: When somebody of the team marked the hit as done, which takes it off the lists of new hits.
    done_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchDiagnosis(Model):
    """Why a record did or did not hit a watch."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"criteria": WatchDiagnosisCriteria, "events": WatchDiagnosisEvents})

    #: Id of the watch.
    watch: str
    #: What is watched.
    kind: Literal["search", "records", "owners", "similar"]
    #: Register code of the record.
    jurisdiction_code: str
    #: Identity of the record within the register.
    uid: str
    #: Why it did or did not hit.
    verdict: Literal["hit", "waiting", "no_record", "no_match", "before_watch", "ended", "unexplained", "not_understood"]
    #: The verdict as a sentence, with what can be done.
    text: str
    #: Later events are matched by the watch as it is.
    holds_from: str
    #: Every event up to it is checked.
    complete_through: str
    #: Null while the watch is live.
    ended_at: str | None
    #: Everything that the watch asks for.
    criteria: list[WatchDiagnosisCriteria]
    #: The latest changes of the record, newest first.
    events: list[WatchDiagnosisEvents]
    #: Whether there are older ones, which were not examined.
    has_more_events: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook(Model):
    """A webhook."""

    #: Chosen by the customer, or by the portal.
    id: str
    #: Of the receiver.
    url: str
    #: Id of the watch that it is for; null: all watches.
    watch: str | None
    #: When it was added.
    created_at: str
    #: Null while it is on.
    off_since: str | None
    #: Somebody wants it off, its receiver answered 410, or it took nothing for three days.
    off_reason: Literal["customer", "gone", "failed"] | None
    #: Attempts in a row that failed.
    failures: int
    #: After a failed attempt: when the next one is made; null otherwise.
    next_attempt_at: str | None
    #: Messages that its receiver has not taken yet, counted up to 1,000.
    waiting: int
    #: When its receiver last took a message; null if none of the latest was taken.
    delivered_at: str | None
    #: Until when the old secret signs too; null if it does not.
    old_secret_until: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookWithSecret(Model):
    """A webhook, with its secret if that is new."""

    #: Chosen by the customer, or by the portal.
    id: str
    #: Of the receiver.
    url: str
    #: Id of the watch that it is for; null: all watches.
    watch: str | None
    #: When it was added.
    created_at: str
    #: Null while it is on.
    off_since: str | None
    #: Somebody wants it off, its receiver answered 410, or it took nothing for three days.
    off_reason: Literal["customer", "gone", "failed"] | None
    #: Attempts in a row that failed.
    failures: int
    #: After a failed attempt: when the next one is made; null otherwise.
    next_attempt_at: str | None
    #: Messages that its receiver has not taken yet, counted up to 1,000.
    waiting: int
    #: When its receiver last took a message; null if none of the latest was taken.
    delivered_at: str | None
    #: Until when the old secret signs too; null if it does not.
    old_secret_until: str | None
    #: What signs its messages, if this call made it; null: it was shown before.
    secret: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhooksPage(Model):
    """One page of webhooks."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": Webhook})

    #: The webhooks.
    items: list[Webhook]
    #: Send it back verbatim for the next page; null: no more.
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDelivery(Model):
    """A message to a webhook, through all of its attempts."""

    #: The header `webhook-id` of each of its attempts.
    id: str
    #: What it is about.
    event: Literal["watch.hits", "test"]
    #: Id of the watch that has hits; null for a test.
    watch: str | None
    #: Not tried yet, being sent, failed and sent again, taken by the receiver, or a test that was not sent in time.
    state: Literal["waiting", "sending", "failed", "delivered", "unsent"]
    #: When it was made.
    created_at: str
    #: Attempts so far.
    attempts: int
    #: The last attempt.
    attempted_at: str | None
    #: From when on the next attempt is made, unless the webhook is off; null if none is.
    next_attempt_at: str | None
    #: When the receiver took it.
    delivered_at: str | None
    #: What the receiver answered to the last attempt; null without an answer.
    status: int | None
    #: How long the last attempt took.
    duration_ms: int | None
    #: Why the last attempt failed, in words.
    failure: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDeliveriesPage(Model):
    """One page of the messages to a webhook."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": WebhookDelivery})

    #: Newest first.
    items: list[WebhookDelivery]
    #: Send it back verbatim for the next page; null: no more.
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotFile(Model):
    """A file of a snapshot or delta."""

    #: Its name in the path of the download, such as `US-0001.jsonl.gz`.
    name: str
    #: jsonl: lines as the feed delivers records, compressed by gzip; parquet: a column for each field.
    format: Literal["jsonl", "parquet"]
    #: Size of the download.
    bytes: int
    #: Digest of these bytes.
    sha256: str
    #: Records in the file.
    record_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaRegister(Model):
    """A register in a delta. The files of one format hold all of its changed records, in the order of the
    feed."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"files": SnapshotFile})

    #: Register code.
    jurisdiction_code: str
    #: Records of the register in the delta; may be 0.
    record_count: int
    #: Exclusive or of the digests of these records.
    digest: str
    #: Where `/v1/{jurisdiction_code}/changes` was at `from_as_of`; null: the register had no records.
    from_cursor: str | None
    #: Continues `/v1/{jurisdiction_code}/changes`.
    cursor: str
    #: Its files, in the order of the feed, format by format; none if nothing changed in it.
    files: list[SnapshotFile]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta(Model):
    """The manifest of a delta: every record whose last change is after `from_as_of` and at or before `as_of`,
    as it was when the delta was made. A copy that is complete up to any instant between the two is complete
    up to `as_of` once it has taken each record of the delta instead of its own one. A register loses no
    records, so there are no deletions."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"registers": DeltaRegister})

    #: Opaque, in the path of its files; newer deltas of a period have ids that sort later.
    id: str
    #: Version of the manifest.
    form: int
    #: The deltas of a period follow each other without a gap: one begins where the one before it ends.
    period: Literal["day", "week", "month"]
    #: When it was begun.
    made_at: str
    #: It has no record that last changed at or before this instant.
    from_as_of: str
    #: It has every record that last changed between `from_as_of` and this instant.
    as_of: str
    #: Version of the text of a record and of its digest.
    digest_form: int
    #: Whether records have their payloads.
    payloads: bool
    #: Identifies the schema of payloads.
    document_schema: str
    #: The `since` of every feed that the cursors continue.
    since: str
    #: Where `/v1/changes` was at `from_as_of`.
    from_cursor: str
    #: Continues `/v1/changes`.
    cursor: str
    #: Every register, sorted by code, also those in which nothing changed.
    registers: list[DeltaRegister]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltasPage(Model):
    """Deltas between snapshots."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": Delta})

    #: By their ends; of deltas that end together the longest last.
    items: list[Delta]


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRegister(Model):
    """A register in a snapshot. The files of one format hold all of its records, in the order of the feed."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"files": SnapshotFile})

    #: Register code.
    jurisdiction_code: str
    #: Records of the register in the snapshot.
    record_count: int
    #: Exclusive or of the digests of the records, as `/v1/digests` gives it for the same position.
    digest: str
    #: Continues `/v1/{jurisdiction_code}/changes`.
    cursor: str
    #: Its files, in the order of the feed, format by format.
    files: list[SnapshotFile]


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot(Model):
    """The manifest of a snapshot."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"registers": SnapshotRegister})

    #: Opaque; newer snapshots have ids that sort later.
    id: str
    #: Version of the manifest.
    form: int
    #: When it was begun.
    made_at: str
    #: The files have every record that last changed at or before this instant, as it was when they were made.
    as_of: str
    #: The version of the text of a record and of its digest, as `/v1/digests` gives it.
    digest_form: int
    #: Whether records have their payloads.
    payloads: bool
    #: The first 16 hexadecimal digits of the SHA-256 of the JSON Schema of payloads.
    document_schema: str
    #: The `since` of every feed that the cursors continue.
    since: str
    #: Continues `/v1/changes`; null when the snapshot does not have every register.
    cursor: str | None
    #: The registers in it, sorted by code.
    registers: list[SnapshotRegister]


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotsPage(Model):
    """All snapshots."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": Snapshot})

    #: The newest first.
    items: list[Snapshot]


@dataclass(frozen=True, slots=True, kw_only=True)
class DateInfoComputed(Model):
    """What follows from one rule."""

    #: The day to which the term leads; what an office states as expiry or end of opposition.
    ends_on: str
    #: The first day on which the act is possible.
    opens_on: str | None
    #: The last day without a surcharge, on a working day where the rule moves it there.
    due_on: str
    #: The last day of grace, or of every extension.
    late_until: str | None
    #: Name of the rule.
    rule: str
    #: Version of the rule.
    rule_version: int
    #: The fact from which the term runs.
    anchor: Literal["application_date", "registration_date", "publication_date", "priority_date", "international_registration_date", "international_expiry_date"]
    #: The day of that fact.
    anchor_date: str
    #: What happens if nothing is done.
    consequence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DateInfo(Model):
    """One event of a record: what is stated, what follows, whether they agree."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"computed": DateInfoComputed})

    #: What the date is for.
    event: Literal["opposition_end", "use_declaration", "renewal", "dependency_end"]
    #: The date as the office publishes it.
    stated: str | None
    #: Null if no rule applies or a fact is missing.
    computed: DateInfoComputed | None
    #: Whether the stated date is the one that follows; null if there is neither.
    agreement: Literal["agrees", "differs", "stated_only", "computed_only"] | None
    #: Facts without which nothing is computed.
    missing: list[Literal["application_date", "registration_date", "publication_date", "priority_date", "international_registration_date", "international_expiry_date"]] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDates(Model):
    """The dates of one record."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"dates": DateInfo})

    #: Register code.
    jurisdiction_code: str
    #: Identity within the register.
    uid: str
    #: How protection came about: a filing at the office, or an international registration.
    route: Literal["direct", "madrid"]
    #: The day, in UTC, as of which the next dates were chosen.
    as_of: str
    #: The dates, event by event.
    dates: list[DateInfo]
    #: What the dates are not.
    disclaimer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DuePageItems(Model):
    """What is due for one record on one day."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"dates": DateInfo})

    #: The stated date, otherwise the last day without a surcharge.
    due_on: str
    #: Register code.
    jurisdiction_code: str
    #: Identity within the register.
    uid: str
    #: Mark text as filed.
    mark_name: str | None
    #: Normalized status.
    status: Literal["Registered", "Pending", "Abandoned", "Cancelled", "Unknown"]
    #: The dates, event by event.
    dates: list[DateInfo]


@dataclass(frozen=True, slots=True, kw_only=True)
class DuePage(Model):
    """One page of dates, the earliest first."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": DuePageItems})

    #: Records with what is due.
    items: list[DuePageItems]
    #: Send it back verbatim for the next page; null: no more.
    next_cursor: str | None
    #: What the dates are not.
    disclaimer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRulesPageItemsHolds(Model):
    """A span of days: `since` is included, `before` is not; null = open."""

    #: The fact from which the term runs.
    fact: Literal["application_date", "registration_date", "publication_date", "priority_date", "international_registration_date", "international_expiry_date"]
    #: The first day of that fact for which the rule holds; null: any.
    since: str | None
    #: The day before which that fact must lie; null: any.
    before: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRulesPageItemsTerms(Model):
    """An object of an answer."""

    #: ISO 8601 duration.
    duration: str
    #: True for a length of the first term alone.
    first_only: bool
    #: The first day on which such a term begins; null: any.
    begins_from: str | None
    #: Terms that begin before this day are so long; null: all.
    begins_before: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRulesPageItems(Model):
    """An object of an answer."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"holds": DateRulesPageItemsHolds, "terms": DateRulesPageItemsTerms})

    #: Name of the rule; with its version it never changes its meaning.
    rule: str
    #: Versions hold at different times.
    version: int
    #: Register code.
    jurisdiction_code: str
    #: How protection came about: a filing at the office, or an international registration.
    route: Literal["direct", "madrid"]
    #: What the date is for.
    event: Literal["opposition_end", "use_declaration", "renewal", "dependency_end"]
    #: The fact from which the term runs.
    anchor: Literal["application_date", "registration_date", "publication_date", "priority_date", "international_registration_date", "international_expiry_date"]
    #: When the rule holds; null: always.
    holds: list[DateRulesPageItemsHolds] | None
    #: The rule in words.
    text: str
    #: Lengths of terms, in the order in which they are tried.
    terms: list[DateRulesPageItemsTerms]
    #: Whether term follows term.
    repeats: bool
    #: How long before the due day the act is possible; null: no earliest day.
    window: str | None
    #: How long after the due day the act is still possible; null: not.
    grace: str | None
    #: How far the office may extend it, from the anchor; null: not.
    extendable_to: str | None
    #: Whether a last day without office moves to the next working day.
    rolls: bool
    #: What happens if nothing is done.
    consequence: str
    #: Statute or regulation, with the article.
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRulesPage(Model):
    """The rules from which dates follow."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"items": DateRulesPageItems})

    #: The rules.
    items: list[DateRulesPageItems]
    #: What the dates are not.
    disclaimer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedText(Model):
    """A text as it was compared."""

    #: Words in Latin letters and digits.
    words: list[str]
    #: Whether letters of another script were transliterated for the comparison.
    is_transliterated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence1(Model):
    """A form of LikenessEvidence."""

    strategy: Literal["equal", "glyphs", "order"]
    #: How many of the compared names are as alike in this way, or more.
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence2(Model):
    """A form of LikenessEvidence."""

    strategy: Literal["edits"]
    #: How many letters differ.
    edits: int
    #: How many of the compared names are as alike in this way, or more.
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence3(Model):
    """A form of LikenessEvidence."""

    strategy: Literal["plural"]
    #: What both have without their endings.
    stem: str
    #: How many of the compared names are as alike in this way, or more.
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence4(Model):
    """A form of LikenessEvidence."""

    strategy: Literal["sound"]
    #: The language in which both sound the same.
    read_as: Literal["english", "german"]
    #: The code of the sound.
    sound: str
    #: How many of the compared names are as alike in this way, or more.
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence5(Model):
    """A form of LikenessEvidence."""

    strategy: Literal["consonants"]
    #: The consonants of both.
    consonants: str
    #: How many of the compared names are as alike in this way, or more.
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence6(Model):
    """A form of LikenessEvidence."""

    strategy: Literal["transliteration", "letters"]
    #: 1: as alike as can be.
    likeness: float
    #: How many of the compared names are as alike in this way, or more.
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence7Words(Model):
    """In how many names a word occurs."""

    #: The word, in compared form.
    word: str
    #: In how many of all held names it occurs.
    names: int
    #: In how many of the names in the classes that were asked for; null without `classes`.
    names_in_classes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence7(Model):
    """A form of LikenessEvidence."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"words": LikenessEvidence7Words})

    strategy: Literal["within"]
    #: The words that both have.
    words: list[LikenessEvidence7Words]
    #: How many of the compared names are as alike in this way, or more.
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence8Asked(Model):
    """The word of the mark that was asked for."""

    #: The word, in compared form.
    word: str
    #: In how many of all held names it occurs.
    names: int
    #: In how many of the names in the classes that were asked for; null without `classes`.
    names_in_classes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence8Held(Model):
    """The word of the name that was found."""

    #: The word, in compared form.
    word: str
    #: In how many of all held names it occurs.
    names: int
    #: In how many of the names in the classes that were asked for; null without `classes`.
    names_in_classes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence8(Model):
    """A form of LikenessEvidence."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"asked": LikenessEvidence8Asked, "held": LikenessEvidence8Held})

    strategy: Literal["word"]
    #: 1: the same word.
    likeness: float
    #: The word of the mark that was asked for.
    asked: LikenessEvidence8Asked
    #: The word of the name that was found.
    held: LikenessEvidence8Held
    #: How many of the compared names are as alike in this way, or more.
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessEvidence9(Model):
    """A form of LikenessEvidence."""

    strategy: Literal["beginning"]
    #: The letters with which both begin.
    letters: str
    #: How many of the compared names are as alike in this way, or more.
    place: int


LikenessEvidence = Union[LikenessEvidence1, LikenessEvidence2, LikenessEvidence3, LikenessEvidence4, LikenessEvidence5, LikenessEvidence6, LikenessEvidence7, LikenessEvidence8, LikenessEvidence9]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarRecord(Model):
    """A record whose name is alike."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"compared": ComparedText, "evidence": (LikenessEvidence1, LikenessEvidence2, LikenessEvidence3, LikenessEvidence4, LikenessEvidence5, LikenessEvidence6, LikenessEvidence7, LikenessEvidence8, LikenessEvidence9), "goods": GoodsRelation, "record": TrademarkDetail})

    #: The name that is alike, in compared form.
    name: str
    #: What the name is of the mark. `mark`: The text of the mark. `variant`: A translation or transliteration that
    #: the register holds. `pseudo_mark`: Another spelling that the office states so that its examiners find the
    #: mark: a pseudo mark of the USPTO.
    held_as: Literal["mark", "variant", "pseudo_mark"]
    compared: ComparedText
    #: How near the name is, the nearest first.
    tier: Literal["identical", "near", "shared", "alike"]
    #: What each strategy that found it says.
    evidence: list[LikenessEvidence]
    #: How its classes relate to those that were asked for; null without `classes`.
    goods: GoodsRelation | None
    #: Whole years since the application or, if its date is not stated, the registration; null if neither is.
    age_years: int | None
    record: TrademarkDetail


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarFamily(Model):
    """An object of an answer."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"members": SimilarRecord})

    #: The owner of all of them.
    owner: str
    #: The letters with which all of them begin.
    beginning: str
    #: The records.
    members: list[SimilarRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarEntry(Model):
    """A record whose name is alike, with its family."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"compared": ComparedText, "evidence": (LikenessEvidence1, LikenessEvidence2, LikenessEvidence3, LikenessEvidence4, LikenessEvidence5, LikenessEvidence6, LikenessEvidence7, LikenessEvidence8, LikenessEvidence9), "goods": GoodsRelation, "record": TrademarkDetail, "family": SimilarFamily})

    #: The name that is alike, in compared form.
    name: str
    #: What the name is of the mark. `mark`: The text of the mark. `variant`: A translation or transliteration that
    #: the register holds. `pseudo_mark`: Another spelling that the office states so that its examiners find the
    #: mark: a pseudo mark of the USPTO.
    held_as: Literal["mark", "variant", "pseudo_mark"]
    compared: ComparedText
    #: How near the name is, the nearest first.
    tier: Literal["identical", "near", "shared", "alike"]
    #: What each strategy that found it says.
    evidence: list[LikenessEvidence]
    #: How its classes relate to those that were asked for; null without `classes`.
    goods: GoodsRelation | None
    #: Whole years since the application or, if its date is not stated, the registration; null if neither is.
    age_years: int | None
    record: TrademarkDetail
    #: Null if there are no others.
    family: SimilarFamily | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPageStrategies(Model):
    """An object of an answer."""

    #: Its name.
    strategy: Literal["equal", "glyphs", "edits", "plural", "order", "sound", "consonants", "transliteration", "within", "word", "beginning", "letters"]
    #: How many names it found; null where it is a matter of degree.
    names_found: int | None
    #: How many of them have a place of at most 500, and may become entries.
    names_listed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPageRelatedClasses(Model):
    """The share of the owners filing in a class, in a register and a year, that also filed in another class
    there then."""

    #: A class that was asked for.
    nice_class: int
    #: A class that is filed together with it.
    related_class: int
    #: Of the owners that filed in the one, in a register and a year.
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPage(Model):
    """What was compared, and what is alike."""

    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({"compared": ComparedText, "strategies": SimilarPageStrategies, "related_classes": SimilarPageRelatedClasses, "items": SimilarEntry})

    #: The mark that was asked for, in compared form.
    mark: str
    compared: ComparedText
    #: How many distinct names were compared: all that a record holds, in these ways, that satisfies the filters.
    names_compared: int
    #: What the names that were compared are of their marks.
    held_as: list[Literal["mark", "variant", "pseudo_mark"]]
    #: What each strategy found.
    strategies: list[SimilarPageStrategies]
    #: Classes that are often filed together with those that were asked for.
    related_classes: list[SimilarPageRelatedClasses]
    #: Bounds that left something out: of the entries, of the records read for them, of the records of one name.
    #: Empty: nothing was left out.
    bounds_met: list[Literal["entries", "records", "records_of_a_name"]]
    #: The entries, by tier.
    items: list[SimilarEntry]

__all__ = [
    "AskedIdentity",
    "AskedNumber",
    "AskedRegister",
    "BucketDigest",
    "BucketDigestsPage",
    "ChangesPage",
    "ComparedText",
    "CoverageIssues",
    "CoverageLoad",
    "CoverageReport",
    "CoverageSeries",
    "DateInfo",
    "DateInfoComputed",
    "DateRulesPage",
    "DateRulesPageItems",
    "DateRulesPageItemsHolds",
    "DateRulesPageItemsTerms",
    "Delta",
    "DeltaRegister",
    "DeltasPage",
    "DigestsPage",
    "DuePage",
    "DuePageItems",
    "FieldChange",
    "GoodsRelation",
    "Health",
    "HistoryChange",
    "HistoryEvent",
    "HistoryPage",
    "HistorySource",
    "HitEvidence",
    "HitLikeness",
    "IdentitiesPage",
    "JurisdictionInfo",
    "JurisdictionsPage",
    "KindOfMark",
    "LatePeriod",
    "LikenessEvidence",
    "LikenessEvidence1",
    "LikenessEvidence2",
    "LikenessEvidence3",
    "LikenessEvidence4",
    "LikenessEvidence5",
    "LikenessEvidence6",
    "LikenessEvidence7",
    "LikenessEvidence7Words",
    "LikenessEvidence8",
    "LikenessEvidence8Asked",
    "LikenessEvidence8Held",
    "LikenessEvidence9",
    "MarkFeature",
    "MissingPeriod",
    "NumbersPage",
    "PayloadChange",
    "ProductUsage",
    "RecordDates",
    "RecordDigest",
    "RecordIdentity",
    "RegisterDigest",
    "RegisterDigestsPage",
    "SearchPage",
    "SimilarEntry",
    "SimilarFamily",
    "SimilarPage",
    "SimilarPageRelatedClasses",
    "SimilarPageStrategies",
    "SimilarRecord",
    "Snapshot",
    "SnapshotFile",
    "SnapshotRegister",
    "SnapshotsPage",
    "SourceFile",
    "Status",
    "TrademarkDetail",
    "UnsettledRecord",
    "UsageKey",
    "UsageReport",
    "Watch",
    "WatchDetail",
    "WatchDiagnosis",
    "WatchDiagnosisCriteria",
    "WatchDiagnosisEvents",
    "WatchHit",
    "WatchHitsPage",
    "WatchMonth",
    "WatchesPage",
    "Webhook",
    "WebhookDeliveriesPage",
    "WebhookDelivery",
    "WebhookWithSecret",
    "WebhooksPage",
]
