/**
 * The parties of a mark. The register names right holders and attorneys. The application has only codes; their names
 * come in a separate feed, sometimes later. A code that was merged into another takes the name of the other.
 */
import { listTexts, nameFields, type Party, type PartyName, type PartyRole, stated } from '../document.ts';
import type { Row } from '../tables.ts';
import { statedAddress } from './fields.ts';
import type { MarkRows } from './rows.ts';

export function collectParties(
  owners: readonly Party[],
  representatives: readonly Party[],
): { parties: Party[]; owner_names: string[] | null; representative_names: string[] | null } {
  const { owner_names, representative_names } = nameFields([
    ...owners.map((party) => ({ isOwner: true, names: listTexts(party) })),
    ...representatives.map((party) => ({ isOwner: false, names: listTexts(party) })),
  ]);
  return { parties: [...owners, ...representatives], owner_names, representative_names };
}

/** A party named in its own row. */
export function namedParty(
  row: Row,
  role: PartyRole,
  columns: { name: string; address?: string; code?: string },
): Party {
  const name = row.text(columns.name);
  const address = columns.address === undefined ? null : statedAddress(row.text(columns.address));
  return stated<Party>({
    role,
    identifier: columns.code === undefined ? null : row.text(columns.code),
    names: name === null ? null : [{ text: name }],
    address: address === null ? null : { lines: [address] },
    details: row.rest(),
  });
}

/** Parties of the application by kind: 1 applicants, 2 representatives. */
export function listApplicationParties(rows: MarkRows, kind: '1' | '2'): Party[] {
  const role: PartyRole = kind === '1' ? 'applicant' : 'representative';
  return rows
    .list('jiken_c_t_shutugannindairinin')
    .filter((row) => row.cells.shutugannindairinin_sikbt === kind)
    .map((row) => {
      row.ignore('shutugannindairinin_sikbt');
      const code = row.text('shutugannindairinin_code');
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
function findRegistered(rows: MarkRows, code: string): Row | undefined {
  const people = rows.list('appl_reg_info');
  const own = people.find((row) => row.cells.appl_cd === code);
  const merged = rows.list('under_integ_appl_info_mgt').find((row) => row.cells.under_integ_appl_cd === code);
  const successor = own?.cells.integ_appl_cd ?? merged?.cells.appl_cd;
  return people.find((row) => row.cells.appl_cd === successor) ?? own;
}

function listNames(row: Row): PartyName[] {
  return ['appl_name', 'wes_join_name'].flatMap((column) => {
    const text = row.text(column);
    return text === null ? [] : [{ text }];
  });
}

function addressOf(row: Row): Party['address'] | null {
  const lines = ['appl_addr', 'wes_join_addr'].flatMap((column) => statedAddress(row.text(column)) ?? []);
  const postcode = row.text('appl_postcode');
  return lines.length === 0 && postcode === null ? null : stated({ lines, postcode });
}
