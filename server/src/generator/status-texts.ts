/**
 * The registers' own texts for a status (`tm5_status`), in the style of real offices. Registers that are not in the
 * table state none.
 */
import type { Stage } from './lifecycle.ts';
import type { RegisterCode } from './registers.ts';

type Wording = Partial<Record<Stage, string>>;

const AMERICAN: Wording = {
  filed: 'LIVE/APPLICATION/Awaiting Examination',
  examination: 'LIVE/APPLICATION/Under Examination',
  published: 'LIVE/APPLICATION/Published for Opposition',
  opposed: 'LIVE/APPLICATION/Opposition Pending',
  registered: 'LIVE/REGISTRATION/Issued and Active',
  renewed: 'LIVE/REGISTRATION/Issued and Active',
  refused: 'DEAD/APPLICATION/Refused/Dismissed or Invalidated',
  withdrawn: 'DEAD/APPLICATION/Withdrawn/Abandoned',
  expired: 'DEAD/REGISTRATION/Cancelled/Invalidated',
  surrendered: 'DEAD/REGISTRATION/Cancelled/Invalidated',
  invalidated: 'DEAD/REGISTRATION/Cancelled/Invalidated',
};

const EUROPEAN: Wording = {
  filed: 'Application filed',
  examination: 'Application under examination',
  published: 'Application published',
  opposed: 'Application opposed',
  registered: 'Registered',
  renewed: 'Registered',
  refused: 'Application refused',
  withdrawn: 'Application withdrawn',
  expired: 'Registration expired',
  surrendered: 'Registration surrendered',
  invalidated: 'Registration cancelled',
};

const BRITISH: Wording = {
  ...EUROPEAN,
  examination: 'Under examination',
  published: 'Published',
  expired: 'Expired',
  surrendered: 'Surrendered',
};

const GERMAN: Wording = {
  filed: 'Anmeldung eingegangen',
  examination: 'Anmeldung in Prüfung',
  published: 'Marke eingetragen, Widerspruchsfrist läuft',
  opposed: 'Widerspruchsverfahren läuft',
  registered: 'Marke eingetragen',
  renewed: 'Marke eingetragen',
  refused: 'Anmeldung zurückgewiesen',
  withdrawn: 'Anmeldung zurückgenommen',
  expired: 'Marke gelöscht',
  surrendered: 'Marke gelöscht',
  invalidated: 'Marke gelöscht',
};

const FRENCH: Wording = {
  filed: 'Demande déposée',
  examination: 'Demande en cours d’examen',
  published: 'Demande publiée',
  opposed: 'Opposition en cours',
  registered: 'Marque enregistrée',
  renewed: 'Marque renouvelée',
  refused: 'Demande totalement rejetée',
  withdrawn: 'Demande retirée',
  expired: 'Marque expirée',
  surrendered: 'Renonciation totale',
  invalidated: 'Marque annulée',
};

const SPANISH: Wording = {
  filed: 'En trámite',
  examination: 'En examen',
  published: 'Publicada',
  opposed: 'Con oposición',
  registered: 'Registrada',
  renewed: 'Renovada',
  refused: 'Denegada',
  withdrawn: 'Desistida',
  expired: 'Caducada',
  surrendered: 'Renunciada',
  invalidated: 'Anulada',
};

const BRAZILIAN: Wording = {
  filed: 'Aguardando exame de mérito',
  examination: 'Em exame',
  published: 'Pedido publicado',
  opposed: 'Pedido com oposição',
  registered: 'Registro de marca em vigor',
  renewed: 'Registro de marca em vigor',
  refused: 'Pedido definitivamente indeferido',
  withdrawn: 'Pedido definitivamente arquivado',
  expired: 'Registro de marca extinto',
  surrendered: 'Registro extinto por renúncia',
  invalidated: 'Registro nulo',
};

const CHINESE: Wording = {
  filed: '等待实质审查',
  examination: '实质审查中',
  published: '初审公告',
  opposed: '异议中',
  registered: '注册',
  renewed: '注册',
  refused: '驳回',
  withdrawn: '撤回',
  expired: '无效：到期未续展',
  surrendered: '注销',
  invalidated: '无效宣告',
};

const JAPANESE: Wording = {
  filed: '出願',
  examination: '審査中',
  published: '公開',
  opposed: '異議申立',
  registered: '登録',
  renewed: '登録・更新',
  refused: '拒絶査定',
  withdrawn: '取下',
  expired: '存続期間満了',
  surrendered: '放棄',
  invalidated: '無効',
};

const KOREAN: Wording = {
  filed: '출원',
  examination: '심사중',
  published: '공고',
  opposed: '이의신청',
  registered: '등록',
  renewed: '등록',
  refused: '거절',
  withdrawn: '취하',
  expired: '소멸',
  surrendered: '포기',
  invalidated: '무효',
};

const RUSSIAN: Wording = {
  filed: 'Заявка подана',
  examination: 'Экспертиза',
  published: 'Заявка опубликована',
  registered: 'Действует',
  renewed: 'Действует',
  refused: 'Отказ в регистрации',
  withdrawn: 'Заявка отозвана',
  expired: 'Срок действия истёк',
  surrendered: 'Прекращена',
  invalidated: 'Аннулирована',
};

const TURKISH: Wording = {
  filed: 'Başvuru yapıldı',
  examination: 'İncelemede',
  published: 'Bültende yayımlandı',
  opposed: 'İtiraz var',
  registered: 'Tescilli',
  renewed: 'Yenilendi',
  refused: 'Reddedildi',
  withdrawn: 'Geri çekildi',
  expired: 'Süresi doldu',
  surrendered: 'Vazgeçildi',
  invalidated: 'Hükümsüz',
};

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
