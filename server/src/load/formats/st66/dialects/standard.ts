/** The values of the standard itself, shared by the offices that write English. */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import type { StatusMeaning } from '../dialect.ts';

export const STANDARD_STATUSES: Readonly<Record<string, StatusMeaning>> = {
  // A registration under attack stays a registration until it falls.
  registered: 'Registered',
  'registration cancellation pending': 'Registered',
  'registration opposed': 'Registered',
  'revocation proceeding pending': 'Registered',
  'invalidity proceeding pending': 'Registered',
  'application filed': 'Pending',
  'application under examination': 'Pending',
  'application published': 'Pending',
  'application opposed': 'Pending',
  'application accepted': 'Pending',
  'appeal pending': 'Pending',
  'registration pending': 'Pending',
  'filing date accorded': 'Pending',
  'classification checked': 'Pending',
  'action before court pending': 'Pending',
  'action before court of justice pending': 'Pending',
  'application withdrawn': 'Abandoned',
  'application deemed withdrawn': 'Abandoned',
  'application refused': 'Abandoned',
  'conversion requested': 'Abandoned',
  interruption: 'Abandoned',
  'interruption of proceeding': 'Abandoned',
  'interruption of proceedings': 'Abandoned',
  'registration cancelled': 'Cancelled',
  'registration surrendered': 'Cancelled',
  'registration expired': 'Cancelled',
  expired: 'Cancelled',
  ended: 'ended',
};

export const STANDARD_KINDS: Readonly<Record<string, KindOfMark>> = {
  individual: 'Individual',
  collective: 'Collective',
  certificate: 'Certificate',
  guarantee: 'Guarantee',
  defensive: 'Defensive',
  other: 'Other',
};

export const STANDARD_FEATURES: Readonly<Record<string, MarkFeature>> = {
  word: 'Word',
  figurative: 'Figurative',
  combined: 'Combined',
  '3-d': 'Three-dimensional',
  '3d shape': 'Three-dimensional',
  'three dimensional': 'Three-dimensional',
  'three-dimensional': 'Three-dimensional',
  colour: 'Colour',
  sound: 'Sound',
  hologram: 'Hologram',
  olfactory: 'Olfactory',
  motion: 'Motion',
  multimedia: 'Multimedia',
  position: 'Position',
  pattern: 'Pattern',
  'stylized characters': 'Stylized characters',
  taste: 'Taste',
  touch: 'Touch',
  tracer: 'Other',
  kennfaden: 'Other',
  other: 'Other',
  undefined: 'Undefined',
};

export const STANDARD_COUNTRY_PATHS: readonly string[] = [
  'AddressCountryCode',
  'FormattedAddress/FormattedAddressCountryCode',
  'FormattedAddress/AddressCountryCode',
];
