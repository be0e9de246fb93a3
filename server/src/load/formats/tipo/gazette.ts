/** Turns one entry of a gazette index, a registered mark, into a source record. */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import type { XmlNode } from '../../xml/xml-record.ts';
import { rocDate } from '../dates.ts';
import { buildDocument, listTexts, NOT_STATED, nameFields, type Party, type PartyName, stated } from '../document.ts';
import { type Element, openElement } from '../element.ts';
import { checkMeaning, listNiceClasses, lookUp, sortClasses } from '../meanings.ts';
import type { RecordItem } from '../xml-records.ts';
import { buildUid, FEATURES, GAZETTE_KINDS, isColour, NICE_SINCE, OFFICE, readNumber } from './values.ts';

const DESIGN = 'Trademark_Design';
const CLASSES = 'RegContentClassification/Class';

/** Throws `UnreadableRecord` when the entry has no usable number. */
export function readGazetteEntry(node: XmlNode, register: string): RecordItem {
  const root = openElement(node, rocDate);
  const number = readNumber(root, 'CaseNo');
  // The position in the list.
  root.attribute('no');
  const owners = root.list('RegContentOwner').map((owner) => readOwner(owner));
  const agents = root.texts('RegContentAgent/BChinese');
  const filingDate = root.day('Filing_Date');
  const classes = root.texts(CLASSES);
  const isOld = filingDate !== null && filingDate < NICE_SINCE;
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: buildUid(number),
    office: OFFICE,
    application_number: number,
    registration_number: root.text('RegisterNo'),
    mark_name: root.text('Trademark_Name'),
    // The index lists only registrations and has no text for the status.
    status: 'Registered',
    kind_of_mark: readKind(root),
    mark_feature: readFeature(root),
    application_date: filingDate,
    registration_date: root.day('SDate'),
    expiry_date: root.day('EDate'),
    nice_classes: isOld ? null : readNiceClasses(root, classes, filingDate),
    ...nameFields([
      ...owners.map((party) => ({ isOwner: true, names: listTexts(party) })),
      { isOwner: false, names: agents },
    ]),
  };
  const payload = buildDocument(
    {
      format: 'tipo',
      status_code: null,
      status_text: null,
      kind_code: root.text('Mark_Type'),
      kind_text: null,
      feature_code: null,
      feature_text: root.text(DESIGN),
      service_mark: root.text('ServiceMark'),
    },
    {
      parties: [...owners, ...agents.map((text): Party => ({ role: 'representative', names: [{ text }] }))],
      mark: content.mark_name === null ? null : { texts: [{ text: content.mark_name }] },
      classification: stated({
        classes: classes.length === 0 ? null : [isOld ? { national_codes: classes } : { international_codes: classes }],
      }),
    },
  );
  root.raiseUnread();
  return {
    // The application data hold goods, addresses and countries.
    record: { ...content, mark_name_variants: null, payload, source_version: null, is_partial: true },
    issues: root.issues,
  };
}

/** An owner has a name in the original script and often one in Latin letters; both count. */
function readOwner(owner: Element): Party {
  const names = (path: string, language: string): PartyName[] => owner.texts(path).map((text) => ({ text, language }));
  return stated<Party>({ role: 'owner', names: [...names('AChinese', 'zh'), ...names('AEnglish', 'en')] });
}

function readKind(root: Element): KindOfMark | null {
  const service = root.text('ServiceMark');
  if (service !== null && service !== 'true' && service !== 'false') {
    root.raise('unmapped_indicator', 'ServiceMark', service);
  }
  const text = root.text('Mark_Type');
  if (text === null) return service === 'true' ? 'Service' : null;
  const kind = checkMeaning(root, lookUp(GAZETTE_KINDS, text), { issue: 'unmapped_kind', path: 'Mark_Type', text });
  return kind === 'Trademark' && service === 'true' ? 'Service' : kind;
}

/** `(墨色)(平面)`: how the mark is displayed, then its feature. */
function readFeature(root: Element): MarkFeature | null {
  const design = root.text(DESIGN);
  const parts = [...(design ?? '').matchAll(/[(（]([^()（）]*)[)）]|([^()（）\s]+)/g)].map(([, inner, bare]) =>
    (inner ?? bare ?? '').trim(),
  );
  let feature: MarkFeature | null = null;
  for (const part of parts) {
    const known = lookUp(FEATURES, part);
    feature ??= known ?? null;
    if (known === undefined && !isColour(part)) root.raise('unmapped_feature', DESIGN, part);
  }
  return feature;
}

function readNiceClasses(root: Element, texts: readonly string[], filingDate: string | null): number[] | null {
  // Without a date, a class may be one of the office's own.
  const isAssumed = (): boolean => filingDate === null;
  return sortClasses(listNiceClasses(root, { path: CLASSES, texts, isAssumed, isStrict: true }));
}
