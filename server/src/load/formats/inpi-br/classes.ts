/** The classes of a `processo`: Nice classes in both layouts, the office's own before them, and Vienna codes. */

import {
  type ClassEntry,
  type ClassificationSection,
  type GoodsAndServices,
  isSilent,
  listOrNull,
  type MarkImage,
  stated,
} from '../document.ts';
import type { Element } from '../element.ts';
import { listNiceClasses, readViennaCodes } from '../meanings.ts';

/** Directly below the `processo` until 2019, in a list since 2020. */
const NICE_PATHS = ['classe-nice', 'lista-classe-nice/classe-nice'];
const NATIONAL_PATH = 'classe-nacional';
const VIENNA_PATH = 'classes-vienna';

interface Classes {
  niceClasses: number[] | null;
  viennaCodes: string[] | null;
  goods: GoodsAndServices[];
  classification: ClassificationSection;
  images: MarkImage[];
}

export function readClasses(root: Element): Classes {
  const nice = NICE_PATHS.flatMap((path) => root.list(path)).map(readNice);
  const national = root.list(NATIONAL_PATH).map(readNational);
  const numbers = nice.flatMap(({ code }) => code ?? []);
  const vienna = readVienna(root);
  const classes = listNiceClasses(root, { path: 'classe-nice@codigo', texts: numbers, isStrict: true });
  return {
    niceClasses: listOrNull(classes),
    viennaCodes: readViennaCodes(root, `${VIENNA_PATH}/classe-vienna@codigo`, vienna.codes),
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

function readNice(node: Element): ClassOfGoods {
  const code = node.attribute('codigo');
  const edition = node.attribute('edicao');
  return {
    code,
    edition,
    goods: stated<GoodsAndServices>({
      scheme: 'nice',
      class: code,
      texts: node.texts('especificacao').map((text) => ({ text })),
      details: stated({ translations: node.texts('traducao-especificacao') }),
    }),
    entry: stated<ClassEntry>({
      international_codes: code === null ? null : [code],
      // The status of this class, not of the mark.
      status_text: node.text('status'),
      details: stated({ edition }),
    }),
  };
}

/** A class of the office's own classification, with the numbers of its subclasses. */
function readNational(node: Element): ClassOfGoods {
  const code = node.attribute('codigo');
  const subclasses = node
    .list('sub-classes-nacional/sub-classe-nacional')
    .flatMap((child) => child.attribute('codigo') ?? []);
  return {
    code,
    edition: null,
    goods: stated<GoodsAndServices>({
      scheme: 'national',
      class: code,
      texts: node.texts('especificacao').map((text) => ({ text })),
    }),
    entry: stated<ClassEntry>({
      national_codes: code === null ? null : [code],
      details: stated({ subclasses }),
    }),
  };
}

/** Until 2019 the list states the edition, since 2020 each code; the document has them in the same order. */
function readVienna(root: Element): { codes: string[]; images: MarkImage[] } {
  const lists = root.list(VIENNA_PATH);
  const nodes = lists.flatMap((list) => list.list('classe-vienna'));
  const codes = nodes.flatMap((node) => node.attribute('codigo') ?? []);
  const editions = [...lists, ...nodes].flatMap((node) => node.attribute('edicao') ?? []);
  const image = stated<MarkImage>({ vienna_codes: codes, details: stated({ vienna_editions: editions }) });
  return { codes, images: isSilent(image) ? [] : [image] };
}
