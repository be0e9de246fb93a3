/** Where the documents of records are held (docs/design/payloads.md). */
export const PAYLOAD_PLACES = ['database', 'compressed', 's3'] as const;

/** `database`: as text; `compressed`: packed, in a column next to the text's; `s3`: packed in a store of objects. */
export type PayloadPlace = (typeof PAYLOAD_PLACES)[number];
