/** Finds from a column's head what the column holds, in the languages in which dockets are kept. */
import type { DocketField } from './fields.ts';
import { foldWords } from './words.ts';

/** Words that stand together in either order, with or without the small words between them. */
function join(firsts: readonly string[], seconds: readonly string[]): string[] {
  return firsts.flatMap((first) =>
    seconds.flatMap((second) => [
      `${first} ${second}`,
      `${first}${second}`,
      `${second} ${first}`,
      ...['of', 'de', 'du', 'di', 'd', 'da'].map((small) => `${second} ${small} ${first}`),
    ]),
  );
}

const NUMBERS = [
  ...['no', 'nr', 'nos', 'num', 'number', 'numbers', 'nummer', 'nummern', 'numero', 'número', 'números', 'numéro', 'n'],
  ...['numéros', 'num', 'id'],
  ...['番号', '번호', '号'],
];
const DATES = ['date', 'datum', 'tag', 'day', 'fecha', 'data', 'dt', 'on', 'am', 'le', '日', '日期', '일', '일자'];
const APPLIED = [
  ...['application', 'appl', 'app', 'appln', 'filing', 'filed', 'anmelde', 'anmeldung', 'anmeldungs', 'angemeldet'],
  ...['dépôt', 'demande', 'déposée', 'déposé', 'presentación', 'depot'],
  ...['solicitud', 'domanda', 'deposito', 'depósito', 'pedido', 'aanvraag', '出願', '출원', '申请'],
];
const REGISTERED = [
  ...['registration', 'registered', 'regn', 'regd', 'reg', 'registrierung', 'registrierungs', 'eintragung'],
  ...['eintragungs', 'eingetragen', 'registernummer', 'enregistrée', 'registrada', 'concesión', 'granted', 'grant'],
  ...['register', 'enregistrement', 'registro', 'registrazione', 'inschrijving', '登録', '등록', '注册'],
];
const RENEWED = [
  ...[
    'renewal',
    'verlängerung',
    'verlängerungs',
    'renouvellement',
    'renovación',
    'rinnovo',
    'renovação',
    '更新',
    '갱신',
  ],
];
const EXPIRED = [
  ...['expiry', 'expiration', 'expires', 'expire', 'valid until', 'ablauf', 'ablaufs', 'läuft ab', 'gültig bis'],
  ...['schutzende', 'échéance', 'expire le', 'fin de protection', 'vencimiento', 'caducidad', 'vence', 'válida hasta'],
  ...['scadenza', 'vervaldatum', 'expiración'],
  ...['存続期間満了', '만료'],
];
const MARKS = [
  ...['trademark', 'trademarks', 'trade mark', 'mark', 'brand', 'word mark', 'tm', 'marke', 'marken', 'wortmarke'],
  ...['marque', 'marques', 'marca', 'marcas', 'merk', 'signo', 'signe', 'zeichen'],
];
const OWNERS = [
  ...['owner', 'owners', 'proprietor', 'applicant', 'holder', 'registrant', 'inhaber', 'anmelder', 'markeninhaber'],
  ...['inhaberin', 'anmelderin', 'titulaire', 'propriétaire', 'demandeur', 'propietario', 'solicitante'],
  ...['déposant', 'titular', 'titolare', 'houder', '権利者', '출원인', '申请人'],
];
const CLASSES = [
  ...['class', 'classes', 'class(es)', 'klasse', 'klassen', 'klasse(n)', 'nizzaklasse', 'nizzaklassen', 'classe'],
  ...[
    'classe(s)',
    'classi',
    'clase',
    'clases',
    'clase(s)',
    'clases de niza',
    'clase de niza',
    'classes de nice',
    'classe de nice',
    'warenklassen',
  ],
  ...['区分', '류', '类别'],
];

/** What a firm calls a case of its own. An office's file number (Aktenzeichen, expediente) is another matter. */
const REFERENCES = [
  ...['reference', 'ref', 'our reference', 'our ref', 'your reference', 'your ref', 'internal reference'],
  ...[
    'internal ref',
    'case reference',
    'case ref',
    'client reference',
    'client ref',
    'case',
    'docket',
    'matter',
    'file',
  ],
  ...['unser zeichen', 'ihr zeichen', 'unsere referenz', 'referenz', 'interne referenz', 'akte', 'interne akte'],
  ...['référence', 'réf', 'notre référence', 'notre réf', 'nos réf', 'votre référence', 'référence interne', 'dossier'],
  ...[
    'referencia',
    'nuestra referencia',
    'nuestra ref',
    'su referencia',
    'referencia interna',
    'ref interna',
    'réf interne',
    'interne ref',
    'riferimento',
  ],
  ...['nostro riferimento', 'referência', '整理番号'],
];
const CASES = ['case', 'docket', 'matter', 'file', 'reference', 'ref', 'akten', 'dossier', 'internal', 'interne'];

const PHRASES: readonly (readonly [field: DocketField, phrases: readonly string[]])[] = [
  ['application_date', [...join(APPLIED, DATES), 'filed', 'anmeldetag']],
  ['registration_date', [...join(REGISTERED, DATES), 'eintragungstag']],
  [
    'renewal_date',
    [
      ...join(['last renewal', 'latest renewal', 'renewed', 'letzte verlängerung', 'dernier renouvellement'], DATES),
      ...[
        'last renewal',
        'latest renewal',
        'renewed',
        'letzte verlängerung',
        'dernier renouvellement',
        'última renovación',
      ],
    ],
  ],
  [
    'next_renewal',
    [
      ...join([...RENEWED, 'next renewal', 'renewal due', 'nächste verlängerung', 'prochain renouvellement'], DATES),
      ...RENEWED,
      ...['next renewal', 'renewal due', 'next renewal due', 'next renewal deadline', 'renewal deadline', 'renew by'],
      ...['nächste verlängerung', 'prochain renouvellement', 'próxima renovación', 'prossimo rinnovo'],
    ],
  ],
  ['expiry_date', [...join(EXPIRED, DATES), ...EXPIRED, 'schutzende', 'schutz bis']],
  [
    'application_number',
    [
      ...join([...APPLIED, 'serial'], NUMBERS),
      ...['aktenzeichen', 'amtliches aktenzeichen', 'az', 'expediente', 'número de expediente', 'n expediente'],
      ...['no expediente', 'no de expediente', 'processo', 'aanvraagnummer', 'serial'],
    ],
  ],
  ['registration_number', join(REGISTERED, NUMBERS)],
  ['number', [...NUMBERS, ...join([...MARKS, 'official', 'marken', 'ir'], NUMBERS)]],
  ['reference', [...REFERENCES, ...join(CASES, NUMBERS)]],
  [
    'register',
    [
      ...['register', 'registry', 'jurisdiction', 'jurisdiction code', 'country', 'country code', 'territory', 'ctry'],
      ...[
        'office',
        'office code',
        'trademark office',
        'ip office',
        'countries',
        'country name',
        'región',
        'territoire',
        'territorio',
        'territorium',
        'schutzland',
        'markenamt',
        'länder',
        'office national',
        'oficina',
        'jurisdicción',
        'juridiction',
        'registro de',
        'country of registration',
        'land',
        'pays',
        'país',
        'paese',
        'amt',
        '国',
        '국가',
        '国家',
      ],
    ],
  ],
  [
    'mark_name',
    [...MARKS, ...join(MARKS, ['name', 'text', 'title', 'nom', 'nombre']), 'title', '商標', '상표', '商标'],
  ],
  [
    'status',
    [
      ...[
        'status',
        'state',
        'legal status',
        'current status',
        'case status',
        'stand',
        'rechtsstand',
        'verfahrensstand',
      ],
      ...['markenstatus', 'aktenzustand', 'état', 'statut', 'situation', 'situación', 'estatus'],
      ...['estado', 'stato', 'ステータス', '상태', '状态'],
    ],
  ],
  ['owner', [...OWNERS, ...join(OWNERS, ['name', 'current', 'registered', 'nom', 'nombre'])]],
  ['classes', [...CLASSES, ...join(CLASSES, ['nice', 'int', 'intl', 'international', 'ic', ...NUMBERS]), 'nice']],
];

/** A phrase of several fields belongs to the first. */
const FIELD_OF: ReadonlyMap<string, DocketField> = new Map(
  PHRASES.toReversed().flatMap(([field, phrases]) => phrases.map((phrase) => [foldWords(phrase), field] as const)),
);

/** Words that say of what the column is, which every column of such a list is. */
const ABOUT = [...MARKS, 'current', 'aktueller', 'actuel', 'actual', 'official'].map(foldWords);

/** What a column with this head holds; null if its words do not show it. */
export function readHead(head: string): DocketField | null {
  const text = head.replaceAll('#', ' no ').replace(/['’]/g, ' ');
  // `Filing date (dd/mm/yyyy)`: what is in brackets describes the cells.
  return readWords(text) ?? readWords(text.replace(/\([^()]*\)|\[[^[\]]*\]/g, ' '));
}

/** Words of more are sentences. */
const HEAD_CHARACTERS_MAX = 80;

function readWords(text: string): DocketField | null {
  if (text.length > HEAD_CHARACTERS_MAX) return null;
  const words = foldWords(text);
  const named = FIELD_OF.get(words);
  if (named !== undefined) return named;
  for (const about of ABOUT) {
    const rest = words.startsWith(`${about} `)
      ? words.slice(about.length + 1)
      : words.endsWith(` ${about}`)
        ? words.slice(0, -about.length - 1)
        : null;
    const field = rest === null ? undefined : FIELD_OF.get(rest.replace(/ (?:of|de|de la|du|der|des|del)$/, ''));
    if (field !== undefined) return field;
  }
  return null;
}
