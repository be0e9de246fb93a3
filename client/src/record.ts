/** Written by `npm run docs` from the contract's table of fields; not to be edited. */
import type * as contract from '@tmds/contract/record';

/** One record as delivered (specification 2.2). Every key is present; `payload` only with `expand: 'payload'`. */
export interface TrademarkDetail {
  /** Register the record comes from. */
  jurisdiction_code: contract.TrademarkDetail['jurisdiction_code'];
  /** Opaque identity, unique within the register. */
  uid: contract.TrademarkDetail['uid'];
  /** Registering office as the source states it. Null where the register is silent. */
  office: contract.TrademarkDetail['office'];
  /** Office number; null when not assigned. Null where the register is silent. */
  application_number: contract.TrademarkDetail['application_number'];
  /** Office number; null when not assigned. Null where the register is silent. */
  registration_number: contract.TrademarkDetail['registration_number'];
  /** Mark text as filed. Null where the register is silent. */
  mark_name: contract.TrademarkDetail['mark_name'];
  /** Normalized status. */
  status: contract.TrademarkDetail['status'];
  /** The office's own status text. Null where the register is silent. */
  tm5_status: contract.TrademarkDetail['tm5_status'];
  /** Normalized kind of mark. Null where the register is silent. */
  kind_of_mark: contract.TrademarkDetail['kind_of_mark'];
  /** Normalized feature of the mark. Null where the register is silent. */
  mark_feature: contract.TrademarkDetail['mark_feature'];
  /** Date of filing. Null where the register is silent. */
  application_date: contract.TrademarkDetail['application_date'];
  /** Date of registration. Null where the register is silent. */
  registration_date: contract.TrademarkDetail['registration_date'];
  /** Date of publication. Null where the register is silent. */
  publication_date: contract.TrademarkDetail['publication_date'];
  /** Date on which protection ends unless renewed. Null where the register is silent. */
  expiry_date: contract.TrademarkDetail['expiry_date'];
  /** Date of the latest renewal. Null where the register is silent. */
  renewal_date: contract.TrademarkDetail['renewal_date'];
  /** Date on which the record ended. Null where the register is silent. */
  termination_date: contract.TrademarkDetail['termination_date'];
  /** Last day of the opposition period. Null where the register is silent. */
  opposition_period_end: contract.TrademarkDetail['opposition_period_end'];
  /** When the office last changed the status. Null where the register is silent. */
  status_date: contract.TrademarkDetail['status_date'];
  /** The office's own timestamp of the record. Null where the register is silent. */
  external_update_date: contract.TrademarkDetail['external_update_date'];
  /** Nice classes, ascending. Null where the register is silent. */
  nice_classes: contract.TrademarkDetail['nice_classes'];
  /** Vienna figurative-element codes, such as 26.03.01. Null where the register is silent. */
  vienna_codes: contract.TrademarkDetail['vienna_codes'];
  /** Applicant, owner and holder names, lower-cased. Null where the register is silent. */
  owner_names: contract.TrademarkDetail['owner_names'];
  /** Codes of the proprietors' countries. Null where the register is silent. */
  owner_countries: contract.TrademarkDetail['owner_countries'];
  /** Representative, agent and correspondent names, lower-cased. Null where the register is silent. */
  representative_names: contract.TrademarkDetail['representative_names'];
  /** Madrid registration numbers. Null where the register is silent. */
  international_registration_numbers: contract.TrademarkDetail['international_registration_numbers'];
  /** Priority claim numbers. Null where the register is silent. */
  priority_numbers: contract.TrademarkDetail['priority_numbers'];
  /** Madrid designated country codes. Null where the register is silent. */
  designated_countries: contract.TrademarkDetail['designated_countries'];
  /** Batch date of the service; not for syncing. */
  record_update_date: contract.TrademarkDetail['record_update_date'];
  /** When the service first ingested the record. */
  first_seen_at: contract.TrademarkDetail['first_seen_at'];
  /** When the content last changed; the key of the change feed. */
  updated_at: contract.TrademarkDetail['updated_at'];
  /** The full normalized document; `{}` where the source states none. */
  payload?: contract.Payload;
}
