/** An invented document with every part, as the example of each part's schema. */
import type { NormalizedDocument } from '@tmds/contract/document';

const names = [{ text: 'Lumora SA', kind: 'organization', language: 'fr' } as const];

export const DOCUMENT_EXAMPLE = {
  parties: [
    {
      role: 'owner',
      current: true,
      names,
      entity: { code: '03', text: 'Corporation' },
      nationality: { country: 'CH' },
      address: { lines: ['1 rue Haute'], city: 'Lausanne', postcode: '1003', country: 'CH' },
    },
  ],
  mark: { texts: [{ text: 'LUMORA' }], descriptions: [{ text: 'A lamp above the word', language: 'en' }] },
  goods_and_services: [
    { scheme: 'nice', edition: '12', class: '9', texts: [{ text: 'Computer software', language: 'en' }] },
  ],
  publications: [{ kind: 'Registration', identifier: '2026/07', date: '2026-02-03', page: '411' }],
  priorities: [{ number: '2023-104522', country: 'JP', date: '2023-09-21', claimed: true }],
  events: [
    {
      kind: 'record',
      number: '9001-0002',
      date: '2026-01-05',
      text: 'Assigns the entire interest',
      marks: [{ role: 'subject', number: '97123456', text: 'LUMORA' }],
      parties: [
        {
          role: 'assignee',
          names,
          execution_date: '2025-12-20',
          members: [{ name: 'Lumora Holding', entity: { text: 'Corporation' } }],
        },
      ],
    },
  ],
  images: [{ identifier: '97123456', format: 'JPEG', vienna_codes: ['26.03.01'] }],
  classification: {
    nice_version: '12-2026',
    classes: [{ international_codes: ['9'], national_codes: ['021'], first_use_date: '2024-03-01' }],
  },
  international: {
    registration: { number: '1234567', registration_date: '2024-05-02' },
    filings: [{ reference_number: 'A0012345', filing_date: '2024-04-02' }],
    designations: ['EM', 'JP'],
  },
  related_marks: [{ relationship: 'division', number: '97123457', country: 'US' }],
  statements: [{ code: 'DM', text: 'The mark consists of a lamp above the word.', language: 'en' }],
  source: { format: 'uspto-apc', status_code: '700', status_text: 'Registered' },
} satisfies NormalizedDocument;
