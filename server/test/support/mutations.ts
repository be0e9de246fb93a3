/**
 * Changes to a source file, one at a time, that a reader must notice. Every element and every attribute of a record is
 * removed, doubled, emptied, misspelt and moved.
 */

export interface Mutation {
  /** What was changed, by its path below the record: `Applicant/Name@languageCode`. */
  place: string;
  kind: 'removed' | 'doubled' | 'emptied' | 'misspelt' | 'moved';
  text: string;
}

interface Attribute {
  name: string;
  start: number;
  end: number;
}

interface Element {
  name: string;
  parent: Element | null;
  start: number;
  /** Just after the start tag. */
  inner: number;
  /** Where the end tag starts. */
  close: number;
  end: number;
  attributes: Attribute[];
}

const TAG = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;

/** In document order. The text is well-formed, without comments and CDATA. */
function listElements(xml: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  for (const match of xml.matchAll(TAG)) {
    const [tag, closing, name = '', attributes = '', empty] = match;
    const end = match.index + tag.length;
    if (closing === '/') {
      const element = open.pop();
      if (element !== undefined) Object.assign(element, { close: match.index, end });
      continue;
    }
    const first = match.index + 1 + name.length;
    const element: Element = {
      ...{ name, parent: open.at(-1) ?? null, start: match.index, inner: end, close: end, end },
      attributes: [...attributes.matchAll(ATTRIBUTE)].map((each) => ({
        name: each[1] ?? '',
        start: first + each.index,
        end: first + each.index + each[0].length,
      })),
    };
    elements.push(element);
    if (empty !== '/') open.push(element);
  }
  return elements;
}

/** `record`: the name of the element that holds a record; the file holds one. Its own attributes count, it does not. */
export function listMutations(xml: string, record: string): Mutation[] {
  const elements = listElements(xml);
  const root = elements.find(({ name }) => name === record);
  if (root === undefined) throw new Error(`no element ${record} in the file`);
  const inside = elements.filter(({ start, end }) => start >= root.start && end <= root.end);
  const pathOf = (element: Element): string =>
    element === root ? '' : `${element.parent === null ? '' : pathOf(element.parent)}/${element.name}`;
  return inside.flatMap((element) => {
    const place = pathOf(element).slice(1);
    return [
      ...(element === root ? [] : mutateElement(xml, element, root, place)),
      ...element.attributes
        .filter(({ name }) => !/^xmlns(:|$)/.test(name))
        .flatMap((attribute) => mutateAttribute(xml, element, attribute, `${place}@${attribute.name}`)),
    ];
  });
}

function mutateElement(xml: string, element: Element, root: Element, place: string): Mutation[] {
  const { name, start, inner, close, end, parent } = element;
  const whole = xml.slice(start, end);
  const content = xml.slice(inner, close);
  // What says nothing has nothing to lose; attributes are changed separately.
  if (content.replace(TAG, '').trim() === '') return [];
  const put = (text: string): string => xml.slice(0, start) + text + xml.slice(end);
  const tag = xml.slice(start + 1 + name.length, inner);
  // A child of the record leaves the record, any other element leaves its parent.
  const goal = parent === null || parent === root ? root.end : (parent.parent?.close ?? root.end);
  return [
    { place, kind: 'removed', text: put('') },
    { place, kind: 'doubled', text: put(whole + whole) },
    { place, kind: 'emptied', text: put(`<${name}/>`) },
    { place, kind: 'misspelt', text: put(`<${name}x${tag}${content}${close === end ? '' : `</${name}x>`}`) },
    { place, kind: 'moved', text: xml.slice(0, start) + xml.slice(end, goal) + whole + xml.slice(goal) },
  ];
}

function mutateAttribute(xml: string, element: Element, { name, start, end }: Attribute, place: string): Mutation[] {
  const whole = xml.slice(start, end);
  const put = (text: string): string => xml.slice(0, start) + text + xml.slice(end);
  const { parent } = element;
  // To the element around it, as a new name if that has one of this name.
  const goal = parent === null ? null : parent.start + 1 + parent.name.length;
  const moved = whole.replace(name, parent?.attributes.some((other) => other.name === name) ? `${name}x` : name);
  return [
    { place, kind: 'removed', text: put('') },
    { place, kind: 'doubled', text: put(whole + whole) },
    { place, kind: 'emptied', text: put(` ${name}=""`) },
    { place, kind: 'misspelt', text: put(whole.replace(name, `${name}x`)) },
    ...(goal === null
      ? []
      : [
          { place, kind: 'moved' as const, text: xml.slice(0, goal) + moved + xml.slice(goal, start) + xml.slice(end) },
        ]),
  ];
}
