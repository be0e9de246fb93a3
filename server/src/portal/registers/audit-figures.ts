/** Figures of docs/audit.md by register. `scripts/audit.ts` writes this file; a test compares it with the real files. */

export interface AuditFigures {
  /** Different real records compared with their source by a test. */
  readonly compared: number;
  /** Values compared, by a test or by hand. */
  readonly values: number;
  readonly differences: number;
  /** Records of which every field was read off the source by hand. */
  readonly byHand: number;
}

export const AUDIT_FIGURES: Readonly<Record<string, AuditFigures>> = {
  BR: { compared: 7, values: 68, differences: 0, byHand: 3 },
  CA: { compared: 1, values: 10, differences: 0, byHand: 0 },
  CH: { compared: 0, values: 0, differences: 0, byHand: 0 },
  DE: { compared: 1, values: 27, differences: 0, byHand: 1 },
  EM: { compared: 587, values: 4881, differences: 0, byHand: 8 },
  FR: { compared: 1, values: 18, differences: 0, byHand: 1 },
  GB: { compared: 1, values: 24, differences: 0, byHand: 1 },
  JP: { compared: 0, values: 85, differences: 0, byHand: 8 },
  KR: { compared: 517, values: 4122, differences: 0, byHand: 3 },
  RO: { compared: 1, values: 28, differences: 0, byHand: 1 },
  SE: { compared: 1, values: 21, differences: 0, byHand: 1 },
  TW: { compared: 2460, values: 19589, differences: 0, byHand: 5 },
  US: { compared: 22, values: 579, differences: 0, byHand: 14 },
  WO: { compared: 1, values: 12, differences: 0, byHand: 1 },
};
