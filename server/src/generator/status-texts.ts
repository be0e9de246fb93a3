/**
 * The registers' own texts for a status (`tm5_status`), in the style of real offices. Registers that are not in the
 * table state none.
 */
import type { Stage } from './lifecycle.ts';
import type { RegisterCode } from './registers.ts';

type Wording = Partial<Record<Stage, string>>;

const STAGES =
  'filed examination published opposed registered renewed refused withdrawn expired surrendered invalidated'.split(
    ' ',
  ) as Stage[];

/** Texts of the stages in their order; `-`: none. */
function wording(texts: string): Wording {
  const stated = texts.split('|').map((text) => text.trim());
  return Object.fromEntries(STAGES.map((stage, i) => [stage, stated[i]]).filter(([, text]) => text !== '-'));
}

const AMERICAN = wording(`
  LIVE/APPLICATION/Awaiting Examination | LIVE/APPLICATION/Under Examination |
  LIVE/APPLICATION/Published for Opposition | LIVE/APPLICATION/Opposition Pending |
  LIVE/REGISTRATION/Issued and Active | LIVE/REGISTRATION/Issued and Active |
  DEAD/APPLICATION/Refused/Dismissed or Invalidated | DEAD/APPLICATION/Withdrawn/Abandoned |
  DEAD/REGISTRATION/Cancelled/Invalidated | DEAD/REGISTRATION/Cancelled/Invalidated |
  DEAD/REGISTRATION/Cancelled/Invalidated
`);

const EUROPEAN = wording(`
  Application filed | Application under examination | Application published | Application opposed | Registered |
  Registered | Application refused | Application withdrawn | Registration expired | Registration surrendered |
  Registration cancelled
`);

const BRITISH: Wording = {
  ...EUROPEAN,
  examination: 'Under examination',
  published: 'Published',
  expired: 'Expired',
  surrendered: 'Surrendered',
};

const GERMAN = wording(`
  Anmeldung eingegangen | Anmeldung in Prüfung | Marke eingetragen, Widerspruchsfrist läuft |
  Widerspruchsverfahren läuft | Marke eingetragen | Marke eingetragen | Anmeldung zurückgewiesen |
  Anmeldung zurückgenommen | Marke gelöscht | Marke gelöscht | Marke gelöscht
`);

const FRENCH = wording(`
  Demande déposée | Demande en cours d’examen | Demande publiée | Opposition en cours | Marque enregistrée |
  Marque renouvelée | Demande totalement rejetée | Demande retirée | Marque expirée | Renonciation totale |
  Marque annulée
`);

const SPANISH = wording(`
  En trámite | En examen | Publicada | Con oposición | Registrada | Renovada | Denegada | Desistida | Caducada |
  Renunciada | Anulada
`);

const BRAZILIAN = wording(`
  Aguardando exame de mérito | Em exame | Pedido publicado | Pedido com oposição | Registro de marca em vigor |
  Registro de marca em vigor | Pedido definitivamente indeferido | Pedido definitivamente arquivado |
  Registro de marca extinto | Registro extinto por renúncia | Registro nulo
`);

const CHINESE = wording(
  '等待实质审查 | 实质审查中 | 初审公告 | 异议中 | 注册 | 注册 | 驳回 | 撤回 | 无效：到期未续展 | 注销 | 无效宣告',
);

const JAPANESE = wording(
  '出願 | 審査中 | 公開 | 異議申立 | 登録 | 登録・更新 | 拒絶査定 | 取下 | 存続期間満了 | 放棄 | 無効',
);

const KOREAN = wording('출원 | 심사중 | 공고 | 이의신청 | 등록 | 등록 | 거절 | 취하 | 소멸 | 포기 | 무효');

const RUSSIAN = wording(`
  Заявка подана | Экспертиза | Заявка опубликована | - | Действует | Действует | Отказ в регистрации |
  Заявка отозвана | Срок действия истёк | Прекращена | Аннулирована
`);

const TURKISH = wording(`
  Başvuru yapıldı | İncelemede | Bültende yayımlandı | İtiraz var | Tescilli | Yenilendi | Reddedildi |
  Geri çekildi | Süresi doldu | Vazgeçildi | Hükümsüz
`);

const WORDINGS: Partial<Record<RegisterCode, Wording>> = {
  US: AMERICAN,
  EM: EUROPEAN,
  GB: BRITISH,
  AU: { ...BRITISH, registered: 'Registered: Registered/protected', withdrawn: 'Lapsed: Not accepted' },
  CA: EUROPEAN,
  IN: {
    ...BRITISH,
    filed: 'New Application',
    examination: 'Objected',
    published: 'Accepted & Advertised',
    refused: 'Refused',
    withdrawn: 'Abandoned',
  },
  DE: GERMAN,
  AT: GERMAN,
  FR: FRENCH,
  ES: SPANISH,
  MX: SPANISH,
  BR: BRAZILIAN,
  CN: CHINESE,
  JP: JAPANESE,
  KR: KOREAN,
  RU: RUSSIAN,
  TR: TURKISH,
};

/** The register's own text for a stage; null when it has none. */
export function findStatusText(code: RegisterCode, stage: Stage): string | null {
  return WORDINGS[code]?.[stage] ?? null;
}
