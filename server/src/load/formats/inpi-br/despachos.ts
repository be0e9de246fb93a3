/**
 * What the office's despachos say about the status of a mark. A despacho is published in a weekly journal, under a code
 * with a name. Most of them are about petitions and say nothing about the status: then the known status stays.
 */
import type { Status } from '@tmds/contract/enums';
import { type RecordEvent, stated } from '../document.ts';
import { type Element, rest } from '../element.ts';
import { lookUp } from '../meanings.ts';
import type { Journal } from './values.ts';

interface Meaning {
  status: Status;
  /** The status counts only where none is known: an objection does not undo a registration. */
  isWeak?: true;
  /** The application is published for opposition in this journal. */
  publishes?: true;
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  IPAS009: { status: 'Pending', publishes: true },
  IPAS421: { status: 'Pending', publishes: true },
  // Allowed, but the fee for the grant is due.
  IPAS029: { status: 'Pending' },
  // An appeal.
  IPAS360: { status: 'Pending' },
  IPAS136: { status: 'Pending', isWeak: true },
  IPAS142: { status: 'Pending', isWeak: true },
  IPAS423: { status: 'Pending', isWeak: true },
  IPAS158: { status: 'Registered' },
  IPAS024: { status: 'Abandoned' },
  // Expired.
  IPAS161: { status: 'Cancelled' },
  // Revoked for non-use.
  IPAS304: { status: 'Cancelled' },
};

/**
 * Despachos that leave the status unchanged: objections of form, petitions, notices of proceedings, copies. A code that
 * is in neither table leaves it too, and raises an issue, because its name may mean the end of the mark.
 */
const KEEPING: ReadonlySet<string> = new Set(
  [
    ...['005', '089', '227', '267', '270', '271', '337', '338', '349', '362', '395', '400', '403', '428', '437'],
    ...['462', '499', '523', '532', '533', '566', '567', '576', '579', '699', '797', '900', '901', '902', '903'],
    ...['971', '1054', '1055', '1069'],
  ].map((number) => `IPAS${number}`),
);

const PATH = 'despachos/despacho';

interface Despachos {
  events: RecordEvent[];
  /** Null where no despacho says anything about it. */
  status: Status | null;
  /** What the status rests on; null also for a status that counts only where none is known. */
  basis: { code: string; text: string | null } | null;
  /** The name of the last despacho. */
  lastName: string | null;
  publishes: boolean;
}

/** Reads the despachos in their order; the last one with a status counts. */
export function readDespachos(root: Element, journal: Journal | null): Despachos {
  const found: Despachos = { events: [], status: null, basis: null, lastName: null, publishes: false };
  for (const node of root.list(PATH)) {
    const code = node.attribute('codigo');
    const name = node.attribute('nome');
    found.events.push(readEvent(node, { code, name, journal }));
    found.lastName = name ?? found.lastName;
    const meaning = lookUp(MEANINGS, code);
    if (meaning === undefined) {
      if (code === null || !KEEPING.has(code)) {
        root.raise('unmapped_status', `${PATH}@codigo`, `${code ?? ''} ${name ?? ''}`.trim());
      }
      continue;
    }
    found.publishes ||= meaning.publishes === true;
    if (meaning.isWeak) found.status ??= meaning.status;
    else {
      found.status = meaning.status;
      found.basis = { code: code ?? '', text: name };
    }
  }
  return found;
}

function readEvent(
  despacho: Element,
  { code, name, journal }: { code: string | null; name: string | null; journal: Journal | null },
): RecordEvent {
  const protocols = despacho.list('protocolo');
  const number = protocols.map((protocol) => protocol.attribute('numero')).find((each) => each !== null);
  return stated<RecordEvent>({
    kind: 'history',
    code,
    text: name,
    date: journal?.date,
    number,
    details: stated({
      journal: journal?.number,
      texts: despacho.texts('texto-complementar'),
      stay_texts: despacho.texts('texto-sobrestamento'),
      // The petition, with the names of its parties, as the office writes it.
      protocols: protocols.flatMap((protocol) => rest(protocol) ?? []),
    }),
  });
}
