/**
 * Names that differ between the office's older answers, in ST.66 with its own extensions, and its answers in ST.96.
 * Elements of an extension that are not listed here keep their names, next to what they extend.
 */

import type { XmlNode } from '../../xml/xml-record.ts';
import type { Placement, Rules } from './translate.ts';

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
    inline: {
      Name: {
        inline: {
          FreeFormatName: {
            inline: { FreeFormatNameDetails: { inline: { FreeFormatNameLine: 'Contact/Name/EntityName' } } },
          },
          '*': 'Contact/*',
        },
      },
      Address: { inline: { FormattedAddress: { inline: ADDRESS }, '*': 'Contact/*' } },
      '*': 'Contact/*',
    },
  },
  ContactInformationDetails: {
    inline: {
      Phone: 'Contact/PhoneNumberBag/PhoneNumber',
      Fax: 'Contact/FaxNumberBag/FaxNumber',
      Email: 'Contact/EmailAddressBag/EmailAddressText',
      '*': 'Contact/*',
    },
  },
  '*': 'Contact/*',
};

const APPLICANT: Rules = {
  ApplicantLegalEntity: 'LegalEntityName',
  ApplicantNationalityCode: 'NationalityCode',
  ApplicantIncorporationCountryCode: 'IncorporationCountryCode',
  ApplicantAddressBook: { inline: ADDRESS_BOOK },
  ApplicantExt: {
    inline: {
      PartyTypeCode: '@sequenceNumber',
      PartyTypeDescriptionText: 'CommentText',
      ApplicantLegalEntityCode: 'NationalLegalEntityCode',
      IncorporationGeographicRegionCode: 'IncorporationState',
      '*': '*',
    },
  },
  '*': '*',
};

const REPRESENTATIVE: Rules = {
  Comment: 'CommentText',
  RepresentativeAddressBook: { inline: ADDRESS_BOOK },
  RepresentativeExt: { inline: { RepresentativeDocketText: 'DocketText', '*': '*' } },
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
  BasisWhenFiled: { to: `${parent}/FilingBasis`, rules: FILING_BASIS },
  BasisCurrently: { to: `${parent}/CurrentBasis`, rules: FILING_BASIS },
  BasisAmended: { to: `${parent}/AmendedBasis`, rules: FILING_BASIS },
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
    inline: {
      PrimeClassText: placeClass('Primary'),
      DomesticClassNumbers: placeClass('Domestic'),
      ClassNumberStatusDescriptionText: `${CLASS_STATUS}/NationalStatusExternalDescriptionText`,
      FilingBasisDetails: { inline: BASES('NationalFilingBasis') },
      '*': '*',
    },
  },
  '*': '*',
};

const EXTENSION: Rules = {
  AdditionalInformation: { inline: { '*': `${INFORMATION}/*` } },
  OfficeDetails: `${INFORMATION}/NationalCaseLocation`,
  FilingBasisDetails: { inline: BASES('NationalFilingBasis') },
  AdditionalMarkDetails: {
    inline: {
      MaintenanceFilingDetails: `${INFORMATION}/MaintenanceFilingBag/MaintenanceFiling`,
      '*': `${INFORMATION}/*`,
    },
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
  MarkDescriptionDetails: {
    inline: { MarkDescription: `${DESCRIPTION}/MarkDescriptionText`, '*': `${DESCRIPTION}/*` },
  },
  MarkDisclaimerDetails: {
    inline: { MarkDisclaimer: 'MarkDisclaimerBag/MarkDisclaimerText', '*': 'MarkDisclaimerBag/*' },
  },
  WordMarkSpecification: {
    to: `${REPRODUCTION}/WordMarkSpecification`,
    rules: { MarkTranslation: 'MarkTranslationText', '*': '*' },
  },
  MarkImageDetails: {
    inline: {
      MarkImage: {
        to: `${REPRODUCTION}/MarkImageBag/MarkImage`,
        rules: {
          MarkImageIdentifier: 'FileName',
          MarkImageFileFormat: 'ImageFormatCategory',
          MarkImageCategory: {
            inline: {
              CategoryCodeDetailsExt: {
                inline: {
                  DesignSearchDetails: {
                    to: 'NationalDesignSearchCodeBag/NationalDesignSearchCode',
                    rules: {
                      DesignSearchCode: 'NationalDesignCode',
                      DesignSearchDescriptionText: 'NationalDesignCodeDescriptionText',
                      '*': '*',
                    },
                  },
                  '*': '*',
                },
              },
              '*': '*',
            },
          },
          '*': '*',
        },
      },
      '*': `${REPRODUCTION}/*`,
    },
  },
  GoodsServicesDetails: {
    inline: {
      GoodsServices: {
        inline: {
          ClassDescriptionDetails: {
            inline: {
              ClassDescription: { to: 'GoodsServicesBag/GoodsServices', rules: CLASS },
              '*': 'NationalGoodsServices/*',
            },
          },
          '*': 'NationalGoodsServices/*',
        },
      },
      NationalGoodsServicesExt: { inline: { '*': 'NationalGoodsServices/*' } },
      '*': 'NationalGoodsServices/*',
    },
  },
  PriorityDetails: {
    inline: {
      Priority: {
        to: 'PriorityBag/Priority',
        rules: {
          PriorityNumber: 'ApplicationNumber/ApplicationNumberText',
          PriorityDate: 'PriorityApplicationFilingDate',
          PriorityStatusCode: 'PriorityStatusCategory',
          PriorityExt: { inline: { '*': '*' } },
          '*': '*',
        },
      },
      '*': 'PriorityBag/*',
    },
  },
  PublicationDetails: {
    inline: {
      Publication: {
        to: 'PublicationBag/Publication',
        rules: { PublicationExt: { inline: { '*': '*' } }, '*': '*' },
      },
      '*': 'PublicationBag/*',
    },
  },
  RepresentativeDetails: { inline: { Representative: placeRepresentative, '*': 'RepresentativeBag/*' } },
  ApplicantDetails: {
    inline: { Applicant: { to: 'ApplicantBag/Applicant', rules: APPLICANT }, '*': 'ApplicantBag/*' },
  },
  StaffDetails: { inline: { '*': 'StaffBag/*' } },
  MarkEventDetails: {
    inline: {
      MarkEvent: {
        to: 'MarkEventBag/MarkEvent',
        rules: {
          Comment: 'MarkEventCategory',
          MarkEventCode: `${NATIONAL_EVENT}/MarkEventCode`,
          MarkEventExt: {
            inline: {
              MarkEventInternalDescriptionText: `${NATIONAL_EVENT}/MarkEventDescriptionText`,
              MarkEventProceedingNumber: `${NATIONAL_EVENT}/MarkEventAdditionalText`,
              '*': `${NATIONAL_EVENT}/*`,
            },
          },
          '*': '*',
        },
      },
      '*': 'MarkEventBag/*',
    },
  },
  TradeMarkExt: { inline: EXTENSION },
  AssignmentBagExt: 'AssignmentBag',
};
