/**
 * What the columns of a docket hold: guessed from the words of their heads and from their cells, or given. The guess is
 * shown before anything is spent.
 */
import { listNumberForms } from '../numbers.ts';
import { readRegister } from './registers.ts';
import { foldWords } from './words.ts';

/** What a column may hold, with the words that a page or a message has for it. */
export const DOCKET_FIELDS = {
  register: 'Register',
  application_number: 'Application number',
  registration_number: 'Registration number',
  number: 'Number of either kind',
  mark_name: 'Mark',
  status: 'Status',
  owner: 'Owner',
  classes: 'Nice classes',
  application_date: 'Application date',
  registration_date: 'Registration date',
  next_renewal: 'Next renewal',
  renewal_date: 'Last renewal',
  expiry_date: 'Expiry',
} as const;
export type DocketField = keyof typeof DOCKET_FIELDS;

/** The position of the column that holds each field. */
export type Mapping = Readonly<Partial<Record<DocketField, number>>>;

export const NUMBER_COLUMNS = ['application_number', 'registration_number', 'number'] as const;
export const DATE_COLUMNS = [
  'application_date',
  'registration_date',
  'next_renewal',
  'renewal_date',
  'expiry_date',
] as const;

const NUMBER = '(?:no|nr|nos|num|number|numbers|nummer|numero|n|番号|번호|号)';
const DATE = '(?:date|datum|tag|day|fecha|data|dt|日|日期|일|일자)';
const APPLIED =
  '(?:application|appl|app|filing|filed|anmelde|anmeldung|anmeldungs|depot|demande|solicitud|domanda|deposito|pedido|出願|출원|申请)';
const REGISTERED =
  '(?:registration|registered|regn|reg|registrierung|registrierungs|eintragung|eintragungs|register|enregistrement|registro|registrazione|登録|등록|注册)';

const between = (first: string, second: string): RegExp =>
  new RegExp(
    `^(?:(?:date|fecha|data|number|numero|no|n) (?:of |de |d |du |di )?)?${first} ?(?:de |d |du |di )?${second}$|^${second} (?:of |de |du |di )?${first}$`,
    'u',
  );

/** In this order; each column is taken once. */
const HEADS: readonly (readonly [field: DocketField, head: RegExp])[] = [
  [
    'application_date',
    new RegExp(`^${APPLIED} ?${DATE}$|^${DATE} (?:of |de |du |di )?${APPLIED}$|^filed(?: on)?$|^anmeldetag$`, 'u'),
  ],
  [
    'registration_date',
    new RegExp(`^${REGISTERED} ?${DATE}$|^${DATE} (?:of |de |du |di )?${REGISTERED}$|^registered on$`, 'u'),
  ],
  [
    'renewal_date',
    /^(?:last renewal|renewed|latest renewal|letzte verlangerung|dernier renouvellement)(?: date| on)?$/,
  ],
  [
    'next_renewal',
    /^(?:next )?(?:renewal|verlangerung|renouvellement|renovacion|rinnovo)(?: (?:date|due|due date|deadline|on))?$|^next renewal.*|^renew by$|^nachste verlangerung|^prochain renouvellement|^proxima renovacion/,
  ],
  [
    'expiry_date',
    /^(?:expiry|expiration|expires|ablauf|ablaufdatum|schutzende|echeance|vencimiento|scadenza|vervaldatum|存続期間満了日|만료일)(?: (?:date|on))?$|^(?:date|fecha|data) (?:d |de |di )?(?:expiry|expiration|vencimiento|scadenza)$/,
  ],
  ['application_number', between(`(?:${APPLIED}|serial)`, NUMBER)],
  ['application_number', /^(?:aktenzeichen|az|processo|出願番号|출원번호|申请号|anmeldenummer)$/],
  ['registration_number', between(REGISTERED, NUMBER)],
  ['registration_number', /^(?:registernummer|registrierungsnummer|登録番号|등록번호|注册号)$/],
  ['number', new RegExp(`^(?:trademark |trade mark |tm |mark |official |marken ?)?${NUMBER}$|^ir ${NUMBER}$`, 'u')],
  [
    'register',
    /^(?:register|registry|jurisdiction(?: code)?|country(?: code| of registration)?|territory|office(?: code)?|land|pays|pais|paese|amt|ctry|国|국가|国家)$/,
  ],
  [
    'mark_name',
    /^(?:trade ?mark|mark|brand|marke|marque|marca|merk|word ?mark|mark text|title|商標|상표|商标)(?: (?:name|text|title))?$|^(?:name|nom|nombre) (?:of |de )?(?:the |la )?(?:mark|marque|marca)$/,
  ],
  [
    'status',
    /^(?:legal |current |case )?(?:status|state|stand|rechtsstand|etat|statut|estado|stato|ステータス|상태|状态)$/,
  ],
  [
    'owner',
    /^(?:current |registered )?(?:owner|proprietor|applicant|holder|registrant|inhaber|anmelder|titulaire|deposant|titular|titolare|houder|権利者|출원인|申请人)(?: name|s)?$/,
  ],
  [
    'classes',
    /^(?:nice |int |intl |international |ic )?(?:class(?: es)?|classes|klasse|klassen|nizzaklassen|classe|classi|clase|clases|区分|류|类别)(?: nos?)?$|^nice$/,
  ],
];

/** Share of a column's cells that have to look alike. */
const ALIKE = 0.8;

/** Guesses what each column holds. `rows`: the first rows below the head. */
export function guessMapping(head: readonly string[], rows: readonly (readonly string[])[]): Mapping {
  const mapping: Partial<Record<DocketField, number>> = {};
  const taken = new Set<number>();
  const words = head.map(foldWords);
  const take = (field: DocketField, column: number): void => {
    if (column < 0 || mapping[field] !== undefined) return;
    mapping[field] = column;
    taken.add(column);
  };
  for (const [field, form] of HEADS) {
    take(
      field,
      words.findIndex((text, column) => !taken.has(column) && form.test(text)),
    );
  }
  const findAlike = (isOne: (cell: string) => boolean): number =>
    head.findIndex((_name, column) => {
      const cells = rows.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '');
      return !taken.has(column) && cells.length > 0 && cells.filter(isOne).length >= cells.length * ALIKE;
    });
  if (mapping.register === undefined)
    take(
      'register',
      findAlike((cell) => readRegister(cell) !== null),
    );
  if (NUMBER_COLUMNS.every((field) => mapping[field] === undefined)) {
    take(
      'number',
      findAlike((cell) => LOOKS_NUMBERED.test(cell) && listNumberForms('', cell).length > 0),
    );
  }
  return mapping;
}

/** At least five digits, and no date. */
const LOOKS_NUMBERED = /^(?!\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$)(?=(?:\D*\d){5})/;

/** What is missing for a comparison, as a sentence; null if nothing is. `register`: given for every row. */
export function findMappingFault(mapping: Mapping, register: string | null): string | null {
  if (NUMBER_COLUMNS.every((field) => mapping[field] === undefined)) {
    return 'No column holds a number: say which one holds the application number, the registration number, or either.';
  }
  if (mapping.register === undefined && register === null) {
    return 'No column holds the register: say which one does, or which register all rows are of.';
  }
  return null;
}
