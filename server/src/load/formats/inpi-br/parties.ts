/** The holders and representatives that a `processo` names. */
import { listChildren } from '../../xml/xml-node.ts';
import { type Party, stated } from '../payload.ts';
import { type Reading, raiseIssue, readAttribute, readTexts } from '../reading.ts';

const HOLDERS = 'titulares/titular';

/** Holders first. Names stand as written, with the tax number that some of them hold. */
export function readParties(reading: Reading): Party[] {
  const holders = listChildren(reading.root, HOLDERS).map((node) => {
    const read = (name: string): string | null => readAttribute(reading, node, name);
    const name = read('nome-razao-social');
    const country = read('pais');
    if (country !== null && !isCountry(country)) raiseIssue(reading, 'unmapped_country', `${HOLDERS}@pais`, country);
    return stated<Party>({
      role: 'owner',
      names: name === null ? null : [{ text: name }],
      address: stated({ region: read('uf'), country }),
    });
  });
  const agents = readTexts(reading, reading.root, 'procurador').map(
    (text): Party => ({ role: 'representative', names: [{ text }] }),
  );
  return [...holders, ...agents];
}

export function isCountry(text: string): boolean {
  return /^[A-Za-z]{2}$/.test(text);
}
