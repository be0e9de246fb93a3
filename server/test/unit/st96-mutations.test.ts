/** Nothing is lost in silence: whatever happens to an element of a mark, the record says so, or an issue does. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Format } from '../../src/load/formats/format.ts';
import { usptoTsdrFormat } from '../../src/load/formats/uspto-tsdr/adapter.ts';
import { readXml } from '../../src/load/xml.ts';
import type { XmlNode } from '../../src/load/xml-node.ts';
import { listItems, takeAll } from '../support/formats.ts';
import { FULL_CASE, FULL_ST66_CASE } from '../support/st96.ts';

async function parse(source: string): Promise<XmlNode> {
  const root = /<([\w:]+)[\s>]/.exec(source.replace(/<\?.*?\?>/, ''))?.[1] ?? '';
  const selection = { records: new Set([root]), envelope: new Set<string>(), checkRoot: () => undefined };
  const stream = Readable.from([Buffer.from(source)]);
  const [item] = await takeAll(readXml({ name: 'fixture.xml', stream }, selection));
  assert.ok(item?.kind === 'element');
  return item.node;
}

const escapeText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

function write({ name, attributes, children, text }: XmlNode): string {
  const stated = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(value)}"`);
  return `<${name}${stated.join('')}>${escapeText(text)}${children.map(write).join('')}</${name}>`;
}

/** A tree keeps no namespaces; the one of the older answers tells what they are. */
const writeFile = (root: XmlNode): string =>
  write(root).replace(/^<Transaction>/, '<Transaction xmlns:x="urn:us:gov:doc:uspto:trademark:status">');

type Mutation = (node: XmlNode) => readonly XmlNode[];

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  removed: () => [],
  doubled: (node) => [node, node],
  emptied: (node) => [{ ...node, text: '', children: [], attributes: {} }],
  misspelt: (node) => [{ ...node, name: `${node.name}X` }],
  moved: (node) => [{ name: 'Elsewhere', attributes: {}, text: '', children: [node] }],
};

/** The tree with the mutation at one place, counted in document order from the root's first child. */
function mutate(root: XmlNode, place: number, mutation: Mutation): XmlNode {
  let seen = 0;
  const visit = (node: XmlNode): XmlNode => ({
    ...node,
    children: node.children.flatMap((child) => {
      const here = seen++ === place;
      const visited = visit(child);
      return here ? mutation(visited) : [visited];
    }),
  });
  return visit(root);
}

const isSaying = (node: XmlNode): boolean =>
  node.text.trim() !== '' ||
  Object.keys(node.attributes).some((name) => name !== 'sequenceNumber') ||
  node.children.some(isSaying);

function listNodes(root: XmlNode): XmlNode[] {
  return root.children.flatMap((child) => [child, ...listNodes(child)]);
}

async function outcome(format: Format, source: string): Promise<string> {
  try {
    const items = await listItems(format, source);
    return JSON.stringify(items.map((item) => (item.kind === 'record' ? [item.record, item.issues] : [item.reason])));
  } catch (error) {
    return String(error);
  }
}

/** Elements around a mark name the message, not the mark. */
const MESSAGE = new Set(['TransactionCode', 'TransactionCategory']);

for (const [form, source] of [
  ['ST.96', FULL_CASE],
  ['ST.66', FULL_ST66_CASE],
] as const) {
  for (const [kind, mutation] of Object.entries(MUTATIONS)) {
    test(`an element of ${form} that is ${kind} shows in the record or in an issue`, async () => {
      const root = await parse(source);
      const expected = await outcome(usptoTsdrFormat, writeFile(root));
      assert.match(expected, /"uid":"US500000097000001"/);
      const silent: string[] = [];
      for (const [place, node] of listNodes(root).entries()) {
        if (!isSaying(node) || MESSAGE.has(node.name)) continue;
        const found = await outcome(usptoTsdrFormat, writeFile(mutate(root, place, mutation)));
        if (found === expected) silent.push(`${node.name} ${node.text.trim()}`);
      }
      assert.deepEqual(silent, []);
    });
  }
}
