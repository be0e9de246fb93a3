/**
 * Refuses an Excel file whose parts would be too large once they are unpacked, before any of them is. The sizes are
 * those of its table of contents; the reader unpacks no part beyond the size that is stated there.
 */
import yauzl from 'yauzl';

const PARTS_MAX = 2_000;
/** The parts that are read as a whole, and a sheet, which is read as a stream. */
const TEXTS_BYTES_MAX = 96 * 1024 * 1024;
const SHEET_BYTES_MAX = 400 * 1024 * 1024;
/** All parts together. A sheet of 200,000 marks has about 100 MB. */
const BYTES_MAX = 600 * 1024 * 1024;
/** What an empty part takes when it is packed. */
const EMPTY_BYTES_MAX = 16;

const TOO_LARGE = 'The file is too large once it is unpacked. Delete what is not needed, or save the sheet as CSV.';
const NOT_EXCEL = 'This is not an Excel file (.xlsx). Save the list as .xlsx or as CSV.';
const LOCKED = 'The file is protected by a password. Remove the password, or save the sheet as CSV.';

/** The mark of archives with sizes that need more than 32 bits, which no file that is taken here has. */
const LARGE_ARCHIVE = Buffer.from('PK\u0006\u0007', 'latin1');

/** Null if the file may be read. */
export async function findArchiveFault(bytes: Buffer): Promise<string | null> {
  if (bytes.includes(LARGE_ARCHIVE)) return NOT_EXCEL;
  try {
    return await checkParts(bytes);
  } catch {
    return 'The file is damaged. Save it again in Excel, or save the sheet as CSV.';
  }
}

function checkParts(bytes: Buffer): Promise<string | null> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (failure, archive) => {
      if (failure !== null) return reject(failure);
      const seen = new Set<string>();
      let total = 0;
      if (archive.entryCount > PARTS_MAX) return resolve(TOO_LARGE);
      archive.on('error', reject);
      archive.on('end', () => resolve(seen.has('xl/workbook.xml') ? null : NOT_EXCEL));
      archive.on('entry', (part: yauzl.Entry) => {
        const { fileName: name, uncompressedSize: size, compressedSize: packed } = part;
        total += size;
        const isSheet = /^xl\/worksheets\/[^/]*\.xml$/i.test(name);
        const isTooLarge = size > (isSheet ? SHEET_BYTES_MAX : TEXTS_BYTES_MAX) || total > BYTES_MAX;
        if (part.isEncrypted()) resolve(LOCKED);
        // A size of 0 would mean no bound to the reader, and of two parts of one name it would take either.
        else if (seen.has(name) || (size === 0 && packed > EMPTY_BYTES_MAX)) resolve(NOT_EXCEL);
        else if (isTooLarge) resolve(TOO_LARGE);
        else {
          seen.add(name);
          archive.readEntry();
        }
      });
      archive.readEntry();
    });
  });
}
