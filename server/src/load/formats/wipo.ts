/**
 * WIPO's own lists of statuses and features, in the wordings of ST.66 and ST.96 and of their editions. The offices that
 * write English use and extend them. Texts are folded (`foldValue`). Kinds are not here: the two standards state them in
 * different ways.
 */
import type { MarkFeature, Status } from '@tmds/contract/enums';

/** `ended`: cancelled if the mark was registered, otherwise abandoned. */
export const WIPO_STATUSES: Readonly<Record<string, Status | 'ended'>> = {
  registered: 'Registered',
  'registration published': 'Registered',
  // A registration under attack stays a registration until it falls.
  'registration cancellation pending': 'Registered',
  'registration opposed': 'Registered',
  'revocation proceeding pending': 'Registered',
  'invalidity proceeding pending': 'Registered',
  'application filed': 'Pending',
  'application under examination': 'Pending',
  'application published': 'Pending',
  'application opposed': 'Pending',
  'application accepted': 'Pending',
  'opposition pending': 'Pending',
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

export const WIPO_FEATURES: Readonly<Record<string, MarkFeature>> = {
  word: 'Word',
  figurative: 'Figurative',
  combined: 'Combined',
  '3-d': 'Three-dimensional',
  '3d shape': 'Three-dimensional',
  'three dimensional': 'Three-dimensional',
  'three-dimensional': 'Three-dimensional',
  colour: 'Colour',
  'combination of colours': 'Combination of colours',
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
