/** What a column of a docket may hold, with the words that a page or a message has for it. */
export const DOCKET_FIELDS = {
  register: 'Register',
  application_number: 'Application number',
  registration_number: 'Registration number',
  number: 'Number of either kind',
  reference: 'Your reference',
  mark_name: 'Mark',
  status: 'Status',
  owner: 'Owner',
  classes: 'Nice classes',
  application_date: 'Application date',
  registration_date: 'Registration date',
  next_renewal: 'Next renewal',
  renewal_date: 'Last renewal',
  expiry_date: 'Expiry',
} as const;
export type DocketField = keyof typeof DOCKET_FIELDS;

/** The position of the column that holds each field. */
export type Mapping = Readonly<Partial<Record<DocketField, number>>>;

export const NUMBER_COLUMNS = ['application_number', 'registration_number', 'number'] as const;
export const DATE_COLUMNS = [
  'application_date',
  'registration_date',
  'next_renewal',
  'renewal_date',
  'expiry_date',
] as const;
