/**
 * The parties of a mark. The register names right holders and attorneys. The application has only codes; their names
 * come in a separate feed, sometimes later. A code that was merged into another takes the name of the other.
 */
import { listTexts, nameFields } from '../parties.ts';
import { type Party, type PartyName, type PartyRole, stated } from '../payload.ts';
import { statedAddress } from './text.ts';
import { cell, listRows, type Row, type Rows, restOf } from './values.ts';

export interface MarkParties {
  parties: Party[];
  owner_names: string[] | null;
  representative_names: string[] | null;
}

export function collectParties(owners: readonly Party[], representatives: readonly Party[]): MarkParties {
  const { owner_names, representative_names } = nameFields([
    ...owners.map((party) => ({ isOwner: true, names: listTexts(party), countries: [] })),
    ...representatives.map((party) => ({ isOwner: false, names: listTexts(party), countries: [] })),
  ]);
  return { parties: [...owners, ...representatives], owner_names, representative_names };
}

/** A party named in its own row. */
export function namedParty(
  row: Row,
  role: PartyRole,
  columns: { name: string; address?: string; code?: string },
): Party {
  const name = cell(row, columns.name);
  const address = columns.address === undefined ? null : statedAddress(cell(row, columns.address));
  return stated<Party>({
    role,
    identifier: columns.code === undefined ? null : cell(row, columns.code),
    names: name === null ? null : [{ text: name }],
    address: address === null ? null : { lines: [address] },
    details: restOf(row),
  });
}

/** Parties of the application by kind: 1 applicants, 2 representatives. */
export function listApplicationParties(rows: Rows, kind: '1' | '2'): Party[] {
  const role: PartyRole = kind === '1' ? 'applicant' : 'representative';
  return listRows(rows, 'jiken_c_t_shutugannindairinin')
    .filter((row) => row.cells.shutugannindairinin_sikbt === kind)
    .map((row) => {
      row.read.add('shutugannindairinin_sikbt');
      const code = cell(row, 'shutugannindairinin_code');
      const inline = namedParty(row, role, {
        name: 'shutugannindairinin_simei',
        address: 'shutugannindairinin_jusho',
      });
      const registered = code === null ? undefined : findRegistered(rows, code);
      return stated<Party>({
        ...inline,
        identifier: code,
        names: inline.names ?? (registered === undefined ? null : listNames(registered)),
        address: inline.address ?? (registered === undefined ? null : addressOf(registered)),
      });
    });
}

/** The row of the party feed for a code, or for the code that it was merged into. */
function findRegistered(rows: Rows, code: string): Row | undefined {
  const people = listRows(rows, 'appl_reg_info');
  const own = people.find((row) => row.cells.appl_cd === code);
  const merged = listRows(rows, 'under_integ_appl_info_mgt').find((row) => row.cells.under_integ_appl_cd === code);
  const successor = own?.cells.integ_appl_cd ?? merged?.cells.appl_cd;
  return people.find((row) => row.cells.appl_cd === successor) ?? own;
}

function listNames(row: Row): PartyName[] {
  return ['appl_name', 'wes_join_name']
    .map((column) => cell(row, column))
    .flatMap((text) => (text === null ? [] : [{ text }]));
}

function addressOf(row: Row): Party['address'] | null {
  const lines = [statedAddress(cell(row, 'appl_addr')), statedAddress(cell(row, 'wes_join_addr'))].filter(
    (line) => line !== null,
  );
  const postcode = cell(row, 'appl_postcode');
  return lines.length === 0 && postcode === null ? null : stated({ lines, postcode });
}
