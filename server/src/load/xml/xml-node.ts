/**
 * One element of a record, as plain data. Names are local names (no prefix): the offices of one family differ only in
 * their namespaces. Text is kept exactly as the source states it; `childText` trims and folds nothing but the ends.
 */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  /** The element's own character data. Blanks between child elements are left out. */
  readonly text: string;
}

/** Called with what a reader asks of an element: a path of child names, or `@` and the name of an attribute. */
type ReadObserver = (node: XmlNode, path: string, isFound: boolean) => void;

let observer: ReadObserver | null = null;

/** For the audit, which lists what readers ask for and no real file has. Null ends it. */
export function observeReads(next: ReadObserver | null): void {
  observer = next;
}

/** A reader asks for an attribute or a path without the functions here. */
export function noteRead(node: XmlNode, path: string, isFound: boolean): void {
  observer?.(node, path, isFound);
}

const splitPaths = new Map<string, readonly string[]>();

/** Steps of a path such as `case-file-header/filing-date`. Paths are constants of the code, so each is split once. */
function pathSteps(path: string): readonly string[] {
  let steps = splitPaths.get(path);
  if (steps === undefined) {
    steps = path.split('/');
    splitPaths.set(path, steps);
  }
  return steps;
}

/** Every element at the end of a path of child names, in document order, through all branches. */
export function listChildren(node: XmlNode, path: string): XmlNode[] {
  let level: XmlNode[] = [node];
  for (const step of pathSteps(path)) {
    const next: XmlNode[] = [];
    for (const parent of level) {
      for (const child of parent.children) if (child.name === step) next.push(child);
    }
    level = next;
    if (next.length === 0) break;
  }
  observer?.(node, path, level.length > 0);
  return level;
}

/** The first element at the end of a path of child names; null when there is none. */
export function findChild(node: XmlNode, path: string): XmlNode | null {
  let current: XmlNode = node;
  for (const step of pathSteps(path)) {
    const child = current.children.find((candidate) => candidate.name === step);
    if (child === undefined) {
      observer?.(node, path, false);
      return null;
    }
    current = child;
  }
  observer?.(node, path, true);
  return current;
}

/** The trimmed text of an element; null when there is none: a missing, an empty and a blank element say the same. */
export function nodeText(node: XmlNode): string | null {
  const text = node.text.trim();
  return text === '' ? null : text;
}

/** The trimmed text of the first element at the end of a path; null when it is missing, empty or blank. */
export function childText(node: XmlNode, path: string): string | null {
  const child = findChild(node, path);
  return child === null ? null : nodeText(child);
}

/** Every element of that name below a node, at any depth, in document order. */
export function listDescendants(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...listDescendants(child, name)]);
}
