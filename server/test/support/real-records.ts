/** Records of the real register files next to the checkout, read as a load reads them. */
import { join } from 'node:path';
import { isSetFormat } from '../../src/load/formats/format.ts';
import { FORMATS } from '../../src/load/formats/registry.ts';
import { openSource } from '../../src/load/sources/source.ts';
import type { NormalizedRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { REAL_DATA, readEntries } from './formats.ts';
import { listRealFiles } from './real-files.ts';

/** Each record once, as the last file states it. Sets of joined tables become records only in a database: left out. */
export async function readRealRecords(which: { withLarge: boolean }): Promise<Map<string, NormalizedRecord>> {
  const records = new Map<string, NormalizedRecord>();
  for (const format of FORMATS) {
    if (format.name === 'ndjson' || (isSetFormat(format) && !format.readsFiles)) continue;
    for (const { path } of listRealFiles(format.name, which).files) {
      const source = await openSource(join(REAL_DATA, path));
      for await (const entry of source.entries((member) => format.accepts(member))) {
        for await (const item of readEntries(format, [entry], { register: null })) {
          if (item.kind !== 'record') continue;
          const record = normalizeRecord(item.record);
          records.set(`${record.jurisdiction_code} ${record.uid}`, record);
        }
      }
    }
  }
  return records;
}
