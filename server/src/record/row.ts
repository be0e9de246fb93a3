/**
 * The stored row of a record: what is delivered (the rendered JSON and the payload), what loads compare, and what only
 * searches need. This is the only place that derives them from the normalized record.
 */

import { HELD_AS_NAMES, type HeldAs, type HeldForm } from '@tmds/contract/likeness';
import { PAYLOAD_BYTES_MAX } from '@tmds/contract/limits';
import type { Payload } from '@tmds/contract/record';
import { renderContent } from './content.ts';
import { measureContent } from './digest.ts';
import type { NormalizedRecord } from './document.ts';
import { foldName, foldNormalName, NAME_SEPARATOR } from './names.ts';
import { RecordRejection } from './normalize.ts';

/** A row as staged; the publish adds the stamps. */
export interface RecordRow {
  jurisdiction_code: string;
  uid: string;
  /** Hexadecimal. */
  content_digest: string;
  source_version: string | null;
  /** Hexadecimal digest of the source line that states this record; empty if the source has no lines. */
  line_digest: string;
  /** The held forms of the mark as `joinForms` joins them. */
  mark_variants: string | null;
  /** True if only a part of the record is stated. */
  is_partial: boolean;
  /** The parts that the record names, joined by `NAME_SEPARATOR`; null for none. */
  named_parts: string | null;
  /** Hexadecimal digest of the raw source record (`load/sources/source-digest.ts`); null if it is not known. */
  source_digest: string | null;
  kind: 'statement' | 'removal';
  /** The rendered content: a JSON object without its closing brace, to which the publish appends the stamps. */
  detail: string;
  /** The full document as JSON text; null if the register gave none. */
  payload: string | null;
}

/**
 * Throws `RecordRejection` if the payload is larger than `PAYLOAD_BYTES_MAX`. `detail` and `contentDigest` save
 * computing them again; `lineDigest` is the digest of the source line the record was read from, `sourceDigest` the
 * digest of everything that the source states about it.
 */
export function buildRow(
  record: NormalizedRecord,
  detail: string = renderContent(record),
  contentDigest: string = measureContent(record, detail).digest,
  lineDigest = '',
  sourceDigest: string | null = null,
): RecordRow {
  return {
    jurisdiction_code: record.jurisdiction_code,
    uid: record.uid,
    content_digest: contentDigest,
    source_version: record.source_version,
    line_digest: lineDigest,
    mark_variants: joinForms(record),
    is_partial: record.is_partial,
    named_parts: record.named_parts?.join(NAME_SEPARATOR) ?? null,
    source_digest: sourceDigest,
    kind: record.is_removal ? 'removal' : 'statement',
    detail,
    payload: renderPayload(record),
  };
}

function renderPayload(record: NormalizedRecord): string | null {
  if (record.payload === null) return null;
  const text = record.payload_text ?? JSON.stringify(record.payload);
  if (Buffer.byteLength(text) > PAYLOAD_BYTES_MAX) {
    throw new RecordRejection(`payload is larger than ${PAYLOAD_BYTES_MAX} bytes`);
  }
  return text;
}

/** Stands before each pseudo mark in the text. It cannot occur in a normal form. */
export const PSEUDO = '\u001e';
/** How the codes of these statements of the USPTO begin; digits follow. */
const PSEUDO_CODE = /^PM\d*$/;
export const PSEUDO_REGISTER = 'US';

type HeldForms = Readonly<Record<HeldForm, readonly string[]>>;

const NONE: HeldForms = { variant: [], pseudo_mark: [] };

/** Each form once, without the text of the mark; null for none. */
export function joinForms({
  jurisdiction_code,
  mark_name,
  mark_name_variants,
  payload,
}: Pick<NormalizedRecord, 'jurisdiction_code' | 'mark_name' | 'mark_name_variants' | 'payload'>): string | null {
  const pseudo = jurisdiction_code === PSEUDO_REGISTER ? listPseudoMarks(payload) : [];
  if (mark_name_variants === null && pseudo.length === 0) return null;
  const mark = mark_name === null ? '' : foldName(mark_name);
  const isOther = (form: string): boolean => form !== '' && form !== mark;
  const variants = (mark_name_variants ?? []).map(foldName).filter(isOther);
  const pseudoMarks = pseudo.map(foldName).filter(isOther);
  const forms = new Set([...variants, ...pseudoMarks.map((form) => PSEUDO + form)]);
  return forms.size === 0 ? null : [...forms].join(NAME_SEPARATOR);
}

/** Forms that an earlier version stored may hold hidden characters. */
export function splitForms(text: string | null): HeldForms {
  if (text === null) return NONE;
  const forms = text.split(NAME_SEPARATOR);
  if (!text.includes(PSEUDO)) return { variant: forms.map(foldNormalName), pseudo_mark: [] };
  const isPseudo = (form: string): boolean => form.startsWith(PSEUDO);
  return {
    variant: forms.filter((form) => !isPseudo(form)).map(foldNormalName),
    pseudo_mark: forms.filter(isPseudo).map((form) => foldNormalName(form.slice(PSEUDO.length))),
  };
}

/** What a name is of a mark: of its text, and of the forms that `joinForms` has joined. */
export function listHeldAs(mark_name: string | null, held: string | null, name: string): HeldAs[] {
  const forms = splitForms(held);
  const isMark = mark_name !== null && foldName(mark_name) === name;
  return HELD_AS_NAMES.filter((way) => (way === 'mark' ? isMark : forms[way].includes(name)));
}

/** The variants as stored; null for none. */
export function splitVariants(text: string | null): string[] | null {
  const variants = text?.split(NAME_SEPARATOR).filter((form) => !form.startsWith(PSEUDO)) ?? [];
  return variants.length === 0 ? null : variants;
}

/** False for most documents without a pseudo mark, which need not be parsed. A code may be written with escapes. */
export function mayStatePseudoMark(document: Buffer): boolean {
  return document.includes('"PM') || document.includes('\\u00');
}

function listPseudoMarks(payload: Payload | null): string[] {
  const statements = payload?.statements;
  if (!Array.isArray(statements)) return [];
  return (statements as readonly unknown[]).flatMap((statement) => {
    if (typeof statement !== 'object' || statement === null) return [];
    const { code, text } = statement as { readonly code?: unknown; readonly text?: unknown };
    return typeof code === 'string' && PSEUDO_CODE.test(code) && typeof text === 'string' ? [text] : [];
  });
}
