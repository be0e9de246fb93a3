/** The meaning of an office's codes and texts: status, kind and feature of a mark, by the tables of its dialect. */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { type Reading, raiseIssue, readText, readTexts } from '../reading.ts';
import { foldValue } from '../st66/dialect.ts';
import type { St96Dialect } from './dialect.ts';

/** A partial record without a status raises no issue: nothing was left unmapped. */
export function readStatus(
  reading: Reading,
  dialect: St96Dialect,
  registrationDate: string | null,
  isPartial: boolean,
): Pick<RecordContent, 'status' | 'tm5_status'> {
  const path = 'MarkCurrentStatusCode';
  const code = readText(reading, reading.root, path);
  const wordings = dialect.statusTextPaths.map((wording) => readText(reading, reading.root, wording));
  const tm5_status = wordings.find((wording) => wording !== null) ?? code;
  if (tm5_status === null && isPartial) return { status: 'Unknown', tm5_status };
  const meaning = code === null ? undefined : findMeaning(dialect.statuses, code);
  if (meaning === undefined) raiseIssue(reading, 'unmapped_status', path, code ?? '');
  const isRegistered = registrationDate !== null;
  if (meaning === 'ended') return { status: isRegistered ? 'Cancelled' : 'Abandoned', tm5_status };
  if (meaning === 'after_registration') return { status: isRegistered ? 'Registered' : 'Pending', tm5_status };
  return { status: meaning ?? 'Unknown', tm5_status };
}

/** A mark may have several kinds: the first one in the office's table counts. */
export function readKind(reading: Reading, dialect: St96Dialect): KindOfMark | null {
  const categories = readTexts(reading, reading.root, 'MarkCategory');
  const meanings = categories.map((category) => {
    const key = foldValue(category);
    const place = dialect.kinds.findIndex(([name]) =>
      name.endsWith('*') ? key.startsWith(name.slice(0, -1)) : key === name,
    );
    if (place === -1) raiseIssue(reading, 'unmapped_kind', 'MarkCategory', category);
    return place;
  });
  const first = Math.min(...meanings.filter((place) => place !== -1));
  return dialect.kinds[first]?.[1] ?? null;
}

export const FEATURE_CODE = 'MarkRepresentation/MarkDescriptionBag/NationalMarkDescription/MarkFeatureCode';
export const FEATURE_TEXT = 'MarkRepresentation/MarkFeatureCategory';

export function readFeature(reading: Reading, dialect: St96Dialect): MarkFeature | null {
  const code = readText(reading, reading.root, FEATURE_CODE);
  const text = readText(reading, reading.root, FEATURE_TEXT);
  const standard = 'MarkRepresentation/MarkReproduction/WordMarkSpecification/MarkStandardCharacterIndicator';
  const coded = code === null ? undefined : findMeaning(dialect.featureCodes, code.slice(0, 1));
  const feature = coded ?? (text === null ? undefined : findMeaning(dialect.features, text));
  if (feature !== undefined) return feature;
  if (readText(reading, reading.root, standard) === 'true') return 'Word';
  if (code !== null && code !== '0') raiseIssue(reading, 'unmapped_feature', FEATURE_CODE, code);
  else if (text !== null) raiseIssue(reading, 'unmapped_feature', FEATURE_TEXT, text);
  else return null;
  return dialect.unknownFeature;
}

function findMeaning<Meaning>(table: Readonly<Record<string, Meaning>>, text: string): Meaning | undefined {
  const key = foldValue(text);
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
