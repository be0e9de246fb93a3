/**
 * Reads a payload for display. It comes from a register's file and may contain anything, so every value is checked
 * before it is used. An image is shown only when it is inline and of a type that browsers render without running
 * scripts. Values of an unexpected shape appear only in the raw JSON.
 */
import { isLosslessNumber } from 'lossless-json';

export type Fields = Readonly<Record<string, unknown>>;

export interface TextShown {
  readonly text: string;
  readonly language: string | null;
}

export function fieldsOf(value: unknown): Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
  return isObject ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** A text, or a number with all its digits; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' || isLosslessNumber(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

export function textsOf(value: unknown): readonly TextShown[] {
  return listOf(value).flatMap(({ text, language }) => {
    const shown = textOf(text);
    return shown === null ? [] : [{ text: shown, language: languageOf(language) }];
  });
}

/** A valid language tag; anything else would mislead a screen reader. */
function languageOf(value: unknown): string | null {
  const tag = textOf(value);
  return tag !== null && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag) ? tag : null;
}

const IMAGE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;
/** Characters of an inline image; larger ones would make the page slow. */
const IMAGE_CHARACTERS_MAX = 2_000_000;
const IMAGES_SHOWN = 6;

/** Addresses for `img` elements, in which SVG runs no scripts and loads nothing. */
export function imagesOf(payload: Fields): readonly string[] {
  return listOf(payload.images)
    .flatMap(({ uri }) => (typeof uri === 'string' ? [uri] : []))
    .filter((uri) => IMAGE.test(uri) && uri.length <= IMAGE_CHARACTERS_MAX)
    .slice(0, IMAGES_SHOWN);
}

export function addressOf(value: unknown): string {
  const address = fieldsOf(value);
  const lines = Array.isArray(address.lines) ? address.lines : [];
  const parts = [...lines, address.postcode, address.city, address.region, address.country, address.other];
  return parts.flatMap((part) => textOf(part) ?? []).join(', ');
}
