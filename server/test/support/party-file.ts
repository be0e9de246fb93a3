/** Writes files of applicants and representatives in ST.66, and the keys by which marks name them. */

export interface PartyParts {
  key: string;
  /** None states no name at all. */
  name?: string | null;
  country?: string | null;
  operation?: string;
  /** Further children of the party, as XML. */
  body?: string;
}

export type PartyElement = 'Applicant' | 'Representative';

export function writeParty(element: PartyElement, parts: PartyParts): string {
  const { key, name = 'Nordwind GmbH', country = 'DE', operation = 'Insert', body = '' } = parts;
  const named =
    name === null ? '' : `<Name><FormattedName><OrganizationName>${name}</OrganizationName></FormattedName></Name>`;
  const address = country === null ? '' : `<Address><AddressCountryCode>${country}</AddressCountryCode></Address>`;
  const book =
    named + address === ''
      ? ''
      : `<${element}AddressBook><FormattedNameAddress>${named}${address}</FormattedNameAddress></${element}AddressBook>`;
  return `<${element} operationCode="${operation}"><${element}Identifier>${key}</${element}Identifier>${body}${book}
    </${element}>`;
}

export interface PartyFileParts {
  applicants?: readonly PartyParts[];
  representatives?: readonly PartyParts[];
  producedAt?: string;
  namespace?: string;
  code?: string;
}

export function writePartyFile(parts: PartyFileParts): string {
  const { applicants = [], representatives = [], producedAt = '2026-01-02T03:04:05' } = parts;
  const { namespace = 'http://euipo.europa.eu/trademark/data', code = 'EM-Applicant' } = parts;
  const write = (element: PartyElement, parties: readonly PartyParts[]): string =>
    parties.length === 0
      ? ''
      : `<${element}Details>${parties.map((party) => writeParty(element, party)).join('')}</${element}Details>`;
  return `<?xml version="1.0" encoding="UTF-8"?><Transaction xmlns="${namespace}">
<TransactionHeader><SenderDetails><RequestProducerDateTime>${producedAt}</RequestProducerDateTime></SenderDetails>
</TransactionHeader><TradeMarkTransactionBody><TransactionContentDetails>
<TransactionIdentifier>1</TransactionIdentifier><TransactionCode>${code}</TransactionCode><TransactionData>
${write('Applicant', applicants)}${write('Representative', representatives)}
</TransactionData></TransactionContentDetails></TradeMarkTransactionBody></Transaction>`;
}

/** The children of a mark that names its parties by key alone. */
export function writeKeys({ applicants = [], representatives = [] }: Record<string, readonly string[]>): string {
  const write = (element: PartyElement, keys: readonly string[]): string =>
    keys.length === 0
      ? ''
      : `<${element}Details>${keys
          .map((key) => `<${element}Key><Identifier>${key}</Identifier></${element}Key>`)
          .join('')}</${element}Details>`;
  return write('Applicant', applicants) + write('Representative', representatives);
}
