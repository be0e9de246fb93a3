/** Invented marks with the elements that each office adds to the standard. */

const name = (text: string): string => `<Name><FreeFormatName><FreeFormatNameDetails>
  <FreeFormatNameLine>${text}</FreeFormatNameLine></FreeFormatNameDetails></FreeFormatName></Name>`;

/** In the shape of DE-TM-Register 1.1. */
export const GERMAN_RECORD = `<?xml version="1.0" encoding="UTF-8"?>
<Transaction xmlns="http://www.wipo.int/standards/XMLSchema/trademarks"
  xmlns:de="http://register.dpma.de/standards/XMLSchema/DE-TM-RegisterExt">
<TradeMarkTransactionBody><TransactionContentDetails><TransactionIdentifier>1</TransactionIdentifier>
<TransactionCode>Trade Mark Information</TransactionCode><TransactionData><TradeMarkDetails><TradeMark>
  <RegistrationOfficeCode>DE</RegistrationOfficeCode>
  <ApplicationNumber>Q900001</ApplicationNumber><ApplicationDate>1971-02-03</ApplicationDate>
  <RegistrationNumber>900001</RegistrationNumber><RegistrationDate>1974-07-15</RegistrationDate>
  <ExpiryDate>2031-02-28</ExpiryDate><TerminationDate>2024-05-06</TerminationDate>
  <MarkCurrentStatusCode>Marke geloescht</MarkCurrentStatusCode>
  <InternationalMarkKey><Identifier identifierKindCode="WO">0700001</Identifier>
    <Identifier>700002A</Identifier></InternationalMarkKey>
  <KindMark>Individual</KindMark><MarkFeature>Combined</MarkFeature>
  <MarkDescriptionDetails><MarkDescription languageCode="DE">Eine Quelle</MarkDescription></MarkDescriptionDetails>
  <AsItIsProtectionIndicator>true</AsItIsProtectionIndicator>
  <OppositionPeriodStartDate>1974-07-31</OppositionPeriodStartDate>
  <OppositionPeriodEndDate>1974-10-31</OppositionPeriodEndDate>
  <WordMarkSpecification><MarkVerbalElementText languageCode="DE">Quellhof</MarkVerbalElementText>
    <MarkTransliteration>Kwellhof</MarkTransliteration>
    <MarkStandardCharacterIndicator>false</MarkStandardCharacterIndicator></WordMarkSpecification>
  <MarkImageDetails><MarkImage><MarkImageFilename>q.jpg</MarkImageFilename>
    <MarkImageFileFormat>JPEG</MarkImageFileFormat><MarkImageCategory><CategoryKind>Vienna</CategoryKind>
    <CategoryCodeDetails><CategoryCode>01.15.15</CategoryCode><CategoryCode>06.03</CategoryCode>
    </CategoryCodeDetails></MarkImageCategory></MarkImage></MarkImageDetails>
  <GoodsServicesDetails><GoodsServices><ClassificationKindCode>Nice</ClassificationKindCode>
    <ClassificationVersion>9</ClassificationVersion><ProposedLeadingClassNumber>32</ProposedLeadingClassNumber>
    <ClassDescriptionDetails><ClassDescription><ClassNumber>32</ClassNumber>
    <GoodsServicesDescription languageCode="DE">Quellwasser</GoodsServicesDescription></ClassDescription>
    <ClassDescription><ClassNumber>05</ClassNumber></ClassDescription></ClassDescriptionDetails>
    <de:GoodsServicesNotClassifiedDescription languageCode="DE">Heilwasser</de:GoodsServicesNotClassifiedDescription>
    </GoodsServices></GoodsServicesDetails>
  <PriorityDetails><Priority><PriorityCountryCode>AT</PriorityCountryCode><PriorityNumber>AM 1/71</PriorityNumber>
    <PriorityDate>1971-01-02</PriorityDate></Priority></PriorityDetails>
  <SeniorityDetails><Seniority><SeniorityRegistrationNumber>000000001</SeniorityRegistrationNumber>
    <InternationalTradeMarkCode>EU</InternationalTradeMarkCode></Seniority></SeniorityDetails>
  <PublicationDetails><Publication><PublicationDate>1974-07-31</PublicationDate></Publication></PublicationDetails>
  <ApplicantDetails><Applicant><ApplicantAddressBook><FormattedNameAddress>${name('Quellhof GmbH')}<Address>
    <FormattedAddress><AddressStreet>Am Bach 1</AddressStreet><AddressCity>Lübben</AddressCity>
    <AddressCounty>DE</AddressCounty><AddressPostcode>01234</AddressPostcode></FormattedAddress></Address>
    </FormattedNameAddress></ApplicantAddressBook></Applicant>
    <Applicant><ApplicantAddressBook><FreeFormatAddressDetails>
    <FreeFormatNameAddressLine>Anna Muster</FreeFormatNameAddressLine>
    <FreeFormatNameAddressLine>Am Bach 2</FreeFormatNameAddressLine></FreeFormatAddressDetails>
    </ApplicantAddressBook></Applicant></ApplicantDetails>
  <RepresentativeDetails><Representative><RepresentativeAddressBook><FormattedNameAddress>${name('Rat und Tat')}
    </FormattedNameAddress></RepresentativeAddressBook></Representative></RepresentativeDetails>
  <CorrespondenceAddress><CorrespondenceAddressBook><FormattedNameAddress>${name('Poststelle')}<Address>
    <AddressCountryCode>AT</AddressCountryCode></Address></FormattedNameAddress></CorrespondenceAddressBook>
    </CorrespondenceAddress>
  <MarkRecordDetails><MarkRecord><BasicRecord><RecordIdentifier>1</RecordIdentifier>
    <BasicRecordKind>Umschreibung</BasicRecordKind><RecordCurrentStatusCode>Abgeschlossen</RecordCurrentStatusCode>
    <RecordCurrentStatusDate>2003-01-16</RecordCurrentStatusDate></BasicRecord>
    <de:RecordProcedureIncomplete><de:HolderDetails><de:PreviousHolder><ApplicantAddressBook>Alter Hof KG
    </ApplicantAddressBook></de:PreviousHolder></de:HolderDetails></de:RecordProcedureIncomplete></MarkRecord>
    </MarkRecordDetails>
  <de:FileNumber>900001</de:FileNumber><de:MarkFeatureDPMA>Wort-Bildmarke</de:MarkFeatureDPMA>
  <de:ApplicationPublicationDate>1973-05-15</de:ApplicationPublicationDate>
</TradeMark></TradeMarkDetails></TransactionData></TransactionContentDetails></TradeMarkTransactionBody></Transaction>`;

const party = (prefix: string, firm: string): string => `<${prefix} PersonType="PM">
  <${prefix}Identifier identifierKindCode="FR">1${prefix.length}</${prefix}Identifier>
  <${prefix}SequenceNumber>1</${prefix}SequenceNumber><${prefix}LegalEntity>Société</${prefix}LegalEntity>
  <${prefix}AddressBook><FormattedNameAddress><Name><FormattedName><OrganizationName>${firm}</OrganizationName>
  </FormattedName></Name><Address><AddressCountryCode>FR</AddressCountryCode><FormattedAddress>
  <AddressStreet>1 rue du Puits</AddressStreet><AddressCity>Lunel</AddressCity>
  <AddressPostcode>34400</AddressPostcode></FormattedAddress></Address></FormattedNameAddress></${prefix}AddressBook>
  </${prefix}>`;

/** In the shape of an INPI notice. */
export const FRENCH_NOTICE = `<?xml version="1.0" encoding="UTF-8"?>
<TradeMark operationCode="Update" fr-TransactionDetails="Renewal" PublicationIdentifier="202601"
  PublicationDate="2026-01-02">
  <RegistrationOfficeCode>FR</RegistrationOfficeCode><ApplicationNumber>5000001</ApplicationNumber>
  <ApplicationDate>2015-10-15</ApplicationDate><MarkCurrentStatusCode>Marque renouvelée</MarkCurrentStatusCode>
  <MarkFeature>Word</MarkFeature>
  <WordMarkSpecification><MarkVerbalElementText>L&amp;apos;ÉTÉ</MarkVerbalElementText></WordMarkSpecification>
  <GoodsServicesDetails><GoodsServices><ClassificationKindCode>Nice</ClassificationKindCode>
    <ClassificationVersion>12</ClassificationVersion><ClassDescriptionDetails>
    <ClassDescription><ClassNumber>20</ClassNumber><GoodsServicesDescription>Bancs</GoodsServicesDescription>
    </ClassDescription></ClassDescriptionDetails></GoodsServices></GoodsServicesDetails>
  <ApplicantDetails>${party('Applicant', 'Ancien &amp;amp; Fils')}</ApplicantDetails>
  <RepresentativeDetails><Representative PersonType="PP"><RepresentativeAddressBook><FormattedNameAddress><Name>
    <FormattedName><FirstName>Anne</FirstName><LastName>Modèle</LastName><OrganizationName>Conseil</OrganizationName>
    </FormattedName></Name></FormattedNameAddress></RepresentativeAddressBook></Representative></RepresentativeDetails>
  <fr-CurrentHolderDetails>${party('fr-CurrentHolder', 'Nouvelle Fille')}</fr-CurrentHolderDetails>
</TradeMark>`;

/** In the shape of EM-TM-TradeMark V3-4, which the offices of TMview share: parties by key, proceedings next to it. */
export const EUROPEAN_RECORD = `<?xml version="1.0" encoding="UTF-8"?>
<Transaction xmlns="http://euipo.europa.eu/trademark/data"><TransactionHeader><SenderDetails>
<RequestProducerDateTime>2026-01-02T03:04:05</RequestProducerDateTime></SenderDetails></TransactionHeader>
<TradeMarkTransactionBody><TransactionContentDetails><TransactionIdentifier>1</TransactionIdentifier>
<TransactionCode>EM-Trade Mark</TransactionCode><TransactionData><TradeMarkDetails>
<TradeMark operationCode="Insert"><RegistrationOfficeCode>EM</RegistrationOfficeCode>
  <ApplicationNumber>018000001</ApplicationNumber><ApplicationDate>2025-02-03</ApplicationDate>
  <RegistrationNumber>R 1</RegistrationNumber><RegistrationDate>2025-08-09</RegistrationDate>
  <ApplicationReference>REF-1</ApplicationReference><ApplicationLanguageCode>en</ApplicationLanguageCode>
  <SecondLanguageCode>fi</SecondLanguageCode><ExpiryDate>2035-02-03</ExpiryDate>
  <MarkCurrentStatusCode milestone="12" status="1">Registered</MarkCurrentStatusCode>
  <MarkCurrentStatusDate>2025-08-10</MarkCurrentStatusDate><KindMark>EU Collective</KindMark>
  <MarkFeature>Figurative</MarkFeature><TotalMarkSeries>2</TotalMarkSeries>
  <InternationalRegistrationNumber>1700001</InternationalRegistrationNumber>
  <DesignatedCountryDetails><DesignatedCountry><DesignatedCountryCode>CH</DesignatedCountryCode></DesignatedCountry>
    </DesignatedCountryDetails>
  <MarkDisclaimerDetails><MarkDisclaimer languageCode="en">Salmon</MarkDisclaimer></MarkDisclaimerDetails>
  <WordMarkSpecification><MarkVerbalElementText languageCode="fi">Lohi</MarkVerbalElementText>
    <MarkTranslation languageCode="en">Salmon</MarkTranslation></WordMarkSpecification>
  <MarkImageDetails><MarkImage><MarkImageIdentifier identifierKindCode="EM">0001</MarkImageIdentifier>
    <MarkImageFileFormat>JPG</MarkImageFileFormat><MarkImageURI>file://1.jpg</MarkImageURI><MarkImageCategory>
    <CategoryCodeDetails><CategoryCode>03.09.01</CategoryCode></CategoryCodeDetails></MarkImageCategory></MarkImage>
    </MarkImageDetails>
  <PriorityDetails><Priority><PriorityCountryCode>FI</PriorityCountryCode><PriorityNumber>T2024001</PriorityNumber>
    <PriorityDate>2024-09-01</PriorityDate><PriorityStatusCode>Claimed</PriorityStatusCode></Priority></PriorityDetails>
  <PublicationDetails><Publication><PublicationIdentifier>2025/040</PublicationIdentifier>
    <PublicationSection>A.1</PublicationSection><PublicationDate>2025-04-01</PublicationDate>
    <PublicationPage>7</PublicationPage></Publication><Publication>
    <PublicationSection>B.1</PublicationSection><PublicationDate>2025-08-11</PublicationDate></Publication>
    </PublicationDetails>
  <ApplicantDetails><ApplicantKey><Identifier>11</Identifier><URI>urn:x:11</URI></ApplicantKey></ApplicantDetails>
  <RepresentativeDetails><RepresentativeKey><Identifier>12</Identifier></RepresentativeKey></RepresentativeDetails>
  <OppositionDetails><Opposition><OppositionIdentifier>003000001</OppositionIdentifier>
    <OppositionDate>2025-07-01</OppositionDate><OppositionGroundText>Likelihood</OppositionGroundText>
    <EarlierMarkDetails><EarlierMark><ApplicationNumber>9</ApplicationNumber></EarlierMark></EarlierMarkDetails>
    </Opposition></OppositionDetails>
</TradeMark></TradeMarkDetails></TransactionData></TransactionContentDetails></TradeMarkTransactionBody></Transaction>`;
