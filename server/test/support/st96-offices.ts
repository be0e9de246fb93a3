/** Marks in ST.96 in the shapes of the Canadian and the Swiss office. Marks and parties are invented. */
import { type TrademarkParts, writeApplication, writeTrademark } from './st96.ts';

export const st13 = (number: string): string => `<ST13ApplicationNumber>${number}</ST13ApplicationNumber>`;

export const contact = (name: string, country: string): string => `<Contact languageCode="en"><Name>
  <EntityName languageCode="en">${name}</EntityName></Name><PostalAddressBag><PostalAddress>
  <PostalStructuredAddress languageCode="en"><AddressLineText sequenceNumber="1">1 Reed Street</AddressLineText>
  <AddressLineText sequenceNumber="2">Ferntown</AddressLineText>
  <GeographicRegionName geographicRegionCategory="Province">ONTARIO</GeographicRegionName>
  <CountryCode>${country}</CountryCode><PostalCode>K1A0A0</PostalCode></PostalStructuredAddress></PostalAddress>
  </PostalAddressBag></Contact>`;

export const CANADIAN_BODY = `<ReceivingOfficeCode>CA</ReceivingOfficeCode><RegistrationNumber>TMA000001</RegistrationNumber>
  <ApplicationDate>2000-05-03</ApplicationDate><RegistrationDate>2003-05-06</RegistrationDate>
  <FilingPlace>Canada</FilingPlace><ApplicationLanguageCode>en</ApplicationLanguageCode>
  <ExpiryDate>2033-05-06</ExpiryDate><MarkCurrentStatusDate>2003-05-06</MarkCurrentStatusDate>
  <MarkCategory>Trademark</MarkCategory>
  <MarkRepresentation><MarkFeatureCategory>Design</MarkFeatureCategory><MarkReproduction><WordMarkSpecification>
    <MarkSignificantVerbalElementText>FOUGÈRE</MarkSignificantVerbalElementText>
    <MarkTranslationText languageCode="en">Fern</MarkTranslationText></WordMarkSpecification><MarkImageBag><MarkImage>
    <FileName>0102697.png</FileName><ImageFormatCategory>PNG</ImageFormatCategory><MarkImageClassification>
    <FigurativeElementClassificationBag><ViennaClassificationBag>
    <ViennaClassification type="cacom:ViennaClassificationType"><ViennaCategory>5</ViennaCategory>
    <ViennaDivision>3</ViennaDivision><ViennaSection>11</ViennaSection></ViennaClassification>
    <ViennaClassification><ViennaCategory>27</ViennaCategory><ViennaDivision>5</ViennaDivision></ViennaClassification>
    </ViennaClassificationBag></FigurativeElementClassificationBag></MarkImageClassification></MarkImage></MarkImageBag>
    </MarkReproduction></MarkRepresentation>
  <UseRight><UseRightIndicator>true</UseRightIndicator></UseRight>
  <OppositionPeriodEndDate>2002-05-27</OppositionPeriodEndDate>
  <GoodsServicesBag><GoodsServices><GoodsServicesClassificationBag>
    <GoodsServicesClassification><ClassificationKindCode>Nice</ClassificationKindCode><ClassNumber>35</ClassNumber>
    <ClassTitleText>Advertising</ClassTitleText></GoodsServicesClassification>
    <GoodsServicesClassification><ClassificationKindCode>Nice</ClassificationKindCode><ClassNumber>9</ClassNumber>
    </GoodsServicesClassification></GoodsServicesClassificationBag>
    <ClassificationKindCode>Nice</ClassificationKindCode><ClassDescriptionBag><ClassDescription>
    <GoodsServicesDescriptionText sequenceNumber="Goods1" languageCode="en">ferns</GoodsServicesDescriptionText>
    </ClassDescription></ClassDescriptionBag></GoodsServices></GoodsServicesBag>
  <PriorityBag><Priority><PriorityCountryCode>US</PriorityCountryCode><ApplicationNumber>
    <ApplicationNumberText>75/000,001</ApplicationNumberText></ApplicationNumber>
    <PriorityApplicationFilingDate>1999-11-12</PriorityApplicationFilingDate></Priority></PriorityBag>
  <PublicationBag><Publication><PublicationIdentifier>Vol.40 Issue 1</PublicationIdentifier><NationalPublication>
    <PublicationStatusCategory>Registered</PublicationStatusCategory>
    <PublicationActionDate>2001-01-01</PublicationActionDate></NationalPublication></Publication><Publication>
    <PublicationIdentifier>Vol.49 Issue 2474</PublicationIdentifier><NationalPublication>
    <PublicationStatusCategory>Advertised</PublicationStatusCategory>
    <PublicationActionDate>2002-03-27</PublicationActionDate></NationalPublication></Publication></PublicationBag>
  <ApplicantBag><Applicant><LegalEntityName>Fougère Inc.</LegalEntityName>${contact('Fougère Inc.', 'CA')}
    <NationalLegalEntityCode>CA</NationalLegalEntityCode></Applicant></ApplicantBag>
  <NationalRepresentative><CommentText>4779</CommentText>${contact('Reed Agents LLP', 'CA')}</NationalRepresentative>
  <MarkEventBag><MarkEvent><MarkEventCategory>Application filed</MarkEventCategory>
    <NationalMarkEvent type="catmk:NationalMarkEventType"><MarkEventCode>30</MarkEventCode>
    <MarkEventDescriptionText>Filed</MarkEventDescriptionText><MarkEventOtherLanguageDescriptionTextBag>
    <MarkEventDescriptionText languageCode="fr">Produite</MarkEventDescriptionText>
    </MarkEventOtherLanguageDescriptionTextBag></NationalMarkEvent><MarkEventDate>2000-05-03</MarkEventDate></MarkEvent>
  </MarkEventBag><MarkFeatureDescription>FERN DESIGN</MarkFeatureDescription>
  <NationalTrademarkInformation type="catmk:NationalTrademarkInformationType">
    <RegisterCategory>Primary</RegisterCategory>
    <MarkCurrentStatusInternalDescriptionText>Registered</MarkCurrentStatusInternalDescriptionText>
    <RenewalDate>2018-05-06</RenewalDate><InterestedPartyBag><InterestedParty>
    <InterestedPartyCategory>Applicant</InterestedPartyCategory>${contact('Old Fern Ltd.', 'GB')}</InterestedParty>
    <InterestedParty><InterestedPartyCategory>Agent</InterestedPartyCategory>${contact('First Agents', 'CA')}
    </InterestedParty></InterestedPartyBag><ClaimBag><Claim><ClaimNumber>1</ClaimNumber></Claim></ClaimBag>
  </NationalTrademarkInformation>
  <NationalAssociatedMarkBag><NationalAssociatedMark><ApplicationNumber><IPOfficeCode>CA</IPOfficeCode>
    <ST13ApplicationNumber>300000017098410</ST13ApplicationNumber></ApplicationNumber>
    <RegistrationNumber>TMA000002</RegistrationNumber><PerSeRegistration>false</PerSeRegistration>
  </NationalAssociatedMark></NationalAssociatedMarkBag>`;

/** A whole file of the Canadian office. */
export function writeCanadian(parts: TrademarkParts = {}): string {
  const status = '<MarkCurrentStatusCode>Registration published</MarkCurrentStatusCode>';
  return writeApplication(writeTrademark({ office: 'CA', number: st13('300000010269700'), status, ...parts }));
}

export const SWISS = writeTrademark({
  office: 'CH',
  number: '<ApplicationNumberText>01234/2020</ApplicationNumberText>',
  status: '<MarkCurrentStatusCode>Registered</MarkCurrentStatusCode>',
  body: `<TerminationDate>2030-01-05</TerminationDate><Version>
    <VersionDateTime>2020-03-03T00:00:00.000000000</VersionDateTime></Version>
    <ApplicantBag><Applicant><LegalEntityName>Farn AG</LegalEntityName><Contact><Name><PersonName>
    <PersonFullName>Farn AG</PersonFullName></PersonName></Name></Contact></Applicant></ApplicantBag>
    <RepresentativeBag><Representative><LegalEntityName>Feder Partner</LegalEntityName></Representative>
    </RepresentativeBag><PublicationBag><Publication><PublicationDate>2020-02-21</PublicationDate></Publication>
    <Publication><PublicationDate>2020-02-14</PublicationDate></Publication></PublicationBag>
    <CHMarkCategory>Individualmarke</CHMarkCategory>`,
});
