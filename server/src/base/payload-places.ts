/** Where the documents of records are held (docs/design/payloads.md). */
export const PAYLOAD_PLACES = ['database', 'compressed', 's3'] as const;

/** `database`: as text; `compressed`: packed beside the text's column; `s3`: packed in a store of objects. */
export type PayloadPlace = (typeof PAYLOAD_PLACES)[number];
