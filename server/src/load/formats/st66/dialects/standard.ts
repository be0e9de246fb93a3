/** The values of the standard itself, shared by the offices that write English. */
import type { KindOfMark } from '@tmds/contract/enums';

export const STANDARD_KINDS: Readonly<Record<string, KindOfMark>> = {
  individual: 'Individual',
  collective: 'Collective',
  certificate: 'Certificate',
  guarantee: 'Guarantee',
  defensive: 'Defensive',
  other: 'Other',
};

export const STANDARD_COUNTRY_PATHS: readonly string[] = [
  'AddressCountryCode',
  'FormattedAddress/FormattedAddressCountryCode',
  'FormattedAddress/AddressCountryCode',
];
