/**
 * What is expected of every real file next to the checkout: in which formats it loads and what comes of it, or why it
 * is refused, or that it is no register file at all. A file that is not listed fails the test: new ones are noticed.
 */

interface Loads {
  /** Each of them reads the same records. */
  readonly formats: readonly string[];
  readonly records: number;
  readonly rejected?: number;
  /** By code. */
  readonly issues?: Readonly<Record<string, number>>;
  readonly why?: string;
}

/** Files that the format refuses whole, or of which it makes no record, with the beginning of its reason. */
interface Refused {
  readonly refusedBy: string;
  readonly reason: RegExp;
}

/** Code tables, schemas, descriptions: nothing of a register, in no format. */
interface NoRegister {
  readonly holds: string;
}

export type Expectation = Loads | Refused | NoRegister;

const TSDR_ST96: Loads = { formats: ['uspto-tsdr', 'st96'], records: 1 };
const TSDR_ST66: Loads = { formats: ['uspto-tsdr'], records: 1 };
const CASE: Loads = { formats: ['uspto-apc'], records: 1 };
const EU_MARK: Loads = { formats: ['euipo', 'st66'], records: 1, issues: { waiting_party: 1 } };
const MARK: Loads = { formats: ['st66'], records: 1 };
const SEARCH_HITS = /not full records; no format reads that: load the (record|notice) of each mark/;
const PROCESSO: Loads = { formats: ['inpi-br'], records: 1 };
/** Statements about records of other files. */
const PARTY: Loads = { formats: ['st66'], records: 0 };
const statements = (format: string, waiting: number): Loads => ({
  formats: [format],
  records: 0,
  issues: { waiting_supplement: waiting },
});
const TTABVUE: Refused = { refusedBy: 'uspto-ttab', reason: /is not USPTO TTAB proceedings XML|encoding/ };
const korean = (records: number): Loads => ({ formats: ['kipris'], records });

/** By path; one that ends in a slash is a folder of that many files that belong together. */
export const REAL_FILES: Readonly<Record<string, Expectation & { readonly files?: number }>> = {
  'uspto/apc/apc180218-sample.xml': { formats: ['uspto-apc'], records: 11 },
  'uspto/apc/case-file-60000001.xml': CASE,
  'uspto/apc/case-file-60172053.xml': CASE,
  'uspto/apc/case-file-71060608.xml': CASE,
  'uspto/apc/opposition-79366581-1-before.xml': CASE,
  'uspto/apc/case-file-79366581.xml': CASE,
  'uspto/apc/revival-98186103-1-before.xml': CASE,
  'uspto/apc/revival-98186103-2-after.xml': CASE,
  'uspto/apc/case-file-70011210.whole.xml': CASE,
  'uspto/apc/two-case-files-70011210-79001917.SHORTENED.xml': { formats: ['uspto-apc'], records: 2 },

  'uspto/tsdr/rn2178784-ST-961_D3.xml': TSDR_ST96,
  'uspto/tsdr/rn2178784-ST-962.2.1.xml': TSDR_ST96,
  'uspto/tsdr/rn2178784-ST96-old.xml': TSDR_ST96,
  'uspto/tsdr/rn2178784-ST96.xml': TSDR_ST96,
  'uspto/tsdr/rn2713476-ST96-old.xml': TSDR_ST96,
  'uspto/tsdr/rn2713476-ST96.xml': TSDR_ST96,
  'uspto/tsdr/sn76044902-ST96.xml': TSDR_ST96,
  'uspto/tsdr/sn77478018-ST96.xml': TSDR_ST96,
  'uspto/tsdr/rn2178784-ST66.xml': TSDR_ST66,
  'uspto/tsdr/rn2713476-ST66.xml': TSDR_ST66,
  'uspto/tsdr/sn76044902-ST66.xml': TSDR_ST66,
  'uspto/tsdr/sn76044902.zip': { ...TSDR_ST66, issues: { unread_file: 13 }, why: 'it holds pictures and pages, too' },
  'uspto/tsdr/sn77478018-ST66.xml': TSDR_ST66,

  'euipo/EUTM-sample.zip': {
    ...{ formats: ['euipo'], records: 586, issues: { waiting_party: 556, unknown_vienna_category: 1 } },
    why: 'its parties are keys; the marks next to it are counted there',
  },
  'euipo/018222704.xml': EU_MARK,
  'euipo/018222714.xml': EU_MARK,
  'euipo/018226735.xml': EU_MARK,
  'euipo/018229061.xml': EU_MARK,
  'euipo/018229276.xml': EU_MARK,
  'inpi-fr/notice_EU19197838.SHORTENED.xml': EU_MARK,
  'ukipo/gb-tm-UK00003289573-data.xml': MARK,
  'prv-se/se-62281.TRIMMED.xml': MARK,
  'dpma/trademark_info.xml': MARK,
  'inpi-fr/notice_FR5189659.xml': MARK,
  'inpi-fr/notice_WO1892865.SHORTENED.xml': { ...MARK, issues: { unmapped_status: 1 }, why: 'it states no status' },
  'osim-ro/M-2012-00091.xml': MARK,
  'ukipo/gb-applicant-507772.xml': PARTY,
  'ukipo/gb-representative-9865.xml': PARTY,
  'dpma/trademark_search.xml': { refusedBy: 'st66', reason: SEARCH_HITS },
  'dpma/trademark_search_apple.FIRST12.xml': { refusedBy: 'st66', reason: SEARCH_HITS },
  'inpi-fr/search_dior.xml': { refusedBy: 'st66', reason: SEARCH_HITS },

  // The codes of the office are masked, too.
  'ch/trademark-search.MASKED.xml': { refusedBy: 'st96', reason: /the mark is of the office BC; CH is read here/ },
  'ch/trademark-by-number.EMPTY.xml': { formats: ['st96'], records: 0 },

  'kipris/applicant/120040373042.xml': korean(7),
  'kipris/applicant/120050011639.xml': korean(5),
  'kipris/applicant/120050421158.xml': korean(3),
  'kipris/applicant/120070120001.xml': korean(15),
  'kipris/applicant/120070345417.xml': korean(8),
  'kipris/applicant/120070353675.xml': korean(23),
  'kipris/applicant/120070385648.xml': korean(2),
  'kipris/applicant/120070509242.xml': korean(427),
  'kipris/other/Empty_TradeMarkInfo.xml': korean(0),
  'kipris/other/TradeMarkInfo.xml': korean(1),
  'kipris/other/advanced-search-2017.xml': korean(20),
  'kipris/other/test-page-1.xml': korean(6),
  'kipris/other/test-page-2.xml': korean(6),
  'kipris/other/Error_EmptyApplicationNumber.xml': { refusedBy: 'kipris', reason: /error answer with the code 10/ },
  'kipris/other/Error_InvalidKey.xml': { refusedBy: 'kipris', reason: /error answer with the code 30/ },
  'kipris/other/designated-goods-1989.xml': { refusedBy: 'kipris', reason: /goods of a mark/ },
  'kipris/other/TrademarkDesignationGoodstInfo.xml': { refusedBy: 'kipris', reason: /goods of a mark/ },
  'kipris/other/Empty_TrademarkDesignationGoodstInfo.xml': { refusedBy: 'kipris', reason: /^nothing is found in it/ },

  'tipo/gazette-index.xml': { formats: ['tipo'], records: 2434 },
  'tipo/tmarkappl-100000001.xml': { formats: ['tipo'], records: 1 },
  'tipo/tmarkappl-api.xml': {
    ...{ formats: ['tipo'], records: 25, issues: { delivery_remark: 1 } },
    why: 'the answer says that it is a sample',
  },

  'jpo/tsv/': {
    ...{ files: 51, formats: ['jpo'], records: 16, issues: { waiting_row: 76 } },
    why: 'most of its rows are about marks that no row of it describes',
  },

  'inpi-br/processo-828247935.xml': PROCESSO,
  'inpi-br/processo-829142282.xml': PROCESSO,
  'inpi-br/processo-829825584.xml': PROCESSO,
  'inpi-br/processo-902488309.xml': PROCESSO,
  'inpi-br/processo-920493416.xml': PROCESSO,
  'inpi-br/processo-classe-nacional.SHAPE.xml': PROCESSO,
  'inpi-br/revista-2240.xml': { formats: ['inpi-br'], records: 2 },
  'uspto/assignments/bulk-two-entries.xml': statements('uspto-assignments', 2),
  'uspto/ttab/bulk-daily-79412016.xml': statements('uspto-ttab', 1),
  'uspto/ttab/bulk-historical-97658985.xml': statements('uspto-ttab', 1),
  'uspto/ttab/ttabvue-exparte.SHAPE.xml': TTABVUE,
  'uspto/ttab/ttabvue-extension.SHAPE.xml': TTABVUE,
  'uspto/ttab/ttabvue-opposition.SHAPE.xml': TTABVUE,

  'uspto/tsdr-json/get_trademark_status.json': { holds: 'a case in the JSON of TSDR, which is not read' },
  'uspto/tsdr-json/get_trademark_multi_status.json': { holds: 'a case in the JSON of TSDR, which is not read' },
  'uspto/tsdr-json/tsdr-swagger.json': { holds: 'the description of a service' },
  'tmview/search-answer.SHORTENED.json': { holds: 'a hit of a search, not a record' },
  'euipo/trademark-search-openapi.json': { holds: 'the description of a service' },
  'dpma/openapi.yaml': { holds: 'the description of a service' },
  'dpma/DE-TM-Register-V1.1.xsd': { holds: 'a schema' },
  'inpi-br/revista.xsd': { holds: 'a schema' },
  'inpi-br/tabela-tags-atributos.md': { holds: 'a description of elements' },
  'uspto/dtd/': { files: 4, holds: 'type definitions' },
  'uspto/lookups/': { files: 8, holds: 'code tables' },
  'cipo/1057613.REBUILT.xml': { formats: ['st96'], records: 1 },
  'cipo/cipo_status_codes.csv': { holds: 'a code table' },
  'cipo/wipo_status_codes.csv': { holds: 'a code table' },
  'jpo/codes/': { files: 3, holds: 'code tables' },
  'jpo/columns.csv': { holds: 'a list of columns' },
  'vocab/': { files: 6, holds: 'code tables' },
  'PROVENANCE.md': { holds: 'where the files come from' },
};

/** How many different records all files of a format hold together. */
export const DIFFERENT_RECORDS: Readonly<Record<string, number>> = {
  'uspto-apc': 18,
  'uspto-tsdr': 4,
  st96: 5,
  euipo: 587,
  st66: 12,
  kipris: 517,
  tipo: 2460,
  jpo: 16,
  'inpi-br': 7,
  'uspto-assignments': 0,
  'uspto-ttab': 0,
};

/** Take long to read, so that only the proofs do; with the number of records that no other file states. */
const LARGE_FILES: Readonly<Record<string, number>> = {
  'euipo/EUTM-sample.zip': 581,
  'tipo/gazette-index.xml': 2434,
};

export const isLarge = (path: string): boolean => LARGE_FILES[path] !== undefined;

/** Real EU marks: those that lie there unpacked, or the archive. */
export function listEuMarks({ withLarge }: { withLarge: boolean }): { paths: readonly string[]; marks: number } {
  if (withLarge) return { paths: ['euipo/EUTM-sample.zip'], marks: 586 };
  const paths = Object.keys(REAL_FILES).filter((path) => /^euipo\/\d+\.xml$/.test(path));
  return { paths, marks: paths.length };
}

export interface RealFile extends Loads {
  readonly path: string;
}

/** The files that a format reads, and how many different records they hold together; the large ones on request. */
export function listRealFiles(
  format: string,
  { withLarge }: { withLarge: boolean },
): { files: readonly RealFile[]; different: number } {
  const all = Object.entries(REAL_FILES).flatMap(([path, each]) =>
    'formats' in each && each.formats.includes(format) ? [{ path, ...each }] : [],
  );
  const files = all.filter(({ path }) => withLarge || !isLarge(path));
  const left = all.filter((file) => !files.includes(file)).reduce((sum, { path }) => sum + LARGE_FILES[path]!, 0);
  return { files, different: (DIFFERENT_RECORDS[format] ?? 0) - left };
}
