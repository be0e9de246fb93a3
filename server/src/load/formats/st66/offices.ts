/** The offices whose ST.66 files are read. */
import type { St66Dialect } from './dialect.ts';
import { DPMA_DIALECT } from './dialects/de.ts';
import { EUIPO_DIALECT } from './dialects/em.ts';
import { INPI_FR_DIALECT } from './dialects/fr.ts';
import { UKIPO_DIALECT } from './dialects/gb.ts';
import { OSIM_DIALECT } from './dialects/ro.ts';
import { PRV_DIALECT } from './dialects/se.ts';
import { WIPO_DIALECT } from './dialects/wo.ts';

export const ST66_OFFICES: readonly St66Dialect[] = [
  EUIPO_DIALECT,
  UKIPO_DIALECT,
  PRV_DIALECT,
  DPMA_DIALECT,
  INPI_FR_DIALECT,
  OSIM_DIALECT,
  WIPO_DIALECT,
];
