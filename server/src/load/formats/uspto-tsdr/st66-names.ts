/**
 * Names that differ between the office's older answers, in ST.66 with its own extensions, and its answers in ST.96.
 * Elements of an extension that are not listed here keep their names, next to what they extend.
 */

import type { XmlNode } from '../../xml/xml-record.ts';
import { type Placement, type Rules, to } from './translate.ts';

const INFORMATION = 'NationalTrademarkInformation';
const REPRODUCTION = 'MarkRepresentation/MarkReproduction';
const DESCRIPTION = 'MarkRepresentation/MarkDescriptionBag';
const PLACE = 'Contact/PostalAddressBag/PostalAddress/PostalStructuredAddress';
const NATIONAL_EVENT = 'NationalMarkEvent';

/** The parts of an address in their order. An address line that an office has no name for may use any of them. */
const ADDRESS: Rules = {
  AddressStreet: `${PLACE}/AddressLineText`,
  AddressBuilding: `${PLACE}/AddressLineText`,
  AddressRoom: `${PLACE}/AddressLineText`,
  AddressPostOfficeBox: `${PLACE}/AddressLineText`,
  AddressCity: `${PLACE}/CityName`,
  AddressCounty: `${PLACE}/GeographicRegionName`,
  AddressState: `${PLACE}/GeographicRegionName`,
  AddressPostcode: `${PLACE}/PostalCode`,
  FormattedAddressCountryCode: `${PLACE}/CountryCode`,
  '*': `${PLACE}/*`,
};

const ADDRESS_BOOK: Rules = {
  FormattedNameAddress: {
    Name: {
      FreeFormatName: { FreeFormatNameDetails: { FreeFormatNameLine: 'Contact/Name/EntityName' } },
      '*': 'Contact/*',
    },
    Address: { FormattedAddress: ADDRESS, '*': 'Contact/*' },
    '*': 'Contact/*',
  },
  ContactInformationDetails: {
    Phone: 'Contact/PhoneNumberBag/PhoneNumber',
    Fax: 'Contact/FaxNumberBag/FaxNumber',
    Email: 'Contact/EmailAddressBag/EmailAddressText',
    '*': 'Contact/*',
  },
  '*': 'Contact/*',
};

const APPLICANT: Rules = {
  ApplicantLegalEntity: 'LegalEntityName',
  ApplicantNationalityCode: 'NationalityCode',
  ApplicantIncorporationCountryCode: 'IncorporationCountryCode',
  ApplicantAddressBook: ADDRESS_BOOK,
  ApplicantExt: {
    PartyTypeCode: '@sequenceNumber',
    PartyTypeDescriptionText: 'CommentText',
    ApplicantLegalEntityCode: 'NationalLegalEntityCode',
    IncorporationGeographicRegionCode: 'IncorporationState',
    '*': '*',
  },
  '*': '*',
};

const REPRESENTATIVE: Rules = {
  Comment: 'CommentText',
  RepresentativeAddressBook: ADDRESS_BOOK,
  RepresentativeExt: { RepresentativeDocketText: 'DocketText', '*': '*' },
  '*': '*',
};

/** A comment says what kind of representative it is; without one it stays an ordinary representative. */
const REPRESENTATIVE_PLACES: Readonly<Record<string, string>> = {
  'Attorney of Record': 'RecordAttorney',
  'Domestic Correspondent': 'NationalCorrespondent',
  'Domestic Representative': 'NationalRepresentative',
};

function placeRepresentative(node: XmlNode): Placement[] {
  const comment = node.children.find(({ name }) => name === 'Comment')?.text.trim() ?? '';
  const known = Object.hasOwn(REPRESENTATIVE_PLACES, comment) ? REPRESENTATIVE_PLACES[comment] : undefined;
  return [{ path: known ?? 'RepresentativeBag/Representative', node, rules: REPRESENTATIVE }];
}

const CLASSIFICATION = 'GoodsServicesClassificationBag/GoodsServicesClassification';

/** A class number becomes a classification of its kind. */
function placeClass(kind: string): (node: XmlNode) => Placement[] {
  const leaf = (name: string, text: string): XmlNode => ({ name, attributes: {}, children: [], text });
  return (node) => {
    const children = [leaf('ClassificationKindCode', kind), leaf('ClassNumber', node.text), ...node.children];
    return node.text.trim() === '' ? [] : [{ path: CLASSIFICATION, node: { ...node, children, text: '' } }];
  };
}

const FILING_BASIS: Rules = {
  BasisNoIndicator: 'NoBasisIndicator',
  BasisRequestforExtentionOfProtectionIndicator: 'BasisInternationalRegistrationIndicator',
  '*': '*',
};

const BASES = (parent: string): Rules => ({
  BasisWhenFiled: to(`${parent}/FilingBasis`, FILING_BASIS),
  BasisCurrently: to(`${parent}/CurrentBasis`, FILING_BASIS),
  BasisAmended: to(`${parent}/AmendedBasis`, FILING_BASIS),
  FirstUseDateNumber: `${parent}/FirstUsedDate`,
  FirstUseInCommerceDate: `${parent}/FirstUsedCommerceDate`,
  '*': `${parent}/*`,
});

const CLASS_STATUS = 'ClassDescriptionBag/ClassDescription/NationalStatusBag/NationalStatus';

/** Each class is a separate group of goods. */
const CLASS: Rules = {
  ClassNumber: (node) => [
    { path: 'ClassDescriptionBag/ClassDescription/ClassNumber', node },
    ...placeClass('Nice')(node),
  ],
  GoodsServicesDescription: 'ClassDescriptionBag/ClassDescription/GoodsServicesDescriptionText',
  ClassNumberStatusCode: `${CLASS_STATUS}/NationalStatusCode`,
  ClassDescriptionExt: {
    PrimeClassText: placeClass('Primary'),
    DomesticClassNumbers: placeClass('Domestic'),
    ClassNumberStatusDescriptionText: `${CLASS_STATUS}/NationalStatusExternalDescriptionText`,
    FilingBasisDetails: BASES('NationalFilingBasis'),
    '*': '*',
  },
  '*': '*',
};

const EXTENSION: Rules = {
  AdditionalInformation: { '*': `${INFORMATION}/*` },
  OfficeDetails: `${INFORMATION}/NationalCaseLocation`,
  FilingBasisDetails: BASES('NationalFilingBasis'),
  AdditionalMarkDetails: {
    MaintenanceFilingDetails: `${INFORMATION}/MaintenanceFilingBag/MaintenanceFiling`,
    '*': `${INFORMATION}/*`,
  },
  RelatedMarkDetails: 'AssociatedMarkBag/AssociatedMark',
  MarkFeatureCode: `${DESCRIPTION}/NationalMarkDescription/MarkFeatureCode`,
  MarkImageDetails: `${REPRODUCTION}/MarkImageDetails`,
  '*': `${INFORMATION}/*`,
};

/** Relative to `TradeMark`, to which the applicants next to it have been added. */
export const ST66_NAMES: Rules = {
  RegistrationOfficeCode: '*',
  ApplicationNumber: 'ApplicationNumber/ApplicationNumberText',
  ApplicationDate: '*',
  RegistrationNumber: '*',
  RegistrationDate: '*',
  ExpiryDate: '*',
  TerminationDate: '*',
  FilingPlace: '*',
  MarkCurrentStatusCode: '*',
  MarkCurrentStatusDate: '*',
  OppositionPeriodStartDate: '*',
  OppositionPeriodEndDate: '*',
  ApplicationLanguageCode: '*',
  SecondLanguageCode: '*',
  ApplicationReference: 'ApplicantFileReference',
  Comment: 'CommentText',
  InternationalRegistrationNumber: 'InternationalMarkIdentifierBag/InternationalMarkIdentifier',
  MarkSoundDetails: `${REPRODUCTION}/MarkSoundBag`,
  TradeDistinctivenessText: '*',
  TradeDistinctivenessIndicator: '*',
  // One text may list several kinds.
  KindMark: (node) =>
    node.text.split(',').map((text) => ({ path: 'MarkCategory', node: { ...node, text: text.trim() } })),
  MarkFeature: 'MarkRepresentation/MarkFeatureCategory',
  MarkDescriptionDetails: { MarkDescription: `${DESCRIPTION}/MarkDescriptionText`, '*': `${DESCRIPTION}/*` },
  MarkDisclaimerDetails: { MarkDisclaimer: 'MarkDisclaimerBag/MarkDisclaimerText', '*': 'MarkDisclaimerBag/*' },
  WordMarkSpecification: to(`${REPRODUCTION}/WordMarkSpecification`, {
    MarkTranslation: 'MarkTranslationText',
    '*': '*',
  }),
  MarkImageDetails: {
    MarkImage: to(`${REPRODUCTION}/MarkImageBag/MarkImage`, {
      MarkImageIdentifier: 'FileName',
      MarkImageFileFormat: 'ImageFormatCategory',
      MarkImageCategory: {
        CategoryCodeDetailsExt: {
          DesignSearchDetails: to('NationalDesignSearchCodeBag/NationalDesignSearchCode', {
            DesignSearchCode: 'NationalDesignCode',
            DesignSearchDescriptionText: 'NationalDesignCodeDescriptionText',
            '*': '*',
          }),
          '*': '*',
        },
        '*': '*',
      },
      '*': '*',
    }),
    '*': `${REPRODUCTION}/*`,
  },
  GoodsServicesDetails: {
    GoodsServices: {
      ClassDescriptionDetails: {
        ClassDescription: to('GoodsServicesBag/GoodsServices', CLASS),
        '*': 'NationalGoodsServices/*',
      },
      '*': 'NationalGoodsServices/*',
    },
    NationalGoodsServicesExt: { '*': 'NationalGoodsServices/*' },
    '*': 'NationalGoodsServices/*',
  },
  PriorityDetails: {
    Priority: to('PriorityBag/Priority', {
      PriorityNumber: 'ApplicationNumber/ApplicationNumberText',
      PriorityDate: 'PriorityApplicationFilingDate',
      PriorityStatusCode: 'PriorityStatusCategory',
      PriorityExt: { '*': '*' },
      '*': '*',
    }),
    '*': 'PriorityBag/*',
  },
  PublicationDetails: {
    Publication: to('PublicationBag/Publication', { PublicationExt: { '*': '*' }, '*': '*' }),
    '*': 'PublicationBag/*',
  },
  RepresentativeDetails: { Representative: placeRepresentative, '*': 'RepresentativeBag/*' },
  ApplicantDetails: { Applicant: to('ApplicantBag/Applicant', APPLICANT), '*': 'ApplicantBag/*' },
  StaffDetails: { '*': 'StaffBag/*' },
  MarkEventDetails: {
    MarkEvent: to('MarkEventBag/MarkEvent', {
      Comment: 'MarkEventCategory',
      MarkEventCode: `${NATIONAL_EVENT}/MarkEventCode`,
      MarkEventExt: {
        MarkEventInternalDescriptionText: `${NATIONAL_EVENT}/MarkEventDescriptionText`,
        MarkEventProceedingNumber: `${NATIONAL_EVENT}/MarkEventAdditionalText`,
        '*': `${NATIONAL_EVENT}/*`,
      },
      '*': '*',
    }),
    '*': 'MarkEventBag/*',
  },
  TradeMarkExt: EXTENSION,
  AssignmentBagExt: 'AssignmentBag',
};
