/** Writes ST.96 files for tests, and older ST.66 answers of the same content. Cases and parties are invented. */

export interface TrademarkParts {
  office?: string;
  number?: string;
  status?: string;
  statusDate?: string;
  /** Children of the mark, as XML without prefixes. */
  body?: string;
  attributes?: string;
}

export function writeTrademark({
  office = 'US',
  number = '<ApplicationNumberText>97000001</ApplicationNumberText>',
  status = '<MarkCurrentStatusCode>630</MarkCurrentStatusCode>',
  statusDate = '',
  body = '',
  attributes = '',
}: TrademarkParts = {}): string {
  return `<Trademark ${attributes}><RegistrationOfficeCode>${office}</RegistrationOfficeCode>
    <ApplicationNumber><IPOfficeCode>${office}</IPOfficeCode>${number}</ApplicationNumber>${status}${statusDate}${body}
    </Trademark>`;
}

/** A whole TSDR file for one case. */
export function writeTransaction(marks: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<ns2:TrademarkTransaction xmlns:ns1="http://www.wipo.int/standards/XMLSchema/ST96/Common"
  xmlns:ns2="http://www.wipo.int/standards/XMLSchema/ST96/Trademark"><ns2:TrademarkTransactionBody>
<ns2:TransactionContentBag><ns1:TransactionCategory>National trademark registration</ns1:TransactionCategory>
<ns2:TransactionData><ns2:TrademarkBag>${marks}</ns2:TrademarkBag></ns2:TransactionData></ns2:TransactionContentBag>
</ns2:TrademarkTransactionBody></ns2:TrademarkTransaction>`;
}

/** The root element of the first edition: the same as ST.66's, except for its namespace. */
export function writeDraft(marks: string): string {
  return `<tmk:Transaction xmlns:com="http://www.wipo.int/standards/XMLSchema/Common/1"
  xmlns:tmk="http://www.wipo.int/standards/XMLSchema/Trademark/1"><tmk:TrademarkTransactionBody>
<tmk:TransactionContentBag><com:TransactionCategory>National trademark registration </com:TransactionCategory>
<tmk:TransactionData><tmk:TrademarkBag>${marks}</tmk:TrademarkBag></tmk:TransactionData></tmk:TransactionContentBag>
</tmk:TrademarkTransactionBody></tmk:Transaction>`;
}

/** CIPO: one application per file. */
export function writeApplication(mark: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><tmk:TrademarkApplication com:st96Version="V3_0" com:ipoVersion="V1_4"
  xmlns:tmk="http://www.wipo.int/standards/XMLSchema/ST96/Trademark"
  xmlns:com="http://www.wipo.int/standards/XMLSchema/ST96/Common">
<tmk:RequestSearch><tmk:RequestSearchCategory>Normal</tmk:RequestSearchCategory></tmk:RequestSearch>
<tmk:RequestExamination><tmk:RequestExaminationCategory>Normal</tmk:RequestExaminationCategory></tmk:RequestExamination>
<tmk:TrademarkBag>${mark}</tmk:TrademarkBag></tmk:TrademarkApplication>`;
}

/** Switzerland: one page of an answer. */
export function writeAnswer(marks: readonly string[], total = marks.length): string {
  return `<?xml version='1.0' encoding='utf-8'?><ns0:ApiResponse xmlns:ns0="urn:ige:schema:xsd:datadeliverycore-1.0.0"
  uuid="u"><ns0:Result success="true">${marks.map((mark) => `<ns0:Data role="item">${mark}</ns0:Data>`).join('')}
<ns0:Meta><TotalItemCount>${total}</TotalItemCount><ItemCountOffset>0</ItemCountOffset>
<ItemCount>${marks.length}</ItemCount></ns0:Meta><ns0:Continuations>
<ns0:Continuation name="NextPage">t</ns0:Continuation></ns0:Continuations></ns0:Result></ns0:ApiResponse>`;
}

const owner = (stage: string, name: string, more: string): string => `<Applicant sequenceNumber="${stage}">
  <LegalEntityName>COOPERATIVE</LegalEntityName><NationalLegalEntityCode>99</NationalLegalEntityCode>
  <IncorporationCountryCode>US</IncorporationCountryCode><IncorporationState>VT</IncorporationState>${more}
  <Contact><Name><OrganizationName><OrganizationStandardName>${name}</OrganizationStandardName></OrganizationName>
  <EntityName>${name}</EntityName></Name><PostalAddressBag><PostalAddress><PostalStructuredAddress>
  <AddressLineText sequenceNumber="1">1 Mill Lane</AddressLineText><AddressLineText sequenceNumber="2"/>
  <CityName>Quillham</CityName><GeographicRegionName>VERMONT</GeographicRegionName><CountryCode>US</CountryCode>
  <PostalCode>05000</PostalCode></PostalStructuredAddress></PostalAddress></PostalAddressBag></Contact></Applicant>`;

const event = (number: number, date: string, code: string, text: string): string => `<MarkEvent>
  <MarkEventCategory>National prosecution history entry</MarkEventCategory><NationalMarkEvent>
  <MarkEventCode>${code}</MarkEventCode><MarkEventDescriptionText>${text}</MarkEventDescriptionText>
  <MarkEventEntryNumber>${number}</MarkEventEntryNumber><MarkEventAdditionalText>7${number}</MarkEventAdditionalText>
  </NationalMarkEvent><MarkEventDate>${date}</MarkEventDate></MarkEvent>`;

/** One case that states a little of everything, in ST.96. */
export const FULL_CASE = writeTrademark({
  status: '<MarkCurrentStatusCode>800</MarkCurrentStatusCode>',
  statusDate: '<MarkCurrentStatusDate>2025-04-14</MarkCurrentStatusDate>',
  body: `<RegistrationNumber>0717416</RegistrationNumber><ApplicationDate>2008-05-19-04:00</ApplicationDate>
  <RegistrationDate>2009-12-01</RegistrationDate><FilingPlace>US</FilingPlace>
  <AssociatedMarkBag><AssociatedMark>
    <AssociationCategory>International application or registration</AssociationCategory>
    <InternationalApplicationNumber><ApplicationNumberText>A0001234</ApplicationNumberText>
    </InternationalApplicationNumber><InternationalRegistrationNumber>0903111</InternationalRegistrationNumber>
  </AssociatedMark></AssociatedMarkBag>
  <MarkCategory>Service mark</MarkCategory><MarkCategory>Trademark</MarkCategory>
  <MarkRepresentation><MarkFeatureCategory>AN ILLUSTRATION DRAWING</MarkFeatureCategory><MarkReproduction>
    <WordMarkSpecification><MarkVerbalElementText>QUILLFERN</MarkVerbalElementText>
      <MarkSignificantVerbalElementText>QUILLFERN</MarkSignificantVerbalElementText>
      <MarkTranslationText sequenceNumber="1">The wording means a fern.</MarkTranslationText><MarkTransliteration/>
      <MarkStandardCharacterIndicator>false</MarkStandardCharacterIndicator></WordMarkSpecification>
    <MarkImageBag><MarkImage><FileName>97000001.png</FileName>
      <MarkImageColourClaimedText sequenceNumber="1">Green is claimed.</MarkImageColourClaimedText>
      <NationalDesignSearchCodeBag><NationalDesignSearchCode><NationalDesignCode>05.03.25</NationalDesignCode>
      <NationalDesignCodeDescriptionText>Ferns</NationalDesignCodeDescriptionText></NationalDesignSearchCode>
      </NationalDesignSearchCodeBag></MarkImage></MarkImageBag></MarkReproduction>
    <MarkDescriptionBag><MarkDescriptionText>A fern that writes.</MarkDescriptionText>
      <NationalMarkDescription><MarkFeatureCode>3</MarkFeatureCode></NationalMarkDescription></MarkDescriptionBag>
  </MarkRepresentation>
  <MarkDisclaimerBag><MarkDisclaimerText sequenceNumber="1">"QUILL"</MarkDisclaimerText></MarkDisclaimerBag>
  <GoodsServicesBag><GoodsServices><GoodsServicesClassificationBag>
    <GoodsServicesClassification><ClassificationKindCode>Primary</ClassificationKindCode><ClassNumber>016</ClassNumber>
    </GoodsServicesClassification><GoodsServicesClassification><ClassificationKindCode>Nice</ClassificationKindCode>
    <ClassNumber>016</ClassNumber></GoodsServicesClassification><GoodsServicesClassification>
    <ClassificationKindCode>Domestic</ClassificationKindCode><NationalClassNumber>037</NationalClassNumber>
    </GoodsServicesClassification></GoodsServicesClassificationBag>
    <NationalFilingBasis><CurrentBasis><BasisUseIndicator>true</BasisUseIndicator></CurrentBasis>
    <FirstUsedDate>19960100</FirstUsedDate><FirstUsedCommerceDate>20090418</FirstUsedCommerceDate></NationalFilingBasis>
    <ClassDescriptionBag><ClassDescription><ClassNumber>016</ClassNumber>
    <GoodsServicesDescriptionText sequenceNumber="1">Quill pens</GoodsServicesDescriptionText></ClassDescription>
    <ClassDescription><NationalStatusBag><NationalStatus>
    <NationalStatusCategory>National class status</NationalStatusCategory><NationalStatusCode>6</NationalStatusCode>
    <NationalStatusExternalDescriptionText>ACTIVE</NationalStatusExternalDescriptionText></NationalStatus>
    </NationalStatusBag></ClassDescription></ClassDescriptionBag></GoodsServices></GoodsServicesBag>
  <PriorityBag><Priority><PriorityCountryCode>DE</PriorityCountryCode><ApplicationNumber>
    <ApplicationNumberText>30 2008 000 111</ApplicationNumberText></ApplicationNumber>
    <PriorityApplicationFilingDate>2008-01-15</PriorityApplicationFilingDate></Priority></PriorityBag>
  <PublicationBag><Publication><PublicationIdentifier>Gazette</PublicationIdentifier>
    <PublicationDate>2009-09-15</PublicationDate></Publication></PublicationBag>
  <ApplicantBag>
    ${owner('10', 'Quillfern Growers', '<CommentText>ORIGINAL APPLICANT</CommentText>')}
    ${owner('30', 'Quillfern Cooperative', '<Version><CommentText>ORIGINAL REGISTRANT</CommentText></Version>')}
  </ApplicantBag>
  <NationalRepresentative><Contact><Name><PersonName/></Name><PhoneNumberBag><PhoneNumber/></PhoneNumberBag></Contact>
  </NationalRepresentative>
  <NationalCorrespondent><Contact><Name><PersonName><PersonFullName>Ada Penn</PersonFullName></PersonName>
    <OrganizationName><OrganizationStandardName>Penn and Inkwell</OrganizationStandardName></OrganizationName></Name>
    <EmailAddressBag><EmailAddressText emailAddressPurposeCategory="Main">docket@example.com</EmailAddressText>
    </EmailAddressBag></Contact></NationalCorrespondent>
  <RecordAttorney><Contact><Name><PersonName><PersonFullName>Ada Penn</PersonFullName></PersonName></Name></Contact>
    <DocketText>Q-1</DocketText><CommentText sequenceNumber="1">Attorney of Record</CommentText></RecordAttorney>
  <StaffBag/><MarkEventBag>${event(2, '2025-04-14', 'NA85E', 'NOTICE OF ACCEPTANCE')}
    ${event(1, '2008-05-23', 'NWAPI', 'NEW APPLICATION ENTERED')}</MarkEventBag>
  <AssignmentBag><Assignment><AssignmentIdentifier>41910001</AssignmentIdentifier>
    <AssignmentConveyanceCategory>CHANGE OF NAME</AssignmentConveyanceCategory>
    <AssignmentRecordedDate>2010-04-23</AssignmentRecordedDate><Assignor><LegalEntityName>COOPERATIVE</LegalEntityName>
    </Assignor></Assignment><NationalAssignmentTotalQuantity>1</NationalAssignmentTotalQuantity></AssignmentBag>
  <LegalProceedingsBag><LegalProceedings><OppositionProceedingBag><OppositionIdentifier>91000001</OppositionIdentifier>
    <OppositionDate>2009-10-01</OppositionDate><ProceedingStatus>
    <NationalStatusExternalDescriptionText>Terminated</NationalStatusExternalDescriptionText></ProceedingStatus>
    <Plaintiff><AssociatedMarkBag><AssociatedMark><NationalRegistrationNumber>5550001</NationalRegistrationNumber>
    </AssociatedMark></AssociatedMarkBag></Plaintiff></OppositionProceedingBag></LegalProceedings></LegalProceedingsBag>
  <NationalTrademarkInformation><RegisterCategory>Primary</RegisterCategory>
    <MarkCurrentStatusExternalDescriptionText>Renewed.</MarkCurrentStatusExternalDescriptionText>
    <RenewalDate>2019-12-01</RenewalDate><NationalCaseLocation><CurrentLocationText>FILES</CurrentLocationText>
    <CurrentLocationDate>2025-04-15-04:00</CurrentLocationDate></NationalCaseLocation></NationalTrademarkInformation>
  <NationalFilingBasis><CurrentBasis>
    <BasisInternationalRegistrationIndicator>false</BasisInternationalRegistrationIndicator></CurrentBasis>
  </NationalFilingBasis>`,
});

export interface AnswerParts {
  /** Children of `TradeMark` other than number and status, as XML. */
  body?: string;
  /** Elements outside the mark: after it, and before it. */
  beside?: string;
  before?: string;
  status?: string;
  statusDate?: string;
}

export function writeSt66Answer({
  body = '',
  beside = '',
  before = '',
  status = '630',
  statusDate = '',
}: AnswerParts = {}): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Transaction
  xmlns:ns2="urn:us:gov:doc:uspto:trademark:status" xmlns="http://www.wipo.int/standards/XMLSchema/trademarks">
<TradeMarkTransactionBody><TransactionContentDetails><TransactionCode>National Trademark Information</TransactionCode>
<TransactionData>${before}<TradeMarkDetails><TradeMark><RegistrationOfficeCode>US</RegistrationOfficeCode>
<ApplicationNumber>97000001</ApplicationNumber><MarkCurrentStatusCode>${status}</MarkCurrentStatusCode>${statusDate}
${body}</TradeMark></TradeMarkDetails>${beside}</TransactionData></TransactionContentDetails>
</TradeMarkTransactionBody></Transaction>`;
}

const names = (...lines: string[]): string =>
  `<Name><FreeFormatName><FreeFormatNameDetails>${lines
    .map((line) => `<FreeFormatNameLine>${line}</FreeFormatNameLine>`)
    .join('')}</FreeFormatNameDetails></FreeFormatName></Name>`;

const applicant = (stage: string, text: string, name: string): string => `<Applicant>
  <ApplicantLegalEntity>COOPERATIVE</ApplicantLegalEntity>
  <ApplicantIncorporationCountryCode>US</ApplicantIncorporationCountryCode><ApplicantAddressBook><FormattedNameAddress>
  ${names(name)}<Address><FormattedAddress><AddressRoom>1 Mill Lane</AddressRoom><AddressCity>Quillham</AddressCity>
  <AddressState>VERMONT</AddressState><AddressPostcode>05000</AddressPostcode>
  <FormattedAddressCountryCode>US</FormattedAddressCountryCode></FormattedAddress></Address></FormattedNameAddress>
  </ApplicantAddressBook><ApplicantExt><ns2:PartyTypeCode>${stage}</ns2:PartyTypeCode>
  <ns2:PartyTypeDescriptionText>${text}</ns2:PartyTypeDescriptionText>
  <ns2:ApplicantLegalEntityCode>99</ns2:ApplicantLegalEntityCode>
  <ns2:IncorporationGeographicRegionCode>VT</ns2:IncorporationGeographicRegionCode></ApplicantExt></Applicant>`;

const history = (number: number, date: string, code: string, text: string): string => `<MarkEvent>
  <MarkEventDate>${date}</MarkEventDate><MarkEventCode>${code}</MarkEventCode>
  <Comment>National prosecution history entry</Comment><MarkEventExt>
  <ns2:MarkEventInternalDescriptionText>${text}</ns2:MarkEventInternalDescriptionText>
  <ns2:MarkEventEntryNumber>${number}</ns2:MarkEventEntryNumber>
  <ns2:MarkEventProceedingNumber>7${number}</ns2:MarkEventProceedingNumber></MarkEventExt></MarkEvent>`;

const representative = (comment: string, lines: string, more = ''): string => `<RepresentativeDetails><Representative>
  <Comment>${comment}</Comment><RepresentativeAddressBook><FormattedNameAddress>${lines}</FormattedNameAddress>${more}
  </RepresentativeAddressBook></Representative></RepresentativeDetails>`;

const EMAIL = '<ContactInformationDetails><Email>docket@example.com</Email></ContactInformationDetails>';

/** The case of `FULL_CASE` in ST.66, as far as ST.66 can state it. */
export const FULL_ST66_CASE = writeSt66Answer({
  status: '800',
  statusDate: '<MarkCurrentStatusDate>2025-04-14-04:00</MarkCurrentStatusDate>',
  body: `<ApplicationDate>2008-05-19-04:00</ApplicationDate><RegistrationNumber>0717416</RegistrationNumber>
  <RegistrationDate>2009-12-01-05:00</RegistrationDate><FilingPlace>US</FilingPlace>
  <KindMark>Trademark, Service Mark</KindMark><MarkFeature>AN ILLUSTRATION DRAWING</MarkFeature>
  <MarkDescriptionDetails><MarkDescription>A fern that writes.</MarkDescription></MarkDescriptionDetails>
  <MarkDisclaimerDetails><MarkDisclaimer>"QUILL"</MarkDisclaimer></MarkDisclaimerDetails>
  <WordMarkSpecification><MarkVerbalElementText>QUILLFERN</MarkVerbalElementText>
    <MarkTranslation>The wording means a fern.</MarkTranslation>
    <MarkStandardCharacterIndicator>false</MarkStandardCharacterIndicator></WordMarkSpecification>
  <MarkImageDetails><MarkImage><MarkImageColourClaimedText>Green is claimed.</MarkImageColourClaimedText>
    <MarkImageCategory><CategoryCodeDetailsExt><ns2:DesignSearchDetails>
    <ns2:DesignSearchCode>05.03.25</ns2:DesignSearchCode>
    <ns2:DesignSearchDescriptionText>Ferns</ns2:DesignSearchDescriptionText></ns2:DesignSearchDetails>
    </CategoryCodeDetailsExt></MarkImageCategory></MarkImage></MarkImageDetails>
  <GoodsServicesDetails><GoodsServices><ClassDescriptionDetails><ClassDescription><ClassNumber>016</ClassNumber>
    <ClassNumberStatusCode>6</ClassNumberStatusCode><GoodsServicesDescription>Quill pens</GoodsServicesDescription>
    <ClassDescriptionExt><ns2:PrimeClassText>016</ns2:PrimeClassText>
    <ns2:DomesticClassNumbers>037</ns2:DomesticClassNumbers>
    <ns2:ClassNumberStatusDescriptionText>ACTIVE</ns2:ClassNumberStatusDescriptionText><ns2:FilingBasisDetails>
    <ns2:BasisCurrently><ns2:BasisUseIndicator>true</ns2:BasisUseIndicator></ns2:BasisCurrently>
    <ns2:FirstUseDateNumber>19960100</ns2:FirstUseDateNumber>
    <ns2:FirstUseInCommerceDate>20090418</ns2:FirstUseInCommerceDate></ns2:FilingBasisDetails></ClassDescriptionExt>
    </ClassDescription></ClassDescriptionDetails></GoodsServices></GoodsServicesDetails>
  <PriorityDetails><Priority><PriorityCountryCode>DE</PriorityCountryCode>
    <PriorityNumber>30 2008 000 111</PriorityNumber><PriorityDate>2008-01-15-05:00</PriorityDate></Priority>
  </PriorityDetails>
  <PublicationDetails><Publication><PublicationIdentifier>Gazette</PublicationIdentifier>
    <PublicationDate>2009-09-15-04:00</PublicationDate><PublicationExt/></Publication></PublicationDetails>
  ${representative('Attorney of Record', names('Ada Penn'))}
  ${representative('Domestic Correspondent', names('Ada Penn', 'Penn and Inkwell'), EMAIL)}
  <StaffDetails/><MarkEventDetails>${history(2, '2025-04-14-04:00', 'NA85', 'NOTICE OF ACCEPTANCE')}
    ${history(1, '2008-05-23-04:00', 'NWAP', 'NEW APPLICATION ENTERED')}</MarkEventDetails>
  <TradeMarkExt>
    <ns2:MarkCurrentStatusExternalDescriptionText>Renewed.</ns2:MarkCurrentStatusExternalDescriptionText>
    <ns2:RegisterCategory>Principal</ns2:RegisterCategory><ns2:OfficeDetails>
    <ns2:CurrentLocationText>FILES</ns2:CurrentLocationText>
    <ns2:CurrentLocationDate>2025-04-15-04:00</ns2:CurrentLocationDate></ns2:OfficeDetails><ns2:AdditionalMarkDetails>
    <ns2:RenewalDate>2019-12-01-05:00</ns2:RenewalDate></ns2:AdditionalMarkDetails>
    <ns2:MarkFeatureCode>3</ns2:MarkFeatureCode><ns2:RelatedMarkDetails>
    <ns2:InternationalApplicationNumber>A0001234</ns2:InternationalApplicationNumber>
    <ns2:InternationalRegistrationNumber>0903111</ns2:InternationalRegistrationNumber></ns2:RelatedMarkDetails>
  </TradeMarkExt>
  <AssignmentBagExt><ns2:Assignment><ns2:AssignmentIdentifier>41910001</ns2:AssignmentIdentifier>
    <ns2:AssignmentConveyanceCategory>CHANGE OF NAME</ns2:AssignmentConveyanceCategory>
    <ns2:AssignmentRecordedDate>2010-04-23-04:00</ns2:AssignmentRecordedDate></ns2:Assignment></AssignmentBagExt>`,
  beside: `<ApplicantDetails>${applicant('30', 'ORIGINAL REGISTRANT', 'Quillfern Cooperative')}
    ${applicant('10', 'ORIGINAL APPLICANT', 'Quillfern Growers')}</ApplicantDetails>`,
});
