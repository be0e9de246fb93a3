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
  ...['no', 'nr', 'nos', 'num', 'number', 'numbers', 'nummer', 'numero', 'número', 'n'],
  ...['番号', '번호', '号'],
];
const DATES = ['date', 'datum', 'tag', 'day', 'fecha', 'data', 'dt', 'on', '日', '日期', '일', '일자'];
const APPLIED = [
  ...['application', 'appl', 'app', 'filing', 'filed', 'anmelde', 'anmeldung', 'anmeldungs', 'dépôt', 'demande'],
  ...['solicitud', 'domanda', 'deposito', 'depósito', 'pedido', 'aanvraag', '出願', '출원', '申请'],
];
const REGISTERED = [
  ...['registration', 'registered', 'regn', 'reg', 'registrierung', 'registrierungs', 'eintragung', 'eintragungs'],
  ...['register', 'enregistrement', 'registro', 'registrazione', 'inschrijving', '登録', '등록', '注册'],
];
const RENEWED = ['renewal', 'verlängerung', 'renouvellement', 'renovación', 'rinnovo', 'renovação', '更新', '갱신'];
const EXPIRED = [
  ...['expiry', 'expiration', 'expires', 'expire', 'ablauf', 'échéance', 'vencimiento', 'scadenza', 'vervaldatum'],
  ...['存続期間満了', '만료'],
];
const MARKS = ['trademark', 'trade mark', 'mark', 'brand', 'marke', 'marque', 'marca', 'merk', 'word mark', 'tm'];
const OWNERS = [
  ...['owner', 'owners', 'proprietor', 'applicant', 'holder', 'registrant', 'inhaber', 'anmelder', 'titulaire'],
  ...['déposant', 'titular', 'titolare', 'houder', '権利者', '출원인', '申请人'],
];
const CLASSES = [
  ...['class', 'classes', 'class(es)', 'klasse', 'klassen', 'nizzaklassen', 'classe', 'classi', 'clase', 'clases'],
  ...['区分', '류', '类别'],
];

const PHRASES: readonly (readonly [field: DocketField, phrases: readonly string[]])[] = [
  ['application_date', [...join(APPLIED, DATES), 'filed', 'anmeldetag']],
  ['registration_date', [...join(REGISTERED, DATES), 'eintragungstag']],
  [
    'renewal_date',
    [
      ...join(['last renewal', 'latest renewal', 'renewed', 'letzte verlängerung', 'dernier renouvellement'], DATES),
      ...['last renewal', 'latest renewal', 'renewed', 'letzte verlängerung', 'dernier renouvellement'],
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
    [...join([...APPLIED, 'serial'], NUMBERS), 'aktenzeichen', 'az', 'processo', 'aanvraagnummer'],
  ],
  ['registration_number', join(REGISTERED, NUMBERS)],
  ['number', [...NUMBERS, ...join([...MARKS, 'official', 'marken', 'ir'], NUMBERS)]],
  [
    'register',
    [
      ...['register', 'registry', 'jurisdiction', 'jurisdiction code', 'country', 'country code', 'territory', 'ctry'],
      ...[
        'office',
        'office code',
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
      ...['status', 'state', 'legal status', 'current status', 'case status', 'stand', 'rechtsstand', 'état', 'statut'],
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

/** What a column with this head holds; null if its words do not show it. */
export function readHead(head: string): DocketField | null {
  return FIELD_OF.get(foldWords(head.replaceAll('#', ' no ').replace(/['’]/g, ' '))) ?? null;
}
