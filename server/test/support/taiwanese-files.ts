/** Files of the Taiwanese office for tests. Marks and parties are invented. */

export const ENTRY = `<RegContent no="1"><CaseNo>110000001</CaseNo><RegisterNo>02200001</RegisterNo>
  <Trademark_Name>青山 BLUE HILL及圖</Trademark_Name><Trademark_Design>(墨色)(立體)</Trademark_Design>
  <Filing_Date>109.12.15</Filing_Date><SDate>111.03.16</SDate><EDate>121.03.15</EDate>
  <Mark_Type>0</Mark_Type><ServiceMark>false</ServiceMark>
  <RegContentAgent><BChinese>甲乙丙</BChinese></RegContentAgent>
  <RegContentClassification><Class>035</Class></RegContentClassification>
  <RegContentOwner><AChinese>青山有限公司</AChinese><AEnglish>BLUE HILL LTD.</AEnglish></RegContentOwner></RegContent>`;

export const writeGazette = (entries: string, count = 1): string =>
  `<?xml version="1.0" encoding="utf-8"?><RegContentList total-count="${count}">${entries}</RegContentList>`;

export const APPLICATION = `<tmarkcontent sequence="1"><appl-no>100000009</appl-no><appl-date>2011/01/03</appl-date>
  <tmark-name>青山及圖</tmark-name><tmark-class>1</tmark-class><tmark-class-desc>證明標章</tmark-class-desc>
  <tmark-image-url><image-data-1>https://pictures.example/1</image-data-1><image-data-2 />
    <audio-filename>a.mp3</audio-filename></tmark-image-url>
  <tmark-type>5</tmark-type><tmark-type-desc>聲音</tmark-type-desc>
  <tmark-color>1</tmark-color><tmark-color-desc>墨色</tmark-color-desc>
  <tmark-draft-c>青山</tmark-draft-c><tmark-draft-e>BLUE HILL</tmark-draft-e><tmark-draft-j>ブルーヒル</tmark-draft-j>
  <tmark-sign>sign</tmark-sign><word-description>a blue hill</word-description><receive-date>2011/01/04</receive-date>
  <goodsclasses><goodsclass sequence="1"><goodsclass-code>041</goodsclass-code><goods-name>補習班</goods-name>
    <goods-group>4103</goods-group></goodsclass></goodsclasses>
  <parties><applicants><applicant sequence="1"><chinese-name>青山有限公司</chinese-name>
    <english-name>BLUE HILL LTD.</english-name><japanese-name>ブルーヒル</japanese-name><address>路1號</address>
    <country-code>TW</country-code><chinese-country-name>中華民國</chinese-country-name></applicant></applicants>
  <agents><agent sequence="1"><chinese-name>甲乙丙</chinese-name><address>路2號</address></agent></agents></parties>
  </tmarkcontent>`;

export const writeApplications = (entries: string): string => `\ufeff<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE tmarkappl SYSTEM "ftp://nowhere.example/tmarkappl.dtd">
<tmarkappl create-date="2019/06/26" dtd-version="B104.1.0">${entries}</tmarkappl>`;

export const writeAnswer = (entries: string, status: string, counts = '<top>25</top><skip>0</skip>'): string =>
  `<API><version>1.0</version><status>${status}</status><message>why</message>${counts}
    <total-count>1</total-count><tmarkappl page-count="1">${entries}</tmarkappl></API>`;
