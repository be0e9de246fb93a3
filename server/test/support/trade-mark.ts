/** Writes ST.66 files for tests: EUIPO files unless another office is named. */

export interface MarkParts {
  operation?: string;
  office?: string;
  number?: string;
  /** Children of the mark, as XML. */
  body?: string;
  status?: string;
  /** Elements next to the mark in its transaction, as XML. */
  beside?: string;
}

export function writeMark(parts: MarkParts = {}): string {
  const { operation = 'Insert', office = 'EM', number = '018000001', body = '', status } = parts;
  const code = status ?? '<MarkCurrentStatusCode milestone="2" status="1">Application filed</MarkCurrentStatusCode>';
  return `<TradeMark operationCode="${operation}"><RegistrationOfficeCode>${office}</RegistrationOfficeCode>
    <ApplicationNumber>${number}</ApplicationNumber>${code}${body}</TradeMark>`;
}

export function writeTransaction(parts: MarkParts = {}, producedAt = '2026-01-02T03:04:05'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Transaction xmlns="http://euipo.europa.eu/trademark/data" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="urn:x y.xsd">
<TransactionHeader><SenderDetails><RequestProducerDateTime>${producedAt}</RequestProducerDateTime></SenderDetails>
</TransactionHeader><TradeMarkTransactionBody><TransactionContentDetails>
<TransactionIdentifier>1</TransactionIdentifier><TransactionCode>EM-Trade Mark</TransactionCode>
<TransactionData><TradeMarkDetails>${writeMark(parts)}</TradeMarkDetails>${parts.beside ?? ''}</TransactionData>
</TransactionContentDetails></TradeMarkTransactionBody></Transaction>`;
}
