/** The classes of a `processo`: Nice classes in both layouts, the office's own before them, and Vienna codes. */
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { listOrNull, parseNiceClass, parseViennaCode } from '../codes.ts';
import type { IssueCode } from '../issues.ts';
import {
  type ClassEntry,
  type ClassificationSection,
  type GoodsAndServices,
  isSilent,
  type LanguageText,
  type MarkImage,
  stated,
} from '../payload.ts';
import { type Reading, raiseIssue, readAttribute, readText, readTexts } from '../reading.ts';

/** Directly below the `processo` until 2019, in a list since 2020. */
const NICE_PATHS = ['classe-nice', 'lista-classe-nice/classe-nice'];
const NATIONAL_PATH = 'classe-nacional';
const VIENNA_PATH = 'classes-vienna';

export interface Classes {
  niceClasses: number[] | null;
  viennaCodes: string[] | null;
  goods: GoodsAndServices[];
  classification: ClassificationSection;
  images: MarkImage[];
}

export function readClasses(reading: Reading): Classes {
  const nice = NICE_PATHS.flatMap((path) => listChildren(reading.root, path)).map((node) => readNice(reading, node));
  const national = listChildren(reading.root, NATIONAL_PATH).map((node) => readNational(reading, node));
  const codes = nice.map(({ code }) => code);
  const vienna = readVienna(reading);
  return {
    niceClasses: listCodes(reading, codes, { parse: parseNiceClass, path: 'classe-nice', issue: 'unmapped_class' }),
    viennaCodes: listCodes(reading, vienna.codes, {
      parse: parseViennaCode,
      path: `${VIENNA_PATH}/classe-vienna`,
      issue: 'unmapped_vienna_code',
    }),
    goods: [...nice, ...national].map(({ goods }) => goods).filter((goods) => !isSilent(goods)),
    classification: stated<ClassificationSection>({
      nice_version: nice.map(({ edition }) => edition).find((edition) => edition !== null),
      classes: [...nice, ...national].map(({ entry }) => entry).filter((entry) => !isSilent(entry)),
    }),
    images: vienna.images,
  };
}

interface ClassOfGoods {
  code: string | null;
  edition: string | null;
  goods: GoodsAndServices;
  entry: ClassEntry;
}

function readNice(reading: Reading, node: XmlNode): ClassOfGoods {
  const code = readAttribute(reading, node, 'codigo');
  const edition = readAttribute(reading, node, 'edicao');
  return {
    code,
    edition,
    goods: stated<GoodsAndServices>({
      scheme: 'nice',
      class: code,
      texts: toTexts(readTexts(reading, node, 'especificacao')),
      details: stated({ translations: readTexts(reading, node, 'traducao-especificacao') }),
    }),
    entry: stated<ClassEntry>({
      international_codes: code === null ? null : [code],
      // The status of this class, not of the mark.
      status_text: readText(reading, node, 'status'),
      details: stated({ edition }),
    }),
  };
}

/** A class of the office's own classification, with the numbers of its subclasses. */
function readNational(reading: Reading, node: XmlNode): ClassOfGoods {
  const code = readAttribute(reading, node, 'codigo');
  const subclasses = listChildren(node, 'sub-classes-nacional/sub-classe-nacional').flatMap((child) => {
    const subclass = readAttribute(reading, child, 'codigo');
    return subclass === null ? [] : [subclass];
  });
  return {
    code,
    edition: null,
    goods: stated<GoodsAndServices>({
      scheme: 'national',
      class: code,
      texts: toTexts(readTexts(reading, node, 'especificacao')),
    }),
    entry: stated<ClassEntry>({
      national_codes: code === null ? null : [code],
      details: stated({ subclasses }),
    }),
  };
}

function toTexts(texts: readonly string[]): LanguageText[] {
  return texts.map((text) => ({ text }));
}

/** Until 2019 the list states the edition, since 2020 each code; the document has them in the same order. */
function readVienna(reading: Reading): { codes: (string | null)[]; images: MarkImage[] } {
  const lists = listChildren(reading.root, VIENNA_PATH);
  const nodes = lists.flatMap((list) => listChildren(list, 'classe-vienna'));
  const codes = nodes.map((node) => readAttribute(reading, node, 'codigo'));
  const editions = [...lists, ...nodes].map((node) => readAttribute(reading, node, 'edicao'));
  const image = stated<MarkImage>({
    vienna_codes: codes.filter((code) => code !== null),
    details: stated({ vienna_editions: editions.filter((edition) => edition !== null) }),
  });
  return { codes, images: isSilent(image) ? [] : [image] };
}

interface CodeForm<Code> {
  parse: (text: string) => Code | null;
  path: string;
  issue: IssueCode;
}

function listCodes<Code>(
  reading: Reading,
  texts: readonly (string | null)[],
  { parse, path, issue }: CodeForm<Code>,
): Code[] | null {
  return listOrNull(
    texts.flatMap((text) => {
      if (text === null) return [];
      const code = parse(text);
      if (code === null) raiseIssue(reading, issue, `${path}@codigo`, text);
      return code === null ? [] : [code];
    }),
  );
}
