/** How a mark relates to the international register: the registration it is part of, and others that it names. */
import { childText, findChild, listChildren } from '../../xml/xml-node.ts';
import { type InternationalSection, stated } from '../payload.ts';
import { type Reading, readNode, readTexts } from '../reading.ts';
import type { St96Dialect } from './dialect.ts';

/** The current and the former code of the international office. */
const INTERNATIONAL_OFFICES: ReadonlySet<string> = new Set(['WO', 'IB']);

const PREVIOUS = 'PreviousRegistrationBag/PreviousRegistration';
const BASIS = 'NationalFilingBasis/CurrentBasis/BasisInternationalRegistrationIndicator';

export interface InternationalParts {
  /** The mark is the national part of an international registration. */
  isPart: boolean;
  numbers: string[] | null;
  designations: string[] | null;
  section: InternationalSection;
}

export function readInternational(
  reading: Reading,
  dialect: St96Dialect,
  applicationNumber: string,
): InternationalParts {
  const own = [
    ...readTexts(reading, reading.root, 'InternationalMarkIdentifierBag/InternationalMarkIdentifier'),
    ...readPreviousRegistrations(reading),
  ].filter(isNumber);
  // An application to the international office also has a number, but not a registration number.
  const named = listChildren(reading.root, 'AssociatedMarkBag/AssociatedMark/InternationalRegistrationNumber')
    .map((node) => node.text.trim())
    .filter(isNumber);
  const designations = readTexts(reading, reading.root, 'DesignatedCountryBag/DesignatedCountry/DesignatedCountryCode');
  const isPart =
    own.length > 0 ||
    // `childText` does not mark it as read, so it is kept with the other bases, true or false.
    childText(reading.root, BASIS) === 'true' ||
    dialect.internationalNumbers?.test(applicationNumber) === true;
  const numbers = [...new Set([...own, ...named])];
  return {
    isPart,
    numbers: numbers.length === 0 ? null : numbers,
    designations: designations.length === 0 ? null : [...new Set(designations)],
    section: stated<InternationalSection>({
      registration: isPart ? stated({ number: numbers[0] }) : null,
      designations,
    }),
  };
}

function isNumber(text: string): boolean {
  return text !== '' && !/^0+$/.test(text);
}

/** An office may list the international registration that a mark extends among the mark's previous registrations. */
function readPreviousRegistrations(reading: Reading): string[] {
  return listChildren(reading.root, PREVIOUS).flatMap((node) => {
    const office = findChild(node, 'RegistrationOfficeCode')?.text.trim() ?? '';
    const number = findChild(node, 'PreviousRegistrationNumber');
    if (number === null || !INTERNATIONAL_OFFICES.has(office)) return [];
    return [readNode(reading, number) ?? ''];
  });
}
