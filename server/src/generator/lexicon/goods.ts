/**
 * Goods and services by Nice class, in our own words, as a declared table: detailed in English, brief in other
 * languages.
 */
import { countryOf } from '../countries.ts';
import type { Random } from '../random.ts';
import type { Draft } from '../record.ts';

const ENGLISH = `
adhesives for industry; fertilizers; unprocessed resins; fire-extinguishing mixtures; chemicals for water
  treatment; soil conditioners; solvents for laboratories.
paints; varnishes; wood preservatives; printing inks; dyes; anti-rust coatings; metal powders for decoration.
soaps; perfumes; cosmetic creams; shampoos; toothpaste; household cleaners; essential oils; laundry
  preparations.
industrial oils; lubricants; candles; fuels for heating; wicks; dust-binding agents; grease for leather.
medicines for human use; food supplements; plasters; disinfectants; infant formula; herbicides; veterinary
  vaccines; diagnostic reagents.
metal building panels; locks of metal; screws; safes; pipes of metal; cables and wires of common metal; metal
  containers.
machine tools; pumps; agricultural machines; conveyor belts; electric generators; robots for industry; washing
  machines.
hand tools; knives; scissors; razors; screwdrivers; garden shears; cutlery.
computer software; mobile telephones; measuring instruments; batteries; headphones; spectacles; cameras;
  downloadable games; smart watches.
surgical instruments; hearing aids; orthopaedic insoles; massage apparatus; dental chairs; thermometers for
  medical purposes.
lamps; ovens; air conditioners; refrigerators; water filters; bath fittings; coffee machines.
bicycles; electric cars; tyres; child safety seats; boats; drones; wheelchairs.
fireworks; signal rockets; sporting firearms; ammunition; gun cases.
rings; watches; necklaces; clocks; cuff links; jewellery boxes; precious stones.
guitars; pianos; drums; violins; music stands; wind instruments.
notebooks; packaging paper; posters; pens; printed manuals; calendars; picture books; paint brushes.
rubber seals; insulating foils; plastic tubes; gaskets; flexible hoses; acoustic foams.
handbags; suitcases; wallets; umbrellas; leather straps; backpacks; collars for animals.
bricks; cement; wooden flooring; roof tiles; glass for building; asphalt; prefabricated houses.
chairs; mattresses; shelves; mirrors; picture frames; cushions; garden furniture.
glasses; frying pans; brushes; porcelain tableware; baskets; flower pots; thermal bottles.
ropes; tents; nets; sails; tarpaulins; padding materials; sacks for bulk goods.
sewing thread; wool yarn; cotton yarn; silk yarn; elastic yarn.
bed linen; curtains; towels; fabrics; blankets; table cloths; upholstery fabrics.
shirts; shoes; jackets; hats; socks; sportswear; dresses; scarves; belts; underwear.
ribbons; buttons; zip fasteners; artificial flowers; wigs; needles; embroidery.
carpets; wallpaper; door mats; linoleum; gymnastic mats.
toys; board games; dolls; fitness equipment; fishing tackle; playing cards; building blocks; video game
  consoles.
meat; fish; cheese; preserved fruit; edible oils; yoghurt; soups; dried nuts; eggs.
coffee; tea; bread; chocolate; rice; noodles; spices; ice cream; honey; biscuits.
fresh fruit; flowers; seeds; live animals; pet food; malt; fresh vegetables.
beer; mineral water; fruit juices; lemonades; syrups for beverages; energy drinks.
wine; gin; whisky; liqueurs; sparkling wine; spirits; cider.
cigarettes; lighters; pipe tobacco; cigars; electronic cigarettes.
advertising; retail services for clothing; business consulting; online marketplaces; market research;
  accounting; import-export agencies.
banking; insurance; real estate management; payment services; investment funds; financial advice.
construction of buildings; repair of vehicles; installation of machines; cleaning of buildings; plumbing.
broadcasting; internet access; messaging services; streaming of data; telephone services.
transport of goods; travel arrangement; parcel delivery; warehousing; car rental; distribution of electricity.
treatment of materials; recycling; custom printing; metal plating; food preservation; tailoring.
education; concerts; sports training; publishing of books; museum exhibitions; online games; production of
  films.
software as a service; engineering; scientific research; web design; quality control; data storage; cyber
  security.
restaurants; hotels; cafés; catering; holiday lodging; bar services.
medical clinics; beauty salons; veterinary services; gardening; nursing; dental care; spa services.
legal services; security guards; dating services; licensing of rights; babysitting; funeral services.
`;

const SHORT: Record<string, string> = {
  de: `
    Klebstoffe|Farben|Seifen|Schmieröle|Arzneimittel|Schlösser aus Metall|Werkzeugmaschinen|Handwerkzeuge|
    Software|Chirurgische Instrumente|Leuchten|Fahrräder|Feuerwerkskörper|Uhren|Klaviere|Druckereierzeugnisse|
    Dichtungen|Lederwaren|Baumaterialien|Möbel|Küchengeräte|Zelte|Garne|Bettwäsche|Bekleidungsstücke|Knöpfe|
    Teppiche|Spielzeug|Käse|Kaffee|Frisches Obst|Biere|Weine|Zigaretten|Werbung|Versicherungen|Bauwesen|
    Telekommunikation|Transport|Recycling|Ausbildung|Softwareentwicklung|Restaurants|Medizinische Dienste|
    Rechtsberatung`,
  fr: `
    adhésifs|peintures|savons|lubrifiants|médicaments|serrures métalliques|machines-outils|outils à main|
    logiciels|instruments chirurgicaux|lampes|bicyclettes|feux d’artifice|montres|pianos|imprimés|joints|
    sacs à main|matériaux de construction|meubles|vaisselle|tentes|fils|linge de lit|vêtements|boutons|tapis|
    jouets|fromages|café|fruits frais|bières|vins|cigarettes|publicité|assurances|construction|
    télécommunications|transport|recyclage|éducation|développement de logiciels|restaurants|services médicaux|
    conseils juridiques`,
  es: `
    adhesivos|pinturas|jabones|lubricantes|medicamentos|cerraduras metálicas|máquinas herramientas|
    herramientas de mano|software|instrumentos quirúrgicos|lámparas|bicicletas|fuegos artificiales|relojes|
    pianos|material impreso|juntas|bolsos|materiales de construcción|muebles|vajilla|tiendas de campaña|hilos|
    ropa de cama|prendas de vestir|botones|alfombras|juguetes|quesos|café|frutas frescas|cervezas|vinos|
    cigarrillos|publicidad|seguros|construcción|telecomunicaciones|transporte|reciclaje|educación|
    diseño de software|restaurantes|servicios médicos|asesoría jurídica`,
  zh: `
    粘合剂|油漆|肥皂|润滑油|药品|金属锁|机床|手工具|计算机软件|外科仪器|灯|自行车|烟花|手表|钢琴|印刷品|密封物|手提包|建筑材料|家具|餐具|帐篷|纱线|床上用品|服装|纽扣|地毯|玩具|奶酪|咖啡|
    新鲜水果|啤酒|葡萄酒|香烟|广告|保险|建筑施工|电信|运输|材料回收|教育|软件设计|餐馆|医疗服务|法律服务`,
  ja: `
    接着剤|塗料|せっけん|潤滑油|薬剤|金属製錠|金属加工機械器具|手動工具|電子計算機用プログラム|医療用機械器具|電球類及び照明用器具|自転車|花火|時計|楽器|印刷物|ゴム製パッキング|かばん類|建築用材料|
    家具|食器類|テント|糸|寝具類|被服|ボタン類|敷物|おもちゃ|チーズ|コーヒー|果実|ビール|ぶどう酒|たばこ|広告業|損害保険の引受け|建設工事|電気通信|輸送|廃棄物の再生|知識の教授|
    電子計算機のプログラムの設計|飲食物の提供|医業|法律事務`,
  ko: `
    접착제|페인트|비누|윤활유|의약품|금속제 자물쇠|공작기계|수공구|컴퓨터 소프트웨어|수술기기|조명기구|자전거|불꽃|시계|피아노|인쇄물|고무제 패킹|가방|건축재료|가구|식기|텐트|직물용 실|침구|
    의류|단추|카펫|완구|치즈|커피|신선한 과일|맥주|포도주|담배|광고업|보험업|건축업|통신업|운송업|재활용업|교육업|소프트웨어 설계업|음식점업|의료업|법률서비스업`,
};

const unfold = (text: string): string => text.trim().replace(/\s+/g, ' ');

const english: readonly (readonly string[])[] = unfold(ENGLISH)
  .replace(/\.$/, '')
  .split('. ')
  .map((line) => line.split('; '));

const short = new Map<string, readonly string[]>(
  Object.entries(SHORT).map(([code, list]) => [
    code,
    unfold(list)
      .split('|')
      .map((term) => term.trim()),
  ]),
);

/** What a class covers, in English; at least five terms. */
function listGoods(niceClass: number): readonly string[] {
  return english[niceClass - 1] ?? [];
}

const PURPOSES = (
  'for household use|for industrial use|for children|for professional use|for medical purposes|for vehicles|' +
  'for outdoor use|for use in laboratories|made of recycled materials|made of textile|made of wood|' +
  'for sale in sets|for travel|for sports|for use by restaurants|relating to food|relating to education|' +
  'relating to health|for animals|parts and fittings therefor|for the building trade|' +
  'for use with mobile devices|except for those of paper|for export|on demand|provided online'
).split('|');

interface GoodsEntry {
  scheme: 'nice';
  class: string;
  texts: { text: string; language: string }[];
}

function listTerms(random: Random, niceClass: number, isLong: boolean): string {
  const terms = listGoods(niceClass);
  const start = random.below(terms.length);
  const parts: string[] = [];
  for (let i = random.between(2, isLong ? terms.length : 3); i > 0; i -= 1) {
    const term = terms[(start + i) % terms.length] as string;
    parts.push(isLong && random.chance(0.35) ? `${term} ${random.pick(PURPOSES)}` : term);
  }
  return parts.join('; ');
}

/** Repeats goods until the text has about `units` UTF-16 units. */
function listAtLength(random: Random, niceClass: number, units: number): string {
  const terms = listGoods(niceClass);
  const parts: string[] = [];
  let length = 0;
  while (length < units) {
    const part = `${random.pick(terms)} ${random.pick(PURPOSES)}, ${random.pick(PURPOSES)}`;
    parts.push(part);
    length += part.length + 2;
  }
  return parts.join('; ');
}

/** Spreads `extraUnits` over the classes. Null when the record has no classes. */
export function buildGoods(random: Random, draft: Draft, isLong: boolean, extraUnits: number): GoodsEntry[] | null {
  const classes = draft.content.nice_classes;
  if (classes === null) return null;
  const { agents } = draft.position.register;
  const local = agents === null ? null : countryOf(agents).language.code.slice(0, 2);
  const share = extraUnits / classes.length;
  const longMax = classes.length > 10 ? 0.2 : 1;
  return classes.map((niceClass) => {
    const text =
      share > 300
        ? listAtLength(random, niceClass, share)
        : listTerms(random, niceClass, isLong && random.chance(longMax));
    const texts = [{ text, language: 'en' }];
    const localTerm = local === null ? undefined : short.get(local)?.[niceClass - 1];
    if (localTerm !== undefined && local !== null) texts.unshift({ text: localTerm, language: local });
    return { scheme: 'nice', class: niceClass < 10 ? `0${niceClass}` : String(niceClass), texts };
  });
}
