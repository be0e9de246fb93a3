/** Mutates the elements of a fixture one at a time: removed, doubled, emptied, misspelt or moved. */

interface Element {
  name: string;
  start: number;
  /** Just after the start tag. */
  inner: number;
  /** Where the end tag starts. */
  close: number;
  end: number;
  parent: Element | null;
}

export interface Mutation {
  title: string;
  text: string;
}

/** Descendants of elements of that name, in well-formed XML without comments and CDATA. */
function listElements(xml: string, below: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  for (const match of xml.matchAll(/<(\/?)([\w:.-]+)[^<>]*?(\/?)>/g)) {
    const [tag, slash, name = '', empty] = match;
    const end = match.index + tag.length;
    if (slash === '/') {
      const element = open.pop();
      if (element !== undefined) Object.assign(element, { close: match.index, end });
      continue;
    }
    const element: Element = { name, start: match.index, inner: end, close: end, end, parent: open.at(-1) ?? null };
    elements.push(element);
    if (empty !== '/') open.push(element);
  }
  const isBelow = ({ parent }: Element): boolean => parent !== null && (parent.name === below || isBelow(parent));
  return elements.filter(isBelow);
}

function pathOf({ name, parent }: Element): string {
  return parent === null ? name : `${pathOf(parent)}/${name}`;
}

/** `below`: the element whose descendants are mutated one at a time. */
export function listMutations(xml: string, below: string): Mutation[] {
  return listElements(xml, below).flatMap((element) => {
    const { name, start, inner, close, end, parent } = element;
    const whole = xml.slice(start, end);
    const content = xml.slice(inner, close);
    const cut = (put: string): string => xml.slice(0, start) + put + xml.slice(end);
    const texts: Record<string, string | null> = {
      'taken out': cut(''),
      doubled: cut(whole + whole),
      emptied: content === '' ? null : cut(`<${name}/>`),
      misspelt: content === '' ? null : cut(`<${name}x>${content}</${name}x>`),
      // To the end of the grandparent.
      moved:
        parent?.parent == null || parent.name === below
          ? null
          : xml.slice(0, start) + xml.slice(end, parent.end) + whole + xml.slice(parent.end),
    };
    return Object.entries(texts).flatMap(([title, text]) =>
      text === null ? [] : [{ title: `${pathOf(element)} ${title}`, text }],
    );
  });
}
