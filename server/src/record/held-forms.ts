/**
 * Other forms of a mark that its register holds and does not deliver as its text: translations and transliterations,
 * which `mark_name` finds, and pseudo marks, which searches for likeness alone compare (rule I-48). One text holds them
 * all, in compared form. Pseudo marks follow from the document, so formats state them as the statements that they are.
 */
import { HELD_AS_NAMES, type HeldAs, type HeldForm } from '@tmds/contract/likeness';
import type { Payload } from '@tmds/contract/record';
import type { NormalizedRecord } from './document.ts';
import { foldName, foldNormalName, NAME_SEPARATOR } from './names.ts';

/** Stands before each pseudo mark in the text. It cannot occur in a normal form. */
export const PSEUDO = '\u001e';
/** How the codes of these statements of the USPTO begin; digits follow. */
const PSEUDO_CODE = /^PM\d*$/;
export const PSEUDO_REGISTER = 'US';

export type HeldForms = Readonly<Record<HeldForm, readonly string[]>>;

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
