/** Invented processes of the Brazilian journal, in the forms of 2013 and of 2020 and later. */

export const NUMBER = '900000001';

/** Every element of the layout of 2020 and later. */
export const PROCESS = `<processo numero="${NUMBER}" data-deposito="19/08/2020"
    data-concessao="02/03/2021" data-vigencia="02/03/2031">
  <despachos>
    <despacho codigo="IPAS270" nome="Deferimento de petição">
      <texto-complementar>Detalhes: anotado.</texto-complementar>
      <texto-sobrestamento>Até a decisão.</texto-sobrestamento>
      <protocolo numero="850200000017" data="01/02/2021" codigoServico="349">
        <requerente nome-razao-social="COLINA AZUL LTDA" pais="BR" uf="RJ"/>
        <procurador>A. GENTE</procurador>
        <cedentes><cedente nome-razao-social="COLINA VERDE LTDA" pais="BR" uf="SP"/></cedentes>
        <cessionarios><cessionario nome-razao-social="COLINA AZUL LTDA"/></cessionarios>
      </protocolo>
    </despacho>
    <despacho codigo="IPAS158" nome="Concessão de registro"/>
  </despachos>
  <titulares>
    <titular nome-razao-social="COLINA AZUL LTDA" pais="BR" uf="RJ"/>
    <titular nome-razao-social="BLUE HILL LLC" pais="US"/>
  </titulares>
  <marca apresentacao="Mista" natureza="Produtos e/ou Serviço"><nome>Colina Azul</nome></marca>
  <classes-vienna>
    <classe-vienna codigo="6.1.2" edicao="4"/>
    <classe-vienna codigo="27.5.1" edicao="4"/>
  </classes-vienna>
  <lista-classe-nice>
    <classe-nice codigo="37">
      <especificacao>Lavagem de veículos;</especificacao>
      <traducao-especificacao>Vehicle washing;</traducao-especificacao>
      <status>Deferido</status>
    </classe-nice>
    <classe-nice codigo="9"><especificacao>Telescópios;</especificacao></classe-nice>
  </lista-classe-nice>
  <prioridade-unionista><prioridade data="15/02/2020" numero="CTM 01 2345" pais="IT"/></prioridade-unionista>
  <dados-de-madri numero-inscricao-internacional="W01234567" data-recebimento-inpi="03/09/2020"/>
  <apostila>SEM DIREITO AO USO EXCLUSIVO DE "AZUL".</apostila>
  <procurador>ASSESSORIA  AZUL LTDA.</procurador>
  <sobrestadores><sobrestador marca="AZUL" processo="800000002"/></sobrestadores>
</processo>`;

/** What the layout of 2013 writes in another place. */
export const OLD_PROCESS = `<processo numero="820000003" data-deposito="25/08/2008">
  <despachos><despacho codigo="IPAS009" nome="Publicação de pedido de registro para oposição"/></despachos>
  <titulares><titular nome-razao-social="JOSE DA COLINA 00000000191" pais="BR" uf="SP"/></titulares>
  <marca apresentacao="Figurativa" natureza="De Serviço"/>
  <classes-vienna edicao="4"><classe-vienna codigo="8.1.17"/></classes-vienna>
  <classe-nice codigo="35" edicao="10"><especificacao>Comércio;</especificacao></classe-nice>
  <classe-nacional codigo="25">
    <especificacao>Roupas;</especificacao>
    <sub-classes-nacional><sub-classe-nacional codigo="10"/><sub-classe-nacional codigo="20"/></sub-classes-nacional>
  </classe-nacional>
</processo>`;

/** A weekly journal. `date`: `DD/MM/YYYY`. */
export function writeJournal(number: string, date: string, ...processes: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><revista numero="${number}" data="${date}">${processes.join('\n')}</revista>`;
}

/** A process that states no more than what happened: most of a journal. `despachos`: code and name of each. */
export function writeProcess(
  despachos: readonly (readonly [code: string, name: string])[],
  rest = '',
  number = NUMBER,
): string {
  const list = despachos.map(([code, name]) => `<despacho codigo="${code}" nome="${name}"/>`).join('');
  return `<processo numero="${number}"><despachos>${list}</despachos>${rest}</processo>`;
}
