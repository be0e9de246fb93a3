/** Every element that the German office's own schema allows in a mark is read or kept. */
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dashedDate } from '../../src/load/formats/dates.ts';
import { findChild, openElement } from '../../src/load/formats/element.ts';
import { foldValue } from '../../src/load/formats/meanings.ts';
import { st66Format } from '../../src/load/formats/st66/adapter.ts';
import { DPMA_DIALECT } from '../../src/load/formats/st66/dialects.ts';
import { readXml } from '../../src/load/xml/xml.ts';
import type { XmlNode } from '../../src/load/xml/xml-record.ts';
import { listTexts, REAL_DATA, readOne, skipWithout } from '../support/formats.ts';

const SCHEMA = 'dpma/DE-TM-Register-V1.1.xsd';

async function readSchema(): Promise<XmlNode> {
  const entry = { name: SCHEMA, stream: createReadStream(join(REAL_DATA, SCHEMA)) };
  const selection = { records: new Set(['schema']), envelope: new Set<string>(), checkRoot: () => {} };
  for await (const item of readXml(entry, selection)) if (item.kind === 'element') return item.node;
  throw new Error('the schema is empty');
}

interface Sample {
  xml: string;
  values: string[];
}

/** One of each element of a type, choices included, each with its own value where the schema leaves it open. */
function openSampler(schema: XmlNode): (element: XmlNode) => Sample {
  const types = new Map(schema.children.map((node) => [node.attributes.name ?? '', node]));
  let count = 0;
  const writeValue = (name: string, type: string, definition: XmlNode | undefined): string => {
    const [choice] = definition === undefined ? [] : openElement(definition, dashedDate).descendants('enumeration');
    if (name === 'CategoryCode') return '01.02.03';
    if (name === 'ClassNumber' || name === 'ProposedLeadingClassNumber') return '7';
    if (name.endsWith('CountryCode')) return 'AT';
    if (choice !== undefined) return choice.node.attributes.value ?? '';
    count++;
    if (type === 'xs:date' || name.endsWith('Date')) return `20${String(10 + (count % 80))}-01-02`;
    return name === 'RegistrationOfficeCode' ? 'DE' : `value ${count}.`;
  };
  return function sample(element: XmlNode): Sample {
    const name = element.attributes.name ?? (element.attributes.ref ?? '').replace('DE:', '');
    const type = element.attributes.type ?? '';
    const definition = findChild(element, 'complexType') ?? findChild(element, 'simpleType') ?? types.get(type);
    const inner = definition === undefined ? [] : listOwnElements(definition).map(sample);
    if (inner.length > 0) {
      const content = inner.map(({ xml }) => xml).join('');
      return { xml: `<${name}>${content}</${name}>`, values: inner.flatMap(({ values }) => values) };
    }
    const value = writeValue(name, type, definition);
    return { xml: `<${name}>${value}</${name}>`, values: [value] };
  };
}

/** Elements of a type itself, through its sequences and choices. */
function listOwnElements(node: XmlNode): XmlNode[] {
  return node.children.flatMap((child) => {
    if (child.name === 'element') return [child];
    return child.name === 'sequence' || child.name === 'choice' ? listOwnElements(child) : [];
  });
}

test('reads or keeps every element of the German schema [2.2.2]', { skip: skipWithout(SCHEMA) }, async () => {
  const schema = await readSchema();
  const mark = openSampler(schema)({
    name: 'element',
    attributes: { name: 'TradeMark', type: 'TradeMarkType' },
    children: [],
    text: '',
  });
  assert.ok(mark.values.length > 100, String(mark.values.length));
  const { record, issues } = await readOne(st66Format, mark.xml);
  assert.deepEqual(issues, []);
  const texts = new Set(listTexts(record).flatMap((text) => [text, ...text.split(/(?<=\.) /)]));
  assert.deepEqual(
    mark.values.filter((value) => !texts.has(value)),
    [],
  );
});

test('maps every status, kind and feature of the German schema [3, 4.3]', { skip: skipWithout(SCHEMA) }, async () => {
  const schema = await readSchema();
  for (const [type, table] of [
    ['MarkCurrentStatusCodeType', DPMA_DIALECT.statuses],
    ['KindMarkType', DPMA_DIALECT.kinds],
    ['MarkFeatureType', DPMA_DIALECT.features],
  ] as const) {
    const definition = openElement(schema, dashedDate)
      .list('simpleType')
      .find(({ node }) => node.attributes.name === type);
    const values = definition?.descendants('enumeration') ?? [];
    assert.ok(values.length > 1, type);
    for (const { node } of values) assert.ok(Object.hasOwn(table, foldValue(node.attributes.value ?? '')), type);
  }
});
