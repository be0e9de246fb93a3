/**
 * The words of dockets for a status, each with the statuses of the record model that it may mean. A word that is not in
 * the table is reported as one that cannot be compared.
 */
import type { Status } from '../enums.ts';
import { foldWords } from './words.ts';

const WORDS: readonly (readonly [means: readonly Status[], words: readonly string[]])[] = [
  [
    ['Registered'],
    [
      ...['registered', 'registration', 'reg', 'regd', 'granted', 'in force', 'renewed', 'protected', 'issued'],
      ...['eingetragen', 'registriert', 'in kraft', 'verlangert', 'enregistre', 'enregistree', 'en vigueur'],
      ...['registrada', 'registrado', 'en vigor', 'vigente', 'concedida', 'concedido', 'registrata', 'registrato'],
      ...['em vigor', 'ingeschreven', '登録', '登録済', '存続', '등록', '注册', '已注册', '註冊'],
    ],
  ],
  [
    ['Pending'],
    [
      ...['pending', 'application', 'application filed', 'application published', 'applied', 'filed', 'published'],
      ...['examination', 'under examination', 'opposed', 'opposition', 'opposition period', 'accepted', 'allowed'],
      ...['angemeldet', 'anmeldung', 'in prufung', 'anhangig', 'deposee', 'depose', 'demande', 'publiee'],
      ...['en examen', 'solicitada', 'solicitud', 'en tramite', 'publicada', 'domanda', 'depositata', 'pendente'],
      ...['in attesa', 'pedido', 'aangevraagd', '出願', '出願中', '係属', '출원', '申请中', '申請中'],
    ],
  ],
  [
    ['Abandoned'],
    [
      ...['abandoned', 'withdrawn', 'refused', 'rejected', 'application refused', 'application withdrawn'],
      ...['zuruckgenommen', 'zuruckgewiesen', 'aufgegeben', 'retiree', 'rejetee', 'refusee', 'abandonnee'],
      ...['retirada', 'denegada', 'desistida', 'rechazada', 'ritirata', 'rifiutata', 'respinta', 'indeferido'],
      ...['거절', '취하', '拒絶', '取下'],
    ],
  ],
  [
    ['Cancelled'],
    [
      ...['cancelled', 'canceled', 'expired', 'surrendered', 'invalidated', 'revoked', 'removed'],
      ...['registration cancelled', 'registration expired', 'registration surrendered'],
      ...['geloscht', 'abgelaufen', 'radiee', 'expiree', 'annulee', 'cancelada', 'caducada', 'expirada', 'anulada'],
      ...['annullata', 'scaduta', 'cancellata', 'doorgehaald', 'vervallen', '抹消', '消滅', '말소', '소멸', '注销'],
    ],
  ],
  [
    ['Abandoned', 'Cancelled'],
    ['dead', 'inactive', 'ended', 'lapsed', 'closed', 'terminated', 'erloschen', 'dechue', 'inaktiv', 'inactif'],
  ],
  [
    ['Registered', 'Pending'],
    ['live', 'active', 'alive', 'aktiv', 'actif', 'active live', 'activa', 'attiva', 'ativa'],
  ],
];

const MEANINGS: ReadonlyMap<string, readonly Status[]> = new Map(
  WORDS.flatMap(([means, words]) => words.map((word) => [foldWords(word), means] as const)),
);

/** The statuses that a text may mean; null if it is not in the table. */
export function readStatus(text: string): readonly Status[] | null {
  return MEANINGS.get(foldWords(text)) ?? null;
}
