/** Vocabulary of Russian, Greek, Hebrew, Arabic and Hindi, as a declared table: generic words, nobody's marks. */
import { language } from './language.ts';

const russian = language('ru', 'Cyrl', { joint: ' ', surnameFirst: true })(`
  first: Золотой|Zolotoi|golden Белый|Belyi|white Северный|Severnyi|northern Добрый|Dobryi|kind Лесной|Lesnoi|forest
    Синий|Sinii|blue Старый|Staryi|old Царский|Tsarskii|royal Вкусный|Vkusnyi|tasty Чистый|Chistyi|pure
    Волжский|Volzhskii Снежный|Snezhnyi|snowy Ёлочный|Yolochnyi|fir Тихий|Tikhii|quiet
  second: Берег|Bereg|shore Дом|Dom|house Мастер|Master|master Родник|Rodnik|spring Край|Krai|land Сад|Sad|garden
    Медведь|Medved|bear Ветер|Veter|wind Дождь|Dozhd|rain Хлеб|Khleb|bread Щит|Shchit|shield Журавль|Zhuravl|crane
    Ключ|Klyuch|key Объект|Obekt|object Ёж|Yozh|hedgehog Цвет|Tsvet|colour
  syllables: ви|vi та|ta ро|ro ми|mi ла|la не|ne со|so бе|be ка|ka ди|di лю|lyu за|za мо|mo ра|ra ту|tu фе|fe ша|sha
    жи|zhi
  endings: кс|ks ния|niya лин|lin дар|dar фарм|farm мед|med ка|ka тон|ton ель|el щ|shch ия|iya
  surnames: Соловьёв|Solovyov Кузнецова|Kuznetsova Щербаков|Shcherbakov Журавлёва|Zhuravlyova Тихонов|Tikhonov
    Ершова|Ershova Медведский|Medvedskii Яковлев|Yakovlev
  givenNames: Анна_Сергеевна|Anna_Sergeevna Пётр_Ильич|Pyotr_Ilich Ольга_Юрьевна|Olga_Yuryevna
    Юрий_Львович|Yurii_Lvovich Фёдор_Кузьмич|Fyodor_Kuzmich
  trades: Продукт|Produkt Фарм|Farm Техно|Tekhno Строй|Stroi Торг|Torg Косметик|Kosmetik Энерго|Energo Мебель|Mebel
    Софт|Soft Агро|Agro Химпром|Khimprom
`);

const greek = language('el', 'Grek', { joint: ' ' })(`
  first: Χρυσό|Chryso|golden Λευκό|Lefko|white Μικρό|Mikro|little Παλιό|Palio|old Γλυκό|Glyko|sweet Αγνό|Agno|pure
    Κρητικό|Kritiko|Cretan Ελληνικό|Elliniko|Greek Θαλασσινό|Thalassino|of_the_sea Γαλάζιο|Galazio|azure
  second: Νησί|Nisi|island Κύμα|Kyma|wave Αμπέλι|Ampeli|vineyard Σπίτι|Spiti|house Φως|Fos|light Μέλι|Meli|honey
    Βουνό|Vouno|mountain Αστέρι|Asteri|star Δέντρο|Dentro|tree Λιμάνι|Limani|harbour Ψωμί|Psomi|bread
    Χωριό|Chorio|village
  syllables: βε|ve λο|lo νι|ni μα|ma ρα|ra σο|so θε|the κα|ka δι|di φι|fi ξα|xa πο|po τη|ti γι|gi
  endings: ξ|x ίνα|ina ικό|iko ας|as ος|os ίς|is φαρμ|farm λία|lia ώρα|ora
  surnames: Παπαθεοχάρης|Papatheocharis Οικονομάκη|Oikonomaki Γιαννόπουλος|Giannopoulos Αθανασίου|Athanasiou
    Χατζηλάμπρου|Chatzilamprou Ξενάκης|Xenakis Ψαρράς|Psarras
  givenNames: Γιώργος|Giorgos Ελένη|Eleni Θεόδωρος|Theodoros Αικατερίνη|Aikaterini Νίκος|Nikos Ευαγγελία|Evangelia
    Ηλίας|Ilias
  trades: Τρόφιμα|Trofima Τεχνική|Techniki Εμπορική|Emporiki Φαρμακευτική|Farmakeftiki Οινοποιία|Oinopoiia
    Ναυτιλία|Naftilia Ενέργεια|Energeia Εκδόσεις|Ekdoseis
`);

const hebrew = language('he', 'Hebr', { joint: ' ' })(`
  first: בית|Beit|house גן|Gan|garden כרם|Kerem|vineyard מעיין|Maayan|spring אור|Or|light חוף|Hof|shore טעם|Taam|taste
    קול|Kol|voice שדה|Sade|field
  second: הזית|HaZayit|olive השמש|HaShemesh|sun הגליל|HaGalil התמר|HaTamar|date_palm הדרור|HaDror|swallow
    הים|HaYam|sea הצפון|HaTzafon|north הרימון|HaRimon|pomegranate
  syllables: לי|li נו|no טל|tal רו|ru מי|mi דן|dan שי|shai גל|gal בר|bar יה|ya
  endings: ית|it קס|x ון|on לי|li טק|tek פארם|pharm נה|na
  surnames: בן־דרור|Ben-Dror אלמוג|Almog שקדי|Shkedi הרפז|Harpaz ברקת|Bareket צוריאל|Tzuriel
  givenNames: נועה|Noa איתי|Itai מיכל|Michal יונתן|Yonatan תמר|Tamar
  trades: תעשיות|Industries מזון|Foods טכנולוגיות|Technologies קוסמטיקה|Cosmetics תוכנה|Software שיווק|Marketing
`);

const arabic = language('ar', 'Arab', { joint: ' ' })(`
  first: نجمة|Najmat|star واحة|Wahat|oasis بيت|Bayt|house زهرة|Zahrat|flower قصر|Qasr|palace نور|Noor|light
    طعم|Taam|taste كنوز|Kunuz|treasures ركن|Rukn|corner
  second: الصحراء|Al_Sahra|desert الخليج|Al_Khaleej|gulf الشرق|Al_Sharq|east النخيل|Al_Nakheel|palms البحر|Al_Bahr|sea
    المدينة|Al_Madina|city القمر|Al_Qamar|moon الورد|Al_Ward|roses
  syllables: نو|nu را|ra سي|si لا|la ما|ma تا|ta في|fi جو|jo كا|ka دا|da
  endings: رين|rin كس|x نا|na لين|lin تك|tek فارما|pharma يا|ya
  surnames: الحربي|Al-Harbi الشمري|Al-Shammari القحطاني|Al-Qahtani الزهراني|Al-Zahrani العتيبي|Al-Otaibi
    الدوسري|Al-Dosari
  givenNames: محمد|Mohammed نورة|Noura عبدالله|Abdullah فاطمة|Fatimah خالد|Khalid
  trades: التجارية|Trading للصناعات|Industries للأغذية|Foods الطبية|Medical للعطور|Perfumes للتقنية|Technology
`);

const hindi = language('hi', 'Deva', { joint: ' ' })(`
  first: स्वर्ण|Swarna|gold नव|Nav|new शुद्ध|Shuddh|pure गंगा|Ganga राज|Raj|royal सूर्य|Surya|sun
    मंगल|Mangal|auspicious हरित|Harit|green शक्ति|Shakti|power
  second: ज्योति|Jyoti|light मसाला|Masala|spice चाय|Chai|tea आयुर्वेद|Ayurveda भारत|Bharat धारा|Dhara|stream
    कमल|Kamal|lotus क्षेत्र|Kshetra|field दर्शन|Darshan|vision
  syllables: म|ma नि|ni रा|ra सु|su की|ki ले|le दे|de बो|bo त|ta पी|pi
  endings: का|ka ना|na क्स|x लिन|lin को|ko टेक|tek
  surnames: शर्मा|Sharma वर्मा|Verma गुप्ता|Gupta मिश्रा|Mishra अग्रवाल|Agrawal चौधरी|Choudhary
  givenNames: राजेश|Rajesh प्रिया|Priya संजय|Sanjay अनीता|Anita विक्रम|Vikram
  trades: फूड्स|Foods फार्मा|Pharma टेक्सटाइल्स|Textiles इंडस्ट्रीज|Industries एग्रो|Agro ट्रेडर्स|Traders
`);

export const OTHER_SCRIPTS = { russian, greek, hebrew, arabic, hindi };
