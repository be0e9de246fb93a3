/**
 * The elements of one record, as a format reads them. Each read is noted, and anything unread at the end becomes an
 * issue, so a value is mapped or explicitly ignored but never lost in silence. The mapping code is the only list of
 * known elements, so no second list can drift from it. Names are local names, because the offices of one family differ
 * only in their namespaces.
 */
import type { Issue } from '../../record/document.ts';
import type { XmlNode } from '../xml/xml-record.ts';
import type { DateForm } from './dates.ts';
import { stated } from './document.ts';
import { buildIssue, type IssueCode } from './format.ts';

type PlainValue = string | PlainValue[] | { [name: string]: PlainValue };

/** Where the members of a part of the document come from: the path of a text, or a function of the element. */
export type Mapping<Part> = {
  readonly [Member in keyof Part]?: string | ((element: Element) => Part[Member] | null | undefined);
};

/** For mappings: a date of the document, all texts of a path, the first one as a list, and the unread rest. */
export const day = (path: string) => (element: Element) => element.statedDay(path);
export const texts = (path: string) => (element: Element) => element.texts(path);
export const listed = (path: string) => (element: Element) => {
  const text = element.text(path);
  return text === null ? null : [text];
};
// The schema of the document leaves the type of the rest open.
// biome-ignore lint/suspicious/noExplicitAny: it is whatever the source states
export const rest = (element: Element): any => element.rest();

/** Called with what a reader asks of an element: a path of child names, or `@` and the name of an attribute. */
type ReadObserver = (node: XmlNode, path: string, isFound: boolean) => void;

let observer: ReadObserver | null = null;

/** For the audit, which lists what readers ask for and no real file has. Null ends it. */
export function observeReads(next: ReadObserver | null): void {
  observer = next;
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

/** Unread paths of a record that are reported one by one; a file of another kind would flood the report. */
const UNREAD_ISSUES_MAX = 50;
const ZEROS = /^[0-]+$/;

/** What has been read of one record. */
interface Reading {
  readonly dateForm: DateForm;
  readonly issues: Issue[];
  /** Elements whose own text has been read. */
  readonly read: Set<XmlNode>;
  /** Attributes read, by element. */
  readonly attributes: Map<XmlNode, string[]>;
}

/** Begins to read a record, whose dates have this form. */
export function openElement(node: XmlNode, dateForm: DateForm): Element {
  return new Element(node, { dateForm, issues: [], read: new Set(), attributes: new Map() });
}

export class Element {
  readonly node: XmlNode;
  private readonly reading: Reading;

  constructor(node: XmlNode, reading: Reading) {
    this.node = node;
    this.reading = reading;
  }

  get name(): string {
    return this.node.name;
  }

  /** Of the whole record. */
  get issues(): Issue[] {
    return this.reading.issues;
  }

  get children(): Element[] {
    return this.node.children.map((child) => new Element(child, this.reading));
  }

  /** Every element at the end of a path of child names, in document order, through all branches. */
  list(path: string): Element[] {
    let level: XmlNode[] = [this.node];
    for (const step of pathSteps(path)) {
      const next: XmlNode[] = [];
      for (const parent of level) {
        for (const child of parent.children) if (child.name === step) next.push(child);
      }
      level = next;
      if (next.length === 0) break;
    }
    observer?.(this.node, path, level.length > 0);
    return level.map((node) => new Element(node, this.reading));
  }

  /** The first of them; null when there is none. */
  find(path: string): Element | null {
    const child = findChild(this.node, path);
    return child === null ? null : new Element(child, this.reading);
  }

  /** Every element of that name below this one, at any depth, in document order. */
  descendants(name: string): Element[] {
    return this.children.flatMap((child) => [...(child.name === name ? [child] : []), ...child.descendants(name)]);
  }

  /** The trimmed text of the element itself; null when blank. */
  own(): string | null {
    this.reading.read.add(this.node);
    return nodeText(this.node);
  }

  /** The same of the first element at the end of the path; null also when it is missing. */
  text(path: string): string | null {
    const child = findChild(this.node, path);
    if (child === null) return null;
    this.reading.read.add(child);
    return nodeText(child);
  }

  /** The texts of every element at the end of the path, without blank ones. */
  texts(path: string): string[] {
    return this.list(path)
      .map((child) => child.own())
      .filter((text) => text !== null);
  }

  /** The first stated text. Later paths are not read, so their texts are kept with the rest. */
  first(paths: readonly string[]): string | null {
    return firstOf(paths, (path) => this.text(path));
  }

  attribute(name: string): string | null {
    const value = this.node.attributes[name];
    observer?.(this.node, `@${name}`, value !== undefined);
    if (value === undefined) return null;
    const names = this.reading.attributes.get(this.node);
    if (names === undefined) this.reading.attributes.set(this.node, [name]);
    else names.push(name);
    return value.trim() === '' ? null : value.trim();
  }

  /** A text that is not marked as read, so that it is still kept with the rest or reported. */
  peek(path: string): string | null {
    return childText(this.node, path);
  }

  /** A date of the record. Anything but a calendar date is null, and raises an issue unless it is all zeros. */
  day(path: string): string | null {
    const text = this.text(path);
    if (text === null || ZEROS.test(text)) return null;
    const date = this.reading.dateForm(text);
    if (date === null) this.raise('impossible_date', path, text);
    return date;
  }

  /** The dates of the record at these paths, by field. */
  days<Field extends string>(paths: Readonly<Record<Field, string>>): Record<Field, string | null> {
    const entries = Object.entries<string>(paths).map(([field, path]) => [field, this.day(path)]);
    return Object.fromEntries(entries) as Record<Field, string | null>;
  }

  /** A date of the document: a calendar date, otherwise the unchanged text; zeros mean no date. */
  statedDay(path: string): string | null {
    const text = this.text(path);
    if (text === null || ZEROS.test(text)) return null;
    return this.reading.dateForm(text) ?? text;
  }

  /** The first stated date of the document, as `first`. */
  firstDay(paths: readonly string[]): string | null {
    return firstOf(paths, (path) => this.statedDay(path));
  }

  /** Marks an element as left out on purpose; the format declares the reason. */
  ignore(path: string): void {
    for (const child of this.list(path)) this.reading.read.add(child.node);
  }

  /** A part of the document, without members that say nothing. Members are read in the order of the mapping. */
  map<Part>(mapping: Mapping<Part>): Part {
    const members: Record<string, unknown> = {};
    for (const [member, source] of Object.entries<unknown>(mapping)) {
      members[member] = typeof source === 'string' ? this.text(source) : (source as (from: Element) => unknown)(this);
    }
    return stated<Part>(members as Part);
  }

  /** One part for each element at the end of the path. */
  mapAll<Part>(path: string, mapping: Mapping<Part>): Part[] {
    return this.list(path).map((child) => child.map<Part>(mapping));
  }

  /**
   * The unread rest of the element as plain data under the source's own names, to be kept without interpretation.
   * Attributes are named `@name`, text next to them or next to children `#text`. Null when nothing is left.
   */
  rest(): PlainValue | null {
    const members: { [name: string]: PlainValue } = {};
    for (const name of Object.keys(this.node.attributes)) {
      if (this.hasRead(name)) continue;
      const value = this.attribute(name);
      if (value !== null) members[`@${name}`] = value;
    }
    for (const child of this.children) {
      const value = child.rest();
      if (value !== null) addMember(members, child.name, value);
    }
    const text = this.reading.read.has(this.node) ? null : this.own();
    if (Object.keys(members).length === 0) return text;
    if (text !== null) members['#text'] = text;
    return members;
  }

  /** The rest of every element at the end of the path: one value, or a list of several. */
  restOf(path: string): PlainValue | undefined {
    const values = this.list(path)
      .map((child) => child.rest())
      .filter((value) => value !== null);
    return values.length > 1 ? values : values[0];
  }

  raise(code: IssueCode, path: string, value: string): void {
    this.reading.issues.push(buildIssue(code, path, value));
  }

  /** Adds one issue for each different path with unread text or attributes; beyond a bound, one with their number. */
  raiseUnread(): void {
    const unread = new Map<string, string>();
    this.collectUnread(this.node, this.name, unread);
    for (const [path, value] of [...unread].slice(0, UNREAD_ISSUES_MAX)) this.raise('unknown_element', path, value);
    const more = unread.size - UNREAD_ISSUES_MAX;
    if (more > 0) this.raise('more_unknown_elements', this.name, String(more));
  }

  private hasRead(attribute: string): boolean {
    return this.reading.attributes.get(this.node)?.includes(attribute) ?? false;
  }

  private collectUnread(node: XmlNode, path: string, unread: Map<string, string>): void {
    const { read, attributes } = this.reading;
    const text = node.text === '' || read.has(node) ? null : nodeText(node);
    if (text !== null && !unread.has(path)) unread.set(path, text);
    for (const name in node.attributes) {
      if (attributes.get(node)?.includes(name) || unread.has(`${path}@${name}`)) continue;
      unread.set(`${path}@${name}`, node.attributes[name] ?? '');
    }
    for (const child of node.children) this.collectUnread(child, `${path}/${child.name}`, unread);
  }
}

function firstOf(paths: readonly string[], read: (path: string) => string | null): string | null {
  for (const path of paths) {
    const found = read(path);
    if (found !== null) return found;
  }
  return null;
}

function addMember(members: { [name: string]: PlainValue }, name: string, value: PlainValue): void {
  const present = Object.hasOwn(members, name) ? members[name] : undefined;
  if (present === undefined) members[name] = value;
  else if (Array.isArray(present)) present.push(value);
  else members[name] = [present, value];
}
