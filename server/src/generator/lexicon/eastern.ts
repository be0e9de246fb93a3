/** Vocabulary of Chinese, Japanese, Korean and Thai, as a declared table: generic words, nobody's marks. */
import { language } from './language.ts';

const simplified = language('zh', 'Hans', { joint: '', latinJoint: ' ', surnameFirst: true })(`
  first: 金龙|Jinlong|golden_dragon 华美|Huamei|splendid 瑞福|Ruifu|lucky_blessing 天然|Tianran|natural 东方|Dongfang|orient
    康乐|Kangle|healthy_joy 鑫源|Xinyuan 绿洲|Lüzhou|oasis 云海|Yunhai|sea_of_clouds 春晓|Chunxiao|spring_dawn
    老城|Laocheng|old_town 明珠|Mingzhu|bright_pearl 红叶|Hongye|red_leaf 星辰|Xingchen|stars 青山|Qingshan|green_hills
    百味|Baiwei|hundred_flavours 小鹿|Xiaolu|little_deer 极光|Jiguang|aurora 远航|Yuanhang|far_voyage 同心|Tongxin|one_heart
  second: 堂|Tang|hall 坊|Fang|workshop 斋|Zhai|studio 记|Ji 轩|Xuan|pavilion 园|Yuan|garden 之家|Zhijia|home 优品|Youpin|select
    生活|Shenghuo|living 科技|Keji|technology 茶业|Chaye|tea 食品|Shipin|food 良品|Liangpin|good_goods 世家|Shijia|family
    时光|Shiguang|times
  syllables: 瑞|rui 福|fu 康|kang 美|mei 佳|jia 安|an 宝|bao 丽|li 达|da 维|wei 诺|nuo 恒|heng 嘉|jia 信|xin 和|he 泰|tai 盛|sheng
    隆|long 兰|lan 雅|ya 思|si 迪|di 奥|ao 尚|shang 悦|yue 凯|kai 博|bo 赛|sai 莱|lai 森|sen 优|you 可|ke 米|mi 朗|lang
  endings: 斯|si 尔|er 特|te 克|ke 娜|na 亚|ya 乐|le 士|shi 宝|bao 丰|feng 源|yuan 达|da
  surnames: 王|Wang 李|Li 张|Zhang 刘|Liu 陈|Chen 杨|Yang 赵|Zhao 黄|Huang 周|Zhou 吴|Wu 徐|Xu 孙|Sun 胡|Hu 朱|Zhu
  givenNames: 建国|Jianguo 晓梅|Xiaomei 志强|Zhiqiang 丽华|Lihua 伟|Wei 静|Jing 海涛|Haitao 雪|Xue 明远|Mingyuan 春燕|Chunyan 宇航|Yuhang
    佳怡|Jiayi
  trades: 科技|Technology 食品|Food 服饰|Garments 电子|Electronics 医药|Pharmaceutical 化妆品|Cosmetics 贸易|Trading 网络|Network
    家具|Furniture 实业|Industrial 茶业|Tea 玩具|Toys 文化传媒|Culture_Media 酒业|Liquor 五金|Hardware 汽车配件|Auto_Parts
`);

const traditional = language('zh-tw', 'Hant', { joint: '', latinJoint: ' ', surnameFirst: true })(`
  first: 金龍|Jinlong|golden_dragon 華美|Huamei|splendid 寶島|Baodao|treasure_island 鳳凰|Fenghuang|phoenix 東方|Dongfang|orient
    綠野|Lvye|green_field 雲林|Yunlin 明珠|Mingzhu|bright_pearl 豐年|Fengnian|harvest_year 鐵馬|Tiema|iron_horse
    麗景|Lijing|fine_view 藝境|Yijing 龜山|Guishan 鹽田|Yantian|salt_field 樂活|Lehuo|joyful_life
  second: 堂|Tang|hall 茶園|Chayuan|tea_garden 記|Ji 軒|Xuan|pavilion 館|Guan|house 樓|Lou 工坊|Gongfang|workshop
    生技|Shengji|biotech 廚房|Chufang|kitchen 書屋|Shuwu|bookshop 國際|Guoji|international
  syllables: 瑞|rui 寶|bao 麗|li 達|da 維|wei 諾|nuo 恆|heng 嘉|jia 泰|tai 聖|sheng 蘭|lan 爾|er 奧|ao 凱|kai 賽|sai 萊|lai 優|you 樂|le
    鑫|xin 豐|feng 圓|yuan 億|yi
  endings: 斯|si 爾|er 特|te 克|ke 娜|na 亞|ya 樂|le 寶|bao 豐|feng 達|da
  surnames: 陳|Chen 林|Lin 黃|Huang 張|Chang 吳|Wu 劉|Liu 蔡|Tsai 楊|Yang 許|Hsu 鄭|Cheng 謝|Hsieh 郭|Kuo
  givenNames: 淑芬|Shu-Fen 志明|Chih-Ming 雅婷|Ya-Ting 俊傑|Chun-Chieh 美玲|Mei-Ling 家豪|Chia-Hao 怡君|Yi-Chun 冠宇|Kuan-Yu
  trades: 科技|Technology 食品|Foods 國際|International 企業|Enterprise 生物科技|Biotech 貿易|Trading 電子|Electronics 實業|Industrial
    化粧品|Cosmetics 紡織|Textile 建設|Construction
`);

const japanese = language('ja', 'Jpan', { joint: '', latinJoint: ' ', surnameFirst: true })(`
  first: 桜|Sakura|cherry_blossom 富士見|Fujimi|Fuji_view 月の|Tsukino|of_the_moon 花|Hana|flower 雪国|Yukiguni|snow_country
    山里|Yamazato|mountain_village 海|Umi|sea 和|Wa|harmony 匠|Takumi|craftsman 森の|Morino|of_the_forest ひかり|Hikari|light
    みどり|Midori|green 北の|Kitano|northern 夕日|Yuhi|evening_sun 銀|Gin|silver おいしい|Oishii|tasty
  second: 庵|An|hermitage 屋|Ya|shop 工房|Koubou|workshop 本舗|Honpo 堂|Dou|hall の里|no_Sato|village 便り|Dayori|tidings
    日和|Biyori|weather 茶屋|Chaya|teahouse キッチン|Kitchen|kitchen ラボ|Lab|lab 物語|Monogatari|story 亭|Tei 暮らし|Kurashi|living
    倶楽部|Club|club
  syllables: ア|a イ|i エ|e カ|ka キ|ki ク|ku コ|ko サ|sa シ|shi ス|su セ|se ソ|so タ|ta テ|te ト|to ナ|na ニ|ni ネ|ne ノ|no ハ|ha ヒ|hi
    フ|fu マ|ma ミ|mi モ|mo ユ|yu ラ|ra リ|ri ル|ru レ|re ロ|ro ビ|bi ダ|da ジ|ji
  endings: ン|n ックス|x ール|l リア|ria ット|t ーナ|na ス|s ード|do ル|ru ーレ|re ィオ|io
  surnames: 佐々木|Sasaki 高橋|Takahashi 渡辺|Watanabe 小林|Kobayashi 山口|Yamaguchi 井上|Inoue 木村|Kimura 清水|Shimizu 石川|Ishikawa
    前田|Maeda 藤原|Fujiwara 岡本|Okamoto 中島|Nakajima 三浦|Miura
  givenNames: 太郎|Taro 花子|Hanako 健一|Kenichi 美咲|Misaki 翔太|Shota 陽子|Yoko 大輔|Daisuke さくら|Sakura 直樹|Naoki 恵|Megumi
  trades: 製薬|Pharmaceutical 食品|Foods 工業|Industries 商事|Trading 化粧品|Cosmetics 電機|Electric 酒造|Brewery 製菓|Confectionery
    システム|Systems 出版|Publishing 自動車|Motors 建設|Construction 化学|Chemical 物産|Products
`);

const korean = language('ko', 'Hang', { joint: ' ', surnameFirst: true })(`
  first: 푸른|Pureun|blue 맑은|Malgeun|clear 한강|Hangang 하늘|Haneul|sky 참|Cham|true 고운|Goun|fine 새벽|Saebyeok|dawn
    별빛|Byeolbit|starlight 우리|Uri|our 달콤한|Dalkomhan|sweet 온|On|whole 들꽃|Deulkkot|wild_flower 바른|Bareun|upright
    산들|Sandeul 늘|Neul|always
  second: 마을|Maeul|village 식탁|Siktak|table 이야기|Iyagi|story 숲|Sup|forest 정원|Jeongwon|garden 공방|Gongbang|workshop
    나무|Namu|tree 바다|Bada|sea 가게|Gage|shop 떡집|Tteokjip|rice_cake_house 연구소|Yeonguso|institute 한의원|Hanuiwon|clinic
    교실|Gyosil|class 약속|Yaksok|promise
  syllables: 아|a 이|i 라|ra 리|ri 나|na 미|mi 소|so 비|bi 코|ko 디|di 온|on 셀|sel 바|ba 린|rin 루|ru 에|e 스|seu 토|to 마|ma 메|me 하|ha
    유|yu 진|jin 솔|sol 테|te
  endings: 아|a 스|seu 엔|en 나|na 텍|tek 온|on 빈|bin 랩|raep 엘|el 션|syeon 팜|pam
  surnames: 김|Kim 이|Lee 박|Park 최|Choi 정|Jung 강|Kang 조|Cho 윤|Yoon 장|Jang 임|Lim 한|Han 오|Oh
  givenNames: 민준|Min-jun 서연|Seo-yeon 지훈|Ji-hoon 수진|Su-jin 영호|Young-ho 은정|Eun-jung 하늘|Ha-neul 도윤|Do-yoon 미경|Mi-kyung
  trades: 식품|Foods 전자|Electronics 제약|Pharm 화학|Chemical 코스메틱|Cosmetics 바이오|Bio 산업|Industries 테크|Tech
    엔터테인먼트|Entertainment 건설|Construction 푸드|Food 에너지|Energy 무역|Trading
`);

const thai = language('th', 'Thai', { joint: '', latinJoint: ' ' })(`
  first: บ้าน|Baan|home ดอก|Dok|flower ทอง|Thong|gold น้ำ|Nam|water ครัว|Khrua|kitchen ชา|Cha|tea ช้าง|Chang|elephant
    ศรี|Sri สวน|Suan|garden
  second: ไทย|Thai|Thai สยาม|Siam บัว|Bua|lotus แก้ว|Kaew|crystal ใส|Sai|clear ดี|Dee|good สุข|Suk|joy
    เหนือ|Nuea|north ใต้|Tai|south
  syllables: มา|ma ลี|li นา|na โก|ko ซี|si วี|wi ตา|ta พา|pha รา|ra เม|me โล|lo
  endings: น่า|na โก้|ko ร่า|ra เท็ค|tek ลิน|lin โซ|so
  surnames: ใจดี|Jaidee สุขสันต์|Suksan ทองคำ|Thongkham ศรีสวัสดิ์|Srisawat วงศ์ไทย|Wongthai บุญมี|Boonmee
  givenNames: สมชาย|Somchai มาลี|Malee วิชัย|Wichai นภา|Napha ธนา|Thana
  trades: อาหาร|Foods เทคโนโลยี|Technology การค้า|Trading เครื่องสำอาง|Cosmetics สิ่งทอ|Textile อุตสาหกรรม|Industries
`);

export const EASTERN = { simplified, traditional, japanese, korean, thai };
