/**
 * Finds the edition of a file's format, and when the file was made, as far as its beginning states them. One table
 * names the places where registers state it.
 */
import type { Head, XmlHead } from '../formats/head.ts';

export interface VintageFact {
  what: string;
  value: string;
}

const VALUE_LENGTH_MAX = 200;

/** Elements and `element@attribute` of the files that are read; `*` is the root element. */
const PLACES: readonly (readonly [what: string, place: string])[] = [
  ['version', 'version-no'],
  ['version date', 'version-date'],
  ['version', 'version'],
  ['version of the document type', '*@dtd-version'],
  ['version of ST.96', '*@st96Version'],
  ['version of the office', '*@ipoVersion'],
  ['made', 'creation-datetime'],
  ['made', 'RequestProducerDateTime'],
  ['made', '*@create-date'],
  ['made', '*@timestamp'],
  ['number of the gazette', 'revista@numero'],
  ['date of the gazette', 'revista@data'],
  ['date of the gazette', '*@PublicationDate'],
];

/** Empty if the file states nothing about itself, as lines of records do. */
export function listVintage({ xml }: Head): VintageFact[] {
  if (xml === null) return [];
  const facts: VintageFact[] = [];
  const add = (what: string, value: string | null | undefined): void => {
    const isNews = value && !facts.some((fact) => fact.what === what && fact.value === value);
    if (isNews) facts.push({ what, value: value.slice(0, VALUE_LENGTH_MAX) });
  };
  add('root element', xml.root.name);
  for (const namespace of listNamespaces(xml)) add('namespace', namespace);
  add('schema', findSchema(xml));
  add('document type', xml.doctype);
  for (const [what, place] of PLACES) {
    const [element, attribute] = place.replace('*', xml.root.name).split('@');
    add(what, attribute === undefined ? xml.texts.get(place) : xml.attributes.get(`${element}@${attribute}`));
  }
  return facts;
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const NAMESPACES_MAX = 10;

function listNamespaces({ root }: XmlHead): string[] {
  const stated = Object.entries(root.attributes).filter(([name]) => /^xmlns(:|$)/.test(name));
  return [...new Set(stated.map(([, value]) => value))].filter((value) => value !== XSI).slice(0, NAMESPACES_MAX);
}

/** The last part of the schema location, such as `EM-TM-TradeMark-V3-4.xsd`. */
function findSchema({ root, attributes }: XmlHead): string | undefined {
  const stated =
    attributes.get(`${root.name}@schemaLocation`) ?? attributes.get(`${root.name}@noNamespaceSchemaLocation`);
  return stated
    ?.trim()
    .split(/[\s/]+/)
    .at(-1);
}
