/**
 * The countries of owners and representatives, as a declared table: language, postal code, cities, streets and legal
 * forms, with `%` in place of the company's name. `registers.ts` decides where owners file.
 */
import { EASTERN } from './lexicon/eastern.ts';
import { type Language, type Word, type WordsOf, words } from './lexicon/language.ts';
import { OTHER_SCRIPTS } from './lexicon/other-scripts.ts';
import { WESTERN } from './lexicon/western.ts';

const CODES = 'US GB CA AU DE AT CH FR ES MX IT BR PT SE FI PL TR VN CN TW JP KR TH RU GR IL SA IN';
export type CountryCode = WordsOf<typeof CODES>;
export const COUNTRY_CODES = CODES.split(' ') as CountryCode[];

interface Country {
  readonly code: string;
  readonly language: Language;
  readonly cities: readonly Word[];
  readonly streets: readonly Word[];
  /** Legal forms in the country's own script and in Latin letters. */
  readonly forms: readonly { readonly own: string; readonly latin: string }[];
  /** Each `#` is a digit. */
  readonly postalCode: string;
}

const LANGUAGES: Readonly<Record<string, Language>> = { ...WESTERN, ...EASTERN, ...OTHER_SCRIPTS };

const AMERICAN_STREETS = 'Main_Street Oak_Avenue Market_Street Lakeview_Drive Industrial_Parkway Mill_Road';
const BRITISH_STREETS = 'High_Street Station_Road Church_Lane Kings_Road Mill_Lane Victoria_Road';
const SPANISH_STREETS = 'Calle_Mayor Avenida_del_Sol Calle_de_la_Peña Paseo_del_Río Calle_Jazmín';
const GERMAN_STREETS = 'Hauptstraße Mühlweg Gartenstraße Königsallee Am_Röhrichtsee Bahnhofstraße';

/** The code, the language and the form of the postal code; then a line each of cities, streets and legal forms. */
const TABLE = `
US english #####
  Portland Austin Columbus Denver Sacramento Tampa Newark Madison Tulsa Boise Raleigh Omaha
  ${AMERICAN_STREETS}
  % Inc. / %, LLC / % Corporation / % Co. / %, L.P. / % Holdings, Inc.
GB english LS# #QT
  London Leeds Bristol Manchester Glasgow Cardiff Belfast Norwich
  ${BRITISH_STREETS}
  % Limited / % Ltd / % plc / % LLP
CA english K#A #B#
  Toronto Calgary Montréal Halifax Winnipeg Québec
  ${AMERICAN_STREETS}
  % Inc. / % Ltd. / % Ltée / % Corp.
AU english ####
  Sydney Melbourne Brisbane Perth Hobart
  ${BRITISH_STREETS}
  % Pty Ltd / % Limited / The Trustee for % Family Trust
DE german #####
  München Köln Nürnberg Düsseldorf Hamburg Göttingen Lübeck Würzburg Leipzig
  ${GERMAN_STREETS}
  % GmbH / % GmbH & Co. KG / % AG / % e.K. / % UG (haftungsbeschränkt) / % SE
AT german ####
  Wien Graz Linz Sankt_Pölten Klagenfurt
  ${GERMAN_STREETS}
  % GmbH / % Ges.m.b.H. / % AG / % OG
CH german ####
  Zürich Basel Bern Genève Neuchâtel
  ${GERMAN_STREETS}
  % AG / % GmbH / % SA / % Sàrl
FR french #####
  Paris Lyon Besançon Nîmes Orléans Angoulême Saint-Étienne
  Rue_de_la_République Avenue_des_Tilleuls Place_du_Marché Rue_Désiré Boulevard_Voltaire
  % SAS / % SA / Société % / % SARL / Établissements %
ES spanish #####
  Madrid Málaga Cádiz A_Coruña Logroño
  ${SPANISH_STREETS}
  %, S.L. / %, S.A. / % S.L.U. / % S. Coop.
MX spanish #####
  Ciudad_de_México Monterrey Mérida Querétaro León
  ${SPANISH_STREETS}
  %, S.A. de C.V. / %, S. de R.L. de C.V. / %, S.A.P.I. de C.V.
IT italian #####
  Milano Torino Forlì Perugia Bari Modena
  Via_Roma Corso_Italia Viale_dei_Tigli Via_della_Libertà Piazza_San_Niccolò
  % S.p.A. / % S.r.l. / % S.n.c. / % S.a.s.
BR portuguese #####-###
  São_Paulo Brasília Florianópolis Maringá Goiânia Recife
  Rua_das_Flores Avenida_São_João Rua_do_Açúcar Travessa_Conceição
  % Ltda. / % S.A. / % ME / % EIRELI / % Ltda. - EPP
PT portuguese ####-###
  Lisboa Évora Braga Setúbal
  Rua_Direita Avenida_da_Liberdade Rua_do_Paço
  %, Lda. / %, S.A. / %, Unipessoal Lda.
SE swedish ### ##
  Malmö Göteborg Västerås Jönköping Umeå
  Storgatan Östra_Vägen Ängsvägen Sjögatan
  % AB / % Aktiebolag / % Handelsbolag / % AB (publ)
FI finnish #####
  Helsinki Jyväskylä Seinäjoki Hämeenlinna
  Kauppakatu Itäväylä Mäntytie Pääskykuja
  % Oy / % Oyj / % Osakeyhtiö / % Ky
PL polish ##-###
  Łódź Kraków Gdańsk Rzeszów Częstochowa
  ul._Długa ul._Świętej_Anny al._Źródlana ul._Młyńska
  % Sp. z o.o. / % S.A. / % Sp. j. / % Spółka komandytowa
TR turkish #####
  İstanbul İzmir Diyarbakır Eskişehir Muğla
  Atatürk_Caddesi Işık_Sokak Çınar_Bulvarı İnönü_Caddesi
  % Sanayi ve Ticaret Anonim Şirketi / % San. ve Tic. Ltd. Şti. / % A.Ş. / % Limited Şirketi
VN vietnamese ######
  Hà_Nội Đà_Nẵng Cần_Thơ Hải_Phòng
  Đường_Trần_Hưng_Đạo Phố_Huế Đường_Lê_Lợi
  Công ty TNHH % = % Company Limited / Công ty Cổ phần % = % Joint Stock Company
CN simplified ######
  上海|Shanghai 深圳|Shenzhen 广州|Guangzhou 杭州|Hangzhou 北京|Beijing 成都|Chengdu 义乌|Yiwu
    佛山|Foshan 温州|Wenzhou
  人民路|Renmin_Road 解放大道|Jiefang_Avenue 中山路|Zhongshan_Road 科技园|Science_Park
  %有限公司 = % Co., Ltd. / %股份有限公司 = % Co., Ltd. / %集团有限公司 = % Group Co., Ltd. / %有限责任公司 = % Limited Liability Company
TW traditional ###
  臺北市|Taipei 高雄市|Kaohsiung 臺中市|Taichung 新竹市|Hsinchu 臺南市|Tainan
  中正路|Zhongzheng_Road 民權東路|Minquan_East_Road 和平路|Heping_Road
  %股份有限公司 = % Co., Ltd. / %有限公司 = % Ltd. / %企業社 = % Enterprise
JP japanese ###-####
  東京都|Tokyo 大阪市|Osaka 京都市|Kyoto 名古屋市|Nagoya 札幌市|Sapporo 福岡市|Fukuoka 金沢市|Kanazawa
  中央区|Chuo-ku 港区|Minato-ku 本町|Honmachi 桜通|Sakura-dori
  株式会社% = % Co., Ltd. / %株式会社 = % K.K. / 有限会社% = % Y.K. / 合同会社% = % G.K. / 一般社団法人% = % General Incorporated Association
KR korean #####
  서울|Seoul 부산|Busan 대구|Daegu 성남|Seongnam 전주|Jeonju
  세종대로|Sejong-daero 테헤란로|Teheran-ro 중앙로|Jungang-ro
  주식회사 % = % Co., Ltd. / (주)% = % Co., Ltd. / % 주식회사 = % Corporation / 농업회사법인 % = % Agricultural Corporation
TH thai #####
  กรุงเทพมหานคร|Bangkok เชียงใหม่|Chiang_Mai ภูเก็ต|Phuket
  ถนนสุขุมวิท|Sukhumvit_Road ถนนสีลม|Silom_Road
  บริษัท % จำกัด = % Co., Ltd. / ห้างหุ้นส่วนจำกัด % = % Limited Partnership
RU russian ######
  Москва|Moskva Санкт-Петербург|Sankt-Peterburg Казань|Kazan Тверь|Tver Орёл|Oryol
  ул._Лесная|ul._Lesnaya проспект_Мира|prospekt_Mira Щёлковское_шоссе|Shchyolkovskoe_shosse
  ООО "%" = OOO "%" / АО "%" = AO "%" / ПАО "%" = PAO "%" /
    Общество с ограниченной ответственностью "%" = Limited Liability Company "%"
GR greek ### ##
  Αθήνα|Athina Θεσσαλονίκη|Thessaloniki Ηράκλειο|Irakleio Πάτρα|Patra
  Οδός_Ερμού|Odos_Ermou Λεωφόρος_Κηφισίας|Leoforos_Kifisias
  % Α.Ε. = % S.A. / % Ε.Π.Ε. = % Ltd / % Ι.Κ.Ε. = % P.C.
IL hebrew #######
  תל_אביב|Tel_Aviv חיפה|Haifa ירושלים|Jerusalem באר_שבע|Beer_Sheva
  דרך_השלום|Derech_HaShalom רחוב_הרצל|Herzl_Street
  % בע"מ = % Ltd.
SA arabic #####
  الرياض|Riyadh جدة|Jeddah الدمام|Dammam
  شارع_العليا|Olaya_Street طريق_الملك|King_Road
  شركة % = % Company / مؤسسة % = % Establishment / شركة % المحدودة = % Co. Ltd.
IN hindi ######
  मुंबई|Mumbai दिल्ली|Delhi पुणे|Pune जयपुर|Jaipur चेन्नई|Chennai
  महात्मा_गांधी_मार्ग|Mahatma_Gandhi_Road स्टेशन_रोड|Station_Road
  % प्राइवेट लिमिटेड = % Private Limited / % लिमिटेड = % Limited / % एंटरप्राइजेज = % Enterprises
`;

export const COUNTRIES: readonly Country[] = TABLE.trim()
  .split(/\n(?=\S)/)
  .map((entry) => {
    const [head = '', cities = '', streets = '', forms = ''] = entry.split(/\n {2}(?=\S)/);
    const [, code = '', language = '', postalCode = ''] = /^(\S+) (\S+) (.+)$/.exec(head) ?? [];
    return {
      code,
      language: LANGUAGES[language] as Language,
      cities: words(cities),
      streets: words(streets),
      forms: forms.split('/').map((form) => {
        const [own = '', latin = own] = form.trim().split(' = ');
        return { own, latin };
      }),
      postalCode,
    };
  });

const byCode = new Map<string, Country>(COUNTRIES.map((entry) => [entry.code, entry]));

export function countryOf(code: CountryCode): Country {
  return byCode.get(code) as Country;
}
