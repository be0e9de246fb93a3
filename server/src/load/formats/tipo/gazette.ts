/** Turns one entry of a gazette index, a registered mark, into a source record. */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { listOrNull, parseNiceClass } from '../codes.ts';
import { NOT_STATED } from '../not-stated.ts';
import { listTexts, nameFields } from '../parties.ts';
import { buildDocument, type Party, type PartyName, stated } from '../payload.ts';
import {
  openReading,
  type Reading,
  raiseIssue,
  raiseUnread,
  readAttribute,
  readDate,
  readText,
  readTexts,
} from '../reading.ts';
import type { RecordItem } from '../xml-records.ts';
import { rocDate } from './dates.ts';
import { buildUid, OFFICE, readNumber } from './identity.ts';
import { FEATURES, GAZETTE_KINDS, isColour, NICE_SINCE } from './values.ts';

const DESIGN = 'Trademark_Design';
const CLASSES = 'RegContentClassification/Class';

/** Throws `UnreadableRecord` when the entry has no usable number. */
export function readGazetteEntry(node: XmlNode, register: string): RecordItem {
  const reading = openReading(node);
  const number = readNumber(reading, 'CaseNo');
  // The position in the list.
  readAttribute(reading, node, 'no');
  const owners = listChildren(node, 'RegContentOwner').map((owner) => readOwner(reading, owner));
  const agents = readTexts(reading, node, 'RegContentAgent/BChinese');
  const filingDate = readDate(reading, node, 'Filing_Date', rocDate);
  const classes = readTexts(reading, node, CLASSES);
  const isOld = filingDate !== null && filingDate < NICE_SINCE;
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: buildUid(number),
    office: OFFICE,
    application_number: number,
    registration_number: readText(reading, node, 'RegisterNo'),
    mark_name: readText(reading, node, 'Trademark_Name'),
    // The index lists only registrations and has no text for the status.
    status: 'Registered',
    kind_of_mark: readKind(reading),
    mark_feature: readFeature(reading),
    application_date: filingDate,
    registration_date: readDate(reading, node, 'SDate', rocDate),
    expiry_date: readDate(reading, node, 'EDate', rocDate),
    nice_classes: isOld ? null : readNiceClasses(reading, classes, filingDate),
    ...nameFields([
      ...owners.map((party) => ({ isOwner: true, names: listTexts(party), countries: [] })),
      { isOwner: false, names: agents, countries: [] },
    ]),
  };
  const payload = buildDocument(
    {
      format: 'tipo',
      status_code: null,
      status_text: null,
      kind_code: readText(reading, node, 'Mark_Type'),
      kind_text: null,
      feature_code: null,
      feature_text: readText(reading, node, DESIGN),
      service_mark: readText(reading, node, 'ServiceMark'),
    },
    {
      parties: [...owners, ...agents.map((text): Party => ({ role: 'representative', names: [{ text }] }))],
      mark: content.mark_name === null ? null : { texts: [{ text: content.mark_name }] },
      classification: stated({
        classes: classes.length === 0 ? null : [isOld ? { national_codes: classes } : { international_codes: classes }],
      }),
    },
  );
  raiseUnread(reading);
  return {
    // The application data hold goods, addresses and countries.
    record: { ...content, mark_name_variants: null, payload, source_version: null, is_partial: true },
    issues: reading.issues,
  };
}

/** An owner has a name in the original script and often one in Latin letters; both count. */
function readOwner(reading: Reading, owner: XmlNode): Party {
  const names = (path: string, language: string): PartyName[] =>
    readTexts(reading, owner, path).map((text) => ({ text, language }));
  return stated<Party>({ role: 'owner', names: [...names('AChinese', 'zh'), ...names('AEnglish', 'en')] });
}

function readKind(reading: Reading): KindOfMark | null {
  const service = readText(reading, reading.root, 'ServiceMark');
  if (service !== null && service !== 'true' && service !== 'false') {
    raiseIssue(reading, 'unmapped_indicator', 'ServiceMark', service);
  }
  const type = readText(reading, reading.root, 'Mark_Type');
  if (type === null) return service === 'true' ? 'Service' : null;
  const kind = Object.hasOwn(GAZETTE_KINDS, type) ? GAZETTE_KINDS[type] : undefined;
  if (kind === undefined) raiseIssue(reading, 'unmapped_kind', 'Mark_Type', type);
  return (kind === 'Trademark' && service === 'true' ? 'Service' : kind) ?? null;
}

/** `(墨色)(平面)`: how the mark is displayed, then its feature. */
function readFeature(reading: Reading): MarkFeature | null {
  const design = readText(reading, reading.root, DESIGN);
  const parts = [...(design ?? '').matchAll(/[(（]([^()（）]*)[)）]|([^()（）\s]+)/g)].map(([, inner, bare]) =>
    (inner ?? bare ?? '').trim(),
  );
  let feature: MarkFeature | null = null;
  for (const part of parts) {
    if (Object.hasOwn(FEATURES, part)) feature ??= FEATURES[part] ?? null;
    else if (!isColour(part)) raiseIssue(reading, 'unmapped_feature', DESIGN, part);
  }
  return feature;
}

function readNiceClasses(reading: Reading, stated: readonly string[], filingDate: string | null): number[] | null {
  const classes: number[] = [];
  for (const text of stated) {
    const niceClass = parseNiceClass(text);
    if (niceClass === null) raiseIssue(reading, 'unmapped_class', CLASSES, text);
    else classes.push(niceClass);
    // Without a date, the class may be one of the office's own.
    if (niceClass !== null && filingDate === null) raiseIssue(reading, 'assumed_nice_class', CLASSES, text);
  }
  return listOrNull(classes.sort((a, b) => a - b));
}
