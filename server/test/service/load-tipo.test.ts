/** The two shapes of the Taiwanese office describe the same marks, each in part. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { tipoFormat } from '../../src/load/formats/tipo/adapter.ts';
import { createTestDatabase } from '../support/database.ts';
import { loadSources, UNLIMITED } from '../support/loads.ts';
import { openText } from '../support/texts.ts';

const GAZETTE = `<RegContentList total-count="1"><RegContent no="1"><CaseNo>110000001</CaseNo>
  <RegisterNo>02200001</RegisterNo><Filing_Date>110.01.05</Filing_Date><SDate>111.03.16</SDate>
  <RegContentOwner><AChinese>青山有限公司</AChinese></RegContentOwner></RegContent></RegContentList>`;

const APPLICATION = `<tmarkappl><tmarkcontent><appl-no>110000001</appl-no><appl-date>2021/01/05</appl-date>
  <tmark-draft-e>BLUE HILL</tmark-draft-e><goodsclasses><goodsclass><goodsclass-code>041</goodsclass-code>
  <goods-name>補習班</goods-name></goodsclass></goodsclasses><parties><applicants><applicant>
  <chinese-name>青山有限公司</chinese-name><country-code>TW</country-code></applicant></applicants></parties>
  </tmarkcontent></tmarkappl>`;

test('application data and gazettes add up to one mark in either order [I-22]', async (t) => {
  for (const order of [
    [GAZETTE, APPLICATION],
    [APPLICATION, GAZETTE],
  ]) {
    const { db } = await createTestDatabase(t, UNLIMITED);
    for (const text of order) {
      await loadSources(db, { sources: [openText('tipo.xml', [text])], format: tipoFormat });
    }
    const [row] = await db.query<{ detail: string; document: string }>(
      sql`select detail, document from record join payload using (jurisdiction_code, uid)`,
    );
    const record = JSON.parse(row?.detail ?? '{}');
    assert.deepEqual(
      [
        record.status,
        record.registration_number,
        record.registration_date,
        record.nice_classes,
        record.owner_countries,
      ],
      ['Registered', '02200001', '2022-03-16', [41], ['TW']],
    );
    assert.deepEqual(JSON.parse(row?.document ?? '{}').goods_and_services, [
      { scheme: 'nice', class: '041', texts: [{ text: '補習班' }] },
    ]);
  }
});
