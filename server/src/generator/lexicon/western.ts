/** Vocabulary of the languages in Latin letters, as a declared table: generic words, nobody's marks. */
import { language } from './language.ts';

const english = language('en', 'Latn', { joint: ' ' })(`
  first: Golden Silver Blue Bright Northern Quiet Wild Grand Prime Royal Urban Simple True Happy Little Iron Copper
    Amber Crystal Hidden Lucky Rapid Smart Clear Green Red Black White Summit Harbor Prairie Coastal Mountain River
    Maple Cedar Willow Evergreen Stone Velvet Midnight Morning Sunny Lunar Solar Polar Atlantic Pacific Heritage
    Modern Pure Fresh Noble Honest Gentle Swift
  second: Harbor Valley Ridge Creek Field House Garden Kitchen Works Labs Studio Market Fox Bear Hawk Otter Sparrow
    Wolf Oak Pine Stone Bridge Anchor Compass Lantern Feather Arrow Crown Shield Star Moon Wave Path Trail Mill Barn
    Forge Press Table Spoon Kettle Bean Leaf Root Bloom Petal Spark Cloud Pixel Signal Logic Motion Health Care Foods
    Brew Roast Outfitters Supply Goods Collective Partners
  syllables: ve no lu mi ra so ze ka ti bo ry xa ne qui do fi la zo na ri ta lo ven cor al mer sol tek vis plu den gra
    fle tri opt cel zen nex bri val dyn syn pro aer
  endings: a o ex ix on ia is um ly ra va ta no go zy ify ora ent yx iq eon sy
  surnames: Harlow Bennett Whitmore Ashby Calloway Thornton Ellery Pruitt Langley Merrick Fairchild Osborne Kendrick
    Winslow Hathaway Prescott Delaney O'Rourke McAllister Redfern Stanhope Tilbury Vance Wetherby Marlowe
  givenNames: James Mary Robert Linda David Susan Thomas Karen Emily Daniel Laura Peter Grace Owen Hannah Oliver
  trades: Foods Technologies Brands Industries Pharmaceuticals Apparel Cosmetics Software Beverages Logistics
    Entertainment Holdings Medical Energy Toys Furniture Automotive Media Financial Outdoors Tools Plastics
`);

const german = language('de', 'Latn', { joint: '' })(`
  first: Berg Wald Sonnen Silber Gold Nord Alpen Rhein Edel Blau Grün Stern Früh Mühl Krön Löwen Bären Kräuter Burg
    Feld Stein König Hof Schön Quell Natur Kalt Heil Tann Birk
  second: quell hof stern taler brunn perle glück haus garten mühle krone bräu licht kraft werk blick wiese tal höhe
    küche stube zauber tau feld schatz größe fluß straße glanz gut
  syllables: ver lin dor mül bri sa ro ka le fa no ri ta bel wen kur tel nor dex phy ge ma lu zi er hel flo san vi
    ther med pan duro
  endings: a o in ol an is al ex on it ur en um asan tex plan
  surnames: Müller Weiß Schröder Brückner Hübner Köhler Jäger Groß Kühn Löffler Schäfer Bäumler Zöllner Fuchs Lindner
    Vogt Brandt Reuter Hartwig Engelhardt Strößner Wächter Dörfler Riedl
  givenNames: Anna Jürgen Käthe Stefan Björn Heike Uwe Sabine Jörg Ulrike Matthias Günter
  trades: Maschinenbau Lebensmittel Technik Pharma Textil Kosmetik Software Getränke Logistik Medien Werkzeuge Möbel
    Handels Kräuterhaus Gerätebau Verlags Energie Spielwaren Brauerei Süßwaren
`);

const french = language('fr', 'Latn', { joint: ' ' })(`
  first: Maison Atelier Domaine Château Clos Moulin Jardin Café Fournil Cave L'Épicerie Forêt Étoile Villa Comptoir
    Fabrique Manufacture Crème Trésor Secret Petit Bastide Île Rivière Verger
  second: des_Tilleuls de_la_Roche du_Vieux_Pont d'Été de_l'Étang des_Érables du_Levant de_Noël des_Abeilles
    du_Grand_Chêne de_la_Vallée d'Azur des_Prés de_l'Aube du_Hêtre des_Genêts de_Brume du_Marché de_l'Île des_Façades
  syllables: vi lé mon fleu ra bel ché so li au ri né va ta loi do cla mé ly ju no fran gi per sau ma
  endings: é elle ine eau ique ès ance ée is on ette ia or
  surnames: Lefèvre Béranger Châtelain Dumoulin Forestier Garnault Hébrard Lemaître Marchandeau Noël Péronnet
    Rousselin Séguin Thévenot Vauclair Bréhat Delaunoy Fréchet
  givenNames: Hélène François Zoé Jérôme Chloé Benoît Agnès Gaël Léa Frédéric Anaïs Étienne Noémie
  trades: Développement Cosmétiques Distribution Alimentaire Éditions Technologies Pharmaceutique Textiles Énergie
    Conseil Médias Vins Parfums Hôtellerie Céramiques Équipements
`);

const spanish = language('es', 'Latn', { joint: ' ' })(`
  first: Casa Finca Bodega Hacienda Café Viña Sierra Molino Huerta Tierra Luz Sol Rincón Puerto Valle Cumbre Estrella
    Jardín Panadería Peña Señorío Montaña Rancho Cantera
  second: del_Olmo de_la_Sierra de_los_Ángeles del_Río de_Piedra del_Niño de_la_Peña del_Águila de_Otoño del_Jazmín
    de_la_Bahía del_Búho de_Cristal del_Volcán de_la_Cañada del_Ñandú de_Plata del_Norte de_la_Niña del_Corazón
  syllables: ve sol mar ti no ra lu ce do qui fa nu tri ber co la mi pe si ta bo al gra zo
  endings: a o al ina era on ía ex il ero anza ito és
  surnames: Ibáñez Núñez Peñalver Gutiérrez Ocampo Zúñiga Carrasco Montaño Briceño Arístegui Cárdenas Mondragón
    Villaseñor Quiñones Salcedo Urrutia Ordóñez Lázaro
  givenNames: José María Íñigo Begoña Andrés Lucía Óscar Inés Joaquín Sofía Martín Belén Raúl Ángela
  trades: Alimentos Tecnología Laboratorios Comercial Industrias Bebidas Construcción Textil Logística Educación
    Farmacéutica Cosméticos Energía Agrícola Diseño Turismo Café_y_Té
`);

const italian = language('it', 'Latn', { joint: ' ' })(`
  first: Antica Cantina Bottega Casa Villa Pasticceria Torre Fattoria Corte Officina Sartoria Terra Perla Luna Stella
    Tenuta Fonte Locanda Masseria Caffetteria
  second: del_Colle dei_Tigli della_Rocca del_Lago del_Sole degli_Ulivi della_Pietra del_Borgo di_Mezzo delle_Rose
    della_Felicità del_Ponte dei_Cipressi di_San_Gallo della_Virtù del_Grano del_Caffè
  syllables: vi ro bel la ci na to ra mo li se pa du gio lu ca fi te or za gra no
  endings: a o ella etto ino issimo ia eria one ità exa anti
  surnames: Bonfanti Castellari D'Angeli Fabbricatore Gualtierotti Lombardini Marchesini Niccolò Olivieri
    Pellegrineschi Quaranta Ravagnani Sant'Elia Tonietti Vescovi Zamboni
  givenNames: Giulia Niccolò Chiara Andrea Francesca Matteo Noè Elena Luca Beatrice Tommaso Irene
  trades: Alimentari Moda Tessile Arredamenti Farmaceutici Meccanica Elettronica Vini Calzature Cosmetici Logistica
    Ceramiche Editoria Impianti Dolciaria
`);

const portuguese = language('pt', 'Latn', { joint: ' ' })(`
  first: Casa Quinta Pão Café Sítio Fazenda Mar Serra Sabor Espaço Doce Empório Coração Estação Padaria Açaí Jardim
    Rota Ponto Armazém
  second: do_Vento da_Serra do_Sertão das_Flores do_Verão da_Manhã do_João de_Minas do_Limão da_Avó do_Caçador
    da_Estância do_Ipê das_Águas da_Paixão do_Chão do_Irmão da_Feira do_Pescador de_Ouro
  syllables: bra no vi sol ma ti ra lu xi ca do fer pa cri te be jo la gui zan
  endings: a ão al ex inho eira il ura eza ico um ox
  surnames: Araújo Brandão Conceição Figueirêdo Gonçalves Leitão Magalhães Noronha Peçanha Queirós Simões Távora
    Vasconcellos Assunção Galvão Torreão
  givenNames: João Luíza Antônio Márcia Caetano Inês Fábio Conceição Thaís Zé Otávio Lívia
  trades: Alimentos Comércio Indústria Confecções Cosméticos Tecnologia Bebidas Educação Produções Distribuidora
    Farmacêutica Móveis Engenharia Agropecuária Calçados Serviços
`);

const swedish = language('sv', 'Latn', { joint: '' })(`
  first: Norr Sol Björk Älv Guld Vinter Ö Hjort Lövs Ängs Snö Fjäll Skär Kungs Röd Berg Kust Ljus Åker Sjö
  second: vik strand gård ängen holm borg hjärta stjärna skog lund källa räv ljung sten bränna å ö hamn flöde bär
  syllables: nor vi le skå lin ve no ri gö sa ta el do lu my bri ka fja öst hal
  endings: a en el is ia ex ö ig on ell ås
  surnames: Ångström Björkegren Ekdahl Forsgård Grönvall Hägglöf Källström Lönnqvist Månsdotter Nyström Sjöblom Öhrn
  givenNames: Åsa Björn Märta Göran Linnéa Håkan Maj Sören Elsa Örjan Karin Nils
  trades: Livsmedel Teknik Design Möbler Läkemedel Kläder Förlag Bryggeri Konsult Fastigheter Verkstäder
    Kött_och_Fågel
`);

const finnish = language('fi', 'Latn', { joint: '' })(`
  first: Kuusi Tähti Järvi Kesä Talvi Metsä Hopea Kulta Lumi Sini Pohja Ranta Mäki Yö Päivä Karhu Hirvi Suo Tuuli Kivi
  second: ranta niemi mäki lampi kylä tupa polku lehto kallio koski sydän käpy helmi valkea pöytä tähti neva hovi
  syllables: va lu mi ne ka pö si to ri ky la ve hä no te rau ki su mä ja
  endings: a o inen la kka ex nen ri is ta lä
  surnames: Hämäläinen Kivelä Lehtimäki Mäkipää Niskavaara Pöllänen Räsänen Sydänmaa Tähtinen Väisälä Yrjölä Äijälä
  givenNames: Päivi Jyrki Aino Väinö Hilkka Eero Sini Yrjö Ilma Kyösti Tuuli Onni
  trades: Elintarvike Konepaja Teknologia Tekstiili Lääke Panimo Kustannus Rakennus Muotoilu Energia Puutuote
`);

const polish = language('pl', 'Latn', { joint: ' ' })(`
  first: Złoty Biały Stary Dobry Leśny Górski Słoneczny Cichy Żywy Świeży Wiejski Królewski Śląski Błękitny Dziki
    Miodowy
  second: Młyn Dąb Ogród Dwór Źródło Łan Rynek Smak Strumień Świt Żuraw Koń Piec Krąg Dzięcioł Kłos Brzeg Łoś Step
  syllables: pol mi za wi ra do le ko sza bry na lu ta gó ży wo mar sta cie no
  endings: a ex ik pol ka ex ek owa ina ol śka ex
  surnames: Brzęczyński Czułkowska Dąbrówka Gołębiewski Jabłecki Kłosiński Łękowski Mądrzak Piętka Świerczek Wąsowicz
    Żukrowski
  givenNames: Łukasz Żaneta Paweł Małgorzata Michał Agnieszka Stanisław Grażyna Bożena Sławomir
  trades: Spożywcze Technologie Kosmetyki Meble Odzież Farmacja Usługi Handel Przemysł Żywność Wydawnictwo Napoje
`);

const turkish = language('tr', 'Latn', { joint: ' ' })(`
  first: Altın Mavi Yeni Işıltı İnci Yıldız Güneş Çınar Öz Kırmızı Ulu Ilgın İpek Gümüş Şen Büyük Has Bahçe Doğa
    Kardelen
  second: Işık Çınar İnci Kıyı Dağı Bahçe Ağaç Yıldızı İskele Değirmen Sofrası Kahvesi Irmağı İklim Gıda Kapı Ülkü
    Ödül Çiçek Şifa
  syllables: ya kı li da mı gö ça ir sa ru bi tü şe lo na do ve ıl ko in
  endings: sa an ıl er ım is lı ix can ce oğlu tex iş ı
  surnames: Yıldırım Işıklı Çağlayan Şimşekoğlu Öztürkmen Güngördü İnanır Kılıçarslan Üçyıldız Dağdelen Ağırbaş
    Çınarlı İlgün
  givenNames: Işıl İbrahim Şule Çetin Gülşah Ömer Ayşe İrem Uğur Müjde Özgür Ilgaz
  trades: Gıda Tekstil İnşaat Kimya Mobilya Otomotiv İlaç Turizm Kozmetik Bilişim Ambalaj Dış_Ticaret Tarım Ayakkabı
    Işıklandırma
`);

const vietnamese = language('vi', 'Latn', { joint: ' ', surnameFirst: true })(`
  first: Hoa Sao Bình Thiên Ngọc Phú Trường Đại An Hồng Kim Việt Minh Tân Thịnh Đông Hải Vĩnh Quốc Nguyệt
  second: Sen Vàng Minh Phúc Quý Thành Lộc Phát Đức Hưng Thắng Long Nghĩa Châu Việt Đạt Hương Cường Tiến Ánh
  syllables: vi na hà sa lo mê tu ki bi đa ro pha ti nu cô ve
  endings: co na ta mex vina pro ka food ex tech
  surnames: Nguyễn Trần Lê Phạm Huỳnh Hoàng Vũ Võ Đặng Bùi Đỗ Hồ Dương Lý
  givenNames: Văn_Hùng Thị_Hạnh Đức_Anh Ngọc_Ánh Minh_Quân Thu_Hằng Quốc_Bảo Thị_Yến Hữu_Phước Bích_Ngọc
  trades: Thương_Mại Thực_Phẩm Dược_Phẩm Công_Nghệ Xây_Dựng May_Mặc Nông_Sản Điện_Tử Mỹ_Phẩm Dịch_Vụ
`);

export const WESTERN = {
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  swedish,
  finnish,
  polish,
  turkish,
  vietnamese,
};
