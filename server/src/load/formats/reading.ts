/**
 * Reads the subtree of one record and tracks what was read. Anything unread at the end becomes an issue, so a value is
 * mapped or explicitly ignored but never lost in silence. The mapping code is the only list of known elements, so no
 * second list can drift from it.
 */

import { isRegisterDate } from '../../record/dates.ts';
import type { Issue } from '../../record/document.ts';
import { findChild, listChildren, nodeText, noteRead, type XmlNode } from '../xml/xml-node.ts';
import type { IssueCode } from './issues.ts';

export interface Reading {
  readonly root: XmlNode;
  readonly issues: Issue[];
  /** Elements whose own text has been read. */
  readonly read: Set<XmlNode>;
  /** Attributes read, by element. */
  readonly attributesRead: Map<XmlNode, string[]>;
}

const ISSUE_VALUE_MAX = 200;
/** Unread paths of a record that are reported one by one; a file of another kind would flood the report. */
const UNREAD_ISSUES_MAX = 50;

export function openReading(root: XmlNode): Reading {
  return { root, issues: [], read: new Set(), attributesRead: new Map() };
}

export function raiseIssue(reading: Reading, code: IssueCode, path: string, value: string): void {
  reading.issues.push({ code, path, value: value.slice(0, ISSUE_VALUE_MAX).toWellFormed() });
}

/** The trimmed text of the element itself; null when blank. */
export function readNode(reading: Reading, node: XmlNode): string | null {
  reading.read.add(node);
  return nodeText(node);
}

/** The trimmed text of the first element at the end of the path; null when it is missing, empty or blank. */
export function readText(reading: Reading, node: XmlNode, path: string): string | null {
  const child = findChild(node, path);
  return child === null ? null : readNode(reading, child);
}

/** The texts of every element at the end of the path, without blank ones. */
export function readTexts(reading: Reading, node: XmlNode, path: string): string[] {
  return listChildren(node, path)
    .map((child) => readNode(reading, child))
    .filter((text) => text !== null);
}

export function readAttribute(reading: Reading, node: XmlNode, name: string): string | null {
  const value = node.attributes[name];
  noteRead(node, `@${name}`, value !== undefined);
  if (value === undefined) return null;
  const names = reading.attributesRead.get(node);
  if (names === undefined) reading.attributesRead.set(node, [name]);
  else names.push(name);
  return value.trim() === '' ? null : value.trim();
}

/** Marks an element as left out on purpose; the format declares the reason. */
export function ignore(reading: Reading, node: XmlNode, path: string): void {
  for (const child of listChildren(node, path)) reading.read.add(child);
}

/** How a source writes dates: returns the calendar date of a text, or null when it is not one. */
export type DateForm = (text: string) => string | null;

/** `YYYYMMDD`. */
export function compactDate(text: string): string | null {
  if (!/^\d{8}$/.test(text)) return null;
  const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  return isRegisterDate(date) ? date : null;
}

/** `YYYY-MM-DD`. A time or zone after it is cut off, because converting to UTC could move the day. */
export function dashedDate(text: string): string | null {
  const match = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2}|T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  const date = match?.[1];
  return date !== undefined && isRegisterDate(date) ? date : null;
}

const ZEROS = /^[0-]+$/;

/** A date of the record. Anything but a calendar date is null, and raises an issue unless it is all zeros. */
export function readDate(reading: Reading, node: XmlNode, path: string, form: DateForm): string | null {
  const text = readText(reading, node, path);
  if (text === null || ZEROS.test(text)) return null;
  const date = form(text);
  if (date === null) raiseIssue(reading, 'impossible_date', path, text);
  return date;
}

/** A date of the payload: a calendar date, otherwise the unchanged text; zeros mean no date. */
export function readStatedDate(reading: Reading, node: XmlNode, path: string, form: DateForm): string | null {
  const text = readText(reading, node, path);
  if (text === null || ZEROS.test(text)) return null;
  return form(text) ?? text;
}

export type PlainValue = string | PlainValue[] | { [name: string]: PlainValue };

/**
 * The unread rest of a subtree as plain data under the source's own names, to be kept without interpretation.
 * Attributes are named `@name`, text next to them or next to children `#text`. Null when nothing is left.
 */
export function readRest(reading: Reading, node: XmlNode): PlainValue | null {
  const members: { [name: string]: PlainValue } = {};
  for (const name of Object.keys(node.attributes)) {
    if (isAttributeRead(reading, node, name)) continue;
    const value = readAttribute(reading, node, name);
    if (value !== null) members[`@${name}`] = value;
  }
  for (const child of node.children) {
    const value = readRest(reading, child);
    if (value !== null) addMember(members, child.name, value);
  }
  const text = reading.read.has(node) ? null : readNode(reading, node);
  if (Object.keys(members).length === 0) return text;
  if (text !== null) members['#text'] = text;
  return members;
}

function addMember(members: { [name: string]: PlainValue }, name: string, value: PlainValue): void {
  const present = Object.hasOwn(members, name) ? members[name] : undefined;
  if (present === undefined) members[name] = value;
  else if (Array.isArray(present)) present.push(value);
  else members[name] = [present, value];
}

function isAttributeRead(reading: Reading, node: XmlNode, name: string): boolean {
  return reading.attributesRead.get(node)?.includes(name) ?? false;
}

/** Adds one issue for each different path with unread text or attributes; beyond a bound, one with their number. */
export function raiseUnread(reading: Reading): void {
  const unread = new Map<string, string>();
  collectUnread(reading, reading.root, reading.root.name, unread);
  for (const [path, value] of [...unread].slice(0, UNREAD_ISSUES_MAX)) {
    raiseIssue(reading, 'unknown_element', path, value);
  }
  const more = unread.size - UNREAD_ISSUES_MAX;
  if (more > 0) raiseIssue(reading, 'more_unknown_elements', reading.root.name, String(more));
}

function collectUnread(reading: Reading, node: XmlNode, path: string, unread: Map<string, string>): void {
  if (node.text !== '' && !reading.read.has(node)) {
    const text = nodeText(node);
    if (text !== null && !unread.has(path)) unread.set(path, text);
  }
  for (const name in node.attributes) {
    if (isAttributeRead(reading, node, name)) continue;
    if (!unread.has(`${path}@${name}`)) unread.set(`${path}@${name}`, node.attributes[name] ?? '');
  }
  for (const child of node.children) collectUnread(reading, child, `${path}/${child.name}`, unread);
}
