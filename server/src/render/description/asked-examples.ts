/** Examples of answers to lists of numbers and identities. */
import type { AskedRegister, IdentitiesPage, NumbersPage } from '@tmds/contract/asked';
import type { TrademarkDetail } from '@tmds/contract/record';

const askedRegisters: AskedRegister[] = [
  { jurisdiction_code: 'EM', complete_through: '2026-11-25', late: false, gaps: 0, rejects: 0, searched: true },
  { jurisdiction_code: 'US', complete_through: '2026-11-20', late: true, gaps: 0, rejects: 3, searched: true },
];

export function buildAskedExamples(record: TrademarkDetail) {
  return {
    numbers: {
      items: [record],
      asked: [
        { jurisdiction_code: 'US', number: '97/123456', positions: [0] },
        { jurisdiction_code: 'EM', number: '018000001', positions: [] },
      ],
      coverage: askedRegisters,
      next_cursor: null,
    } satisfies NumbersPage,
    identities: {
      items: [record],
      asked: [
        { jurisdiction_code: record.jurisdiction_code, uid: record.uid, position: 0 },
        { jurisdiction_code: 'EM', uid: 'EM500000018000001', position: null },
      ],
      coverage: askedRegisters,
    } satisfies IdentitiesPage,
  };
}
