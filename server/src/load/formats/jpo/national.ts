/** A national application or registration, from the rows of its group. */
import type { RecordContent } from '@tmds/contract/record';
import { listOrNull } from '../codes.ts';
import { NOT_STATED } from '../not-stated.ts';
import { stated } from '../payload.ts';
import type { RecordItem } from '../xml-records.ts';
import { buildRightDocument } from './document.ts';
import { buildUid, listCells, readNames, readViennaCodes } from './fields.ts';
import {
  findScheme,
  listFeatureCells,
  listKindCells,
  type MainRows,
  readDates,
  readFeature,
  readKind,
  readNiceClasses,
  readStatus,
} from './national-fields.ts';
import { collectParties, listApplicationParties, namedParty } from './parties.ts';
import { cell, findDescribing, listRows, nameCells, type Rows } from './values.ts';

export interface MarkIdentity {
  number: string;
  suffix: string;
  register: string;
}

/** Null when no row of the group describes a mark. */
export function deriveNational(rows: Rows, identity: MarkIdentity): RecordItem | null {
  const main: MainRows = {
    application: findDescribing(rows, 'jiken_c_t'),
    basic: findDescribing(rows, 't_basic_item_art'),
    management: findDescribing(rows, 'mgt_info_t'),
    defensive: findDescribing(rows, 'sec_art'),
  };
  if (Object.values(main).every((row) => row === undefined)) return null;
  const registration = readRegistration(main, identity);
  const status = readStatus(rows, main, registration);
  const names = readNames(rows, null);
  const parties = collectParties(
    [
      ...listRows(rows, 'right_person_art_t').map((row) =>
        namedParty(row, 'owner', {
          name: 'right_person_name',
          address: 'right_person_addr',
          code: 'right_person_appl_id',
        }),
      ),
      ...listApplicationParties(rows, '1'),
    ],
    [
      ...listApplicationParties(rows, '2'),
      ...listRows(rows, 'atty_art_t').map((row) =>
        namedParty(row, 'attorney', { name: 'atty_name', code: 'atty_appl_id' }),
      ),
    ],
  );
  const international = listCells(rows, 't_basic_item_art', 'intl_reg_num');
  const dates = readDates(rows, main, status.status);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: identity.register,
    uid: identity.suffix === '' ? buildUid(identity.number) : `${buildUid(identity.number)}-${identity.suffix}`,
    office: 'JP',
    application_number: identity.number,
    registration_number: registration,
    mark_name: names.name,
    ...status,
    kind_of_mark: readKind(main),
    mark_feature: readFeature(rows, main),
    ...dates,
    nice_classes: readNiceClasses(rows, main, dates.application_date),
    vienna_codes: readViennaCodes(rows),
    owner_names: parties.owner_names,
    representative_names: parties.representative_names,
    international_registration_numbers: listOrNull(international),
    priority_numbers: listOrNull(listCells(rows, 'jiken_c_t_yusenken_joho', 'yusenkenshutugan_no')),
  };
  const payload = buildRightDocument(rows, {
    parties: parties.parties,
    texts: names.texts,
    words: {
      status_code: cell(main.basic, 'final_dspst_cd') ?? cell(main.application, 'saishushobun_shubetu'),
      status_text: content.tm5_status,
      kind_code: nameCells(...listKindCells(main)),
      kind_text: null,
      feature_code: nameCells(...listFeatureCells(main)),
      feature_text: null,
    },
    scheme: findScheme(main, dates.application_date),
    international: stated({ number: international[0] }),
  });
  return {
    record: {
      ...content,
      mark_name_variants: names.variants,
      payload,
      source_version: null,
      is_removal: Object.values(main).every((row) => row?.removed !== false),
    },
    issues: rows.issues,
  };
}

/** With the number of a divided or defensive right appended. */
function readRegistration(
  { application, basic, management, defensive }: MainRows,
  identity: MarkIdentity,
): string | null {
  const numbers: [string | null, ...(string | null)[]][] = [
    [cell(defensive, 'reg_num'), cell(defensive, 'sec_num')],
    [cell(management, 'reg_num'), cell(management, 'split_num')],
    identity.suffix === ''
      ? [cell(application, 'raz_toroku_no'), cell(application, 'bogo_no'), cell(application, 'raz_bunkatu_no')]
      : [null],
    [cell(basic, 'reg_num'), cell(basic, 'sec_num'), cell(basic, 'split_num')],
  ];
  const [number, ...places] = numbers.find(([first]) => first !== null) ?? [null];
  const place = places.find((each) => each !== null);
  return number === null || place === undefined ? number : `${number}-${place}`;
}
