/** Answers of the Korean service for tests. The mark and its parties are invented. */

const FIELDS: Readonly<Record<string, string>> = {
  SerialNumber: '1',
  ApplicationNumber: '4020200012345',
  AppReferenceNumber: 'A-17',
  ApplicationDate: '20200203',
  PublicNumber: '4020200054321',
  PublicDate: '20200708',
  RegistrationPublicNumber: '4020200099999',
  RegistrationPublicDate: '20201203',
  RegistrationNumber: '4016000010000',
  RegReferenceNumber: 'R-18',
  RegistrationDate: '20201201',
  PriorityClaimNumber: '88123456',
  PriorityClaimDate: '20190901',
  InternationalRegisterNumber: ' ',
  InternationalRegisterDate: ' ',
  ApplicationStatus: '등록',
  GoodClassificationCode: '42|09',
  ViennaCode: '260323|010305',
  ApplicantName: '가나다 주식회사',
  AgentName: '특허법인 하나|이두리',
  RegistrationRightholderName: '가나다 주식회사 Ganada Co., Ltd|홍길순',
  Title: '가나다 GANADA',
  FulltextExistFlag: 'Y',
  ImagePath: 'http://pictures.example/1',
  ThumbnailPath: 'http://pictures.example/2',
};

export function writeFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('\n');
}

export const writeMark = (changes: Readonly<Record<string, string>> = {}): string =>
  `<TradeMarkInfo>${writeFields({ ...FIELDS, ...changes })}</TradeMarkInfo>`;

export function writeAnswer(
  marks: readonly string[],
  header = '<resultCode></resultCode>',
  count = marks.length,
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<response><header>${header}<resultMsg></resultMsg></header><body><items>
<TotalSearchCount>${count}</TotalSearchCount>${marks.join('\n')}</items></body></response>`;
}
