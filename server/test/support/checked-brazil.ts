/** Real processes of Brazil, read by hand: words of the gazette, and what the record must say because of them. */
import type { SourceRecord } from '../../src/record/document.ts';

interface Comparison {
  file: string;
  /** Words of the source, spaces between elements aside. */
  source: readonly string[];
  record: Partial<SourceRecord> & Pick<SourceRecord, 'application_number'>;
}

export const CHECKED_BRAZILIAN: readonly Comparison[] = [
  {
    file: 'inpi-br/revista-2240.xml',
    source: [
      '<processo numero="840233841" data-deposito="15/08/2012">',
      '<despacho codigo="IPAS009" nome="Publicação de pedido de registro para oposição">',
      '<marca apresentacao="Mista" natureza="De Serviço"><nome>ELITE</nome>',
      '<classe-vienna codigo="26.4.7"/><classe-vienna codigo="27.5.1"/>',
      '<classe-nice codigo="35">',
    ],
    // The journal has data="10/12/2013".
    record: {
      uid: 'BR500000840233841',
      office: 'BR',
      application_number: '840233841',
      mark_name: 'ELITE',
      status: 'Pending',
      tm5_status: 'Publicação de pedido de registro para oposição',
      kind_of_mark: 'Service',
      mark_feature: 'Combined',
      application_date: '2012-08-15',
      publication_date: '2013-12-10',
      status_date: '2013-12-10',
      nice_classes: [35],
      vienna_codes: ['26.04.07', '27.05.01'],
      owner_countries: ['BR'],
      source_version: '2013-12-10',
      is_partial: true,
    },
  },
  {
    file: 'inpi-br/processo-829825584.xml',
    source: [
      '<processo data-deposito="25/08/2008" numero="829825584">',
      '<despacho codigo="IPAS421" nome="Republicação de pedido para oposição">',
      '<classe-vienna codigo="27.5.1"/><classe-vienna codigo="27.7.1"/>',
      '<classe-nice codigo="35" edicao="10">',
      '<prioridade data="15/02/2012" numero="CTM 010645091" pais="IT"/>',
    ],
    record: {
      application_number: '829825584',
      status: 'Pending',
      application_date: '2008-08-25',
      publication_date: null,
      nice_classes: [35],
      vienna_codes: ['27.05.01', '27.07.01'],
      priority_numbers: ['CTM 010645091'],
      international_registration_numbers: null,
      source_version: null,
    },
  },
  {
    file: 'inpi-br/processo-902488309.xml',
    source: [
      '<processo data-concessao="10/05/2013" data-deposito="12/04/2010" data-vigencia="10/05/2023" numero="902488309">',
      '<despacho codigo="IPAS158" nome="Concessão de registro">',
    ],
    record: {
      uid: 'BR500000902488309',
      application_number: '902488309',
      registration_number: null,
      mark_name: null,
      status: 'Registered',
      application_date: '2010-04-12',
      registration_date: '2013-05-10',
      expiry_date: '2023-05-10',
      nice_classes: null,
      owner_names: null,
    },
  },
];
