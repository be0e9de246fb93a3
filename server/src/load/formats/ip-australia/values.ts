/** The office's own words, as its data dictionary lists them, and what they mean here. */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import { splitWords } from '../document.ts';
import { readMeanings, type StatusMeaning } from '../meanings.ts';

/**
 * `ended`: cancelled if the mark was registered, otherwise abandoned. Words of the list that are of patents and designs
 * only (`certified`, `converted`, `granted`) are not here, and neither is the office's own `unknown`.
 */
export const STATUSES = readMeanings<StatusMeaning>({
  Pending: 'filed | published | accepted',
  // `protected`: the word for a designation by Madrid.
  Registered: 'registered | protected',
  // `linked`: merged with another mark, before or after it was registered.
  ended: `
    not_filed | lapsed | withdrawn | refused | ex_parte_refused | inter_partes_refused | linked | revoked | voided`,
  Cancelled: 'removed | ceased | cancelled | expired',
});

/** Collective before certification before defensive, where a word says several. */
export const KINDS = readMeanings<KindOfMark>({
  Trademark: 'trade_mark',
  Certificate: 'certification | certification_trade_mark | trade_mark_certification',
  Collective: `
    trade_mark_collective | certification_collective | certification_collective_trade_mark |
    trade_mark_collective_certification | collective_defensive | trade_mark_collective_defensive`,
  Defensive: 'defensive | trade_mark_defensive',
});

/** The description that holds the words of the mark. */
export const WORDS = 'trade_mark_word_mark_phrase';
/** Words by which the office indexes the image; they may name what it shows. */
export const IMAGE_WORDS = 'trade_mark_image_words';

/** The types of a mark, of which it may have several. */
const FEATURES: Readonly<Record<string, MarkFeature>> = {
  trade_mark_word: 'Word',
  trade_mark_fancy: 'Stylized characters',
  trade_mark_figurative: 'Figurative',
  trade_mark_shape: 'Three-dimensional',
  trade_mark_colour: 'Colour',
  trade_mark_sound: 'Sound',
  trade_mark_scent: 'Olfactory',
  trade_mark_movement: 'Motion',
  trade_mark_other: 'Other',
};

export function isFeature(type: string): boolean {
  return Object.hasOwn(FEATURES, type);
}

/** Null for a combination that has no name here. */
export function combineFeatures(types: readonly string[]): MarkFeature | null {
  const features = new Set(types.map((type) => FEATURES[type]));
  const [only] = features;
  if (features.size === 1 && only !== undefined) return only;
  // A shape stays one whatever is written or drawn on it.
  if (features.has('Three-dimensional')) return 'Three-dimensional';
  const hasWords = features.delete('Word');
  const isFancy = features.delete('Stylized characters');
  if (features.size === 0) return hasWords && isFancy ? 'Stylized characters' : null;
  return features.size === 1 && features.has('Figurative') ? 'Combined' : null;
}

/** Every role of the dictionary; a new one is an issue. */
export const ROLES: ReadonlySet<string> = new Set(
  splitWords(`
    agent agent_for_opposition annuity_payer applicant applicant_being_opposed application_trade_mark_non_use_removal
    application_trade_mark_non_use_removal_agent charge charge_agent claimed_interest claimed_interest_agent
    compulsory_licensee compulsory_licensee_agent exam_request_agent exam_requestor exclusive_licensee
    exclusive_licensee_agent extension_of_time_agent extension_of_time_applicant hearing_agent hearing_applicant
    ir_contact licensee licensee_agent mortgagee mortgagee_agent objector objector_agent opponent opponent_agent
    opponent_other opponent_other_agent opponent_trade_mark_non_use_removal opponent_trade_mark_non_use_removal_agent
    opposition_claimant opposition_claimant_agent opposition_respondent opposition_respondent_agent owner patentee
    re_exam_request_agent re_exam_requestor submitter third_party_informant third_party_informant_agent
    third_party_inquirer third_party_inquirer_agent
  `),
);

/** What a party does to the mark, for those that are neither its owners nor represent them. */
export const ACTIONS: Readonly<Record<string, 'record' | 'opposition' | 'cancellation'>> = {
  licensee: 'record',
  mortgagee: 'record',
  other: 'record',
  other_agent: 'record',
  opposition: 'opposition',
  opposition_agent: 'opposition',
  non_use_applicant: 'cancellation',
};
