/**
 * Renames and moves the elements of one standard into another, by a declared table, so that what both standards state
 * alike is read by one reader. It knows neither standard. Nothing is lost: an element without a rule is reported to the
 * caller.
 */

import type { XmlNode } from '../../xml/xml-record.ts';
import { nodeText } from '../element.ts';

/**
 * Where an element goes: the path of its place in the target, whose last step is a new element, into which it is copied
 * whole; rules for its children, which go into the target of their parent; or a function that returns a list of places.
 * A path that begins with `@` names an attribute of the target.
 */
type Rule = string | Rules | ((node: XmlNode) => readonly Placement[]);

/** Rules by element name; as a key, `*` matches any other name; in a path, it stands for the element's own name. */
export interface Rules {
  readonly [name: string]: Rule;
}

export interface Placement {
  path: string;
  node: XmlNode;
  /** Without rules the element is copied whole. */
  rules?: Rules;
}

/** An element of its own in the target, with rules for its content. */
export const to =
  (path: string, rules: Rules): Rule =>
  (node) => [{ path, node, rules }];

interface BuildingNode {
  name: string;
  attributes: Record<string, string>;
  children: BuildingNode[];
  text: string;
}

/** `strange` is called with the path of every text and attribute that has no place. */
export function translate(
  source: XmlNode,
  name: string,
  rules: Rules,
  strange: (path: string, text: string) => void,
): XmlNode {
  const target: BuildingNode = { name, attributes: { ...source.attributes }, children: [], text: '' };
  translateChildren(source, target, rules, { path: source.name, strange });
  return target;
}

interface Trail {
  path: string;
  strange: (path: string, text: string) => void;
}

function translateChildren(source: XmlNode, target: BuildingNode, rules: Rules, trail: Trail): void {
  for (const child of source.children) {
    const path = `${trail.path}/${child.name}`;
    const rule = Object.hasOwn(rules, child.name) ? rules[child.name] : rules['*'];
    if (rule === undefined) reportStrange(child, path, trail);
    else if (typeof rule === 'object') {
      reportOwn(child, path, trail);
      translateChildren(child, target, rule, { ...trail, path });
    } else {
      const isPath = typeof rule === 'string';
      const placements = isPath ? [{ path: rule.replace('*', () => child.name), node: child }] : rule(child);
      for (const placement of placements) place(placement, target, { ...trail, path });
    }
  }
}

function place({ path, node, rules }: Placement, target: BuildingNode, trail: Trail): void {
  if (path.startsWith('@')) {
    const name = path.slice(1);
    const isTaken = Object.hasOwn(target.attributes, name);
    reportOwn(isTaken ? node : { ...node, text: '' }, trail.path, trail);
    if (!isTaken) target.attributes[name] = node.text.trim();
    for (const child of node.children) reportStrange(child, `${trail.path}/${child.name}`, trail);
    return;
  }
  const steps = path.split('/');
  const name = steps.pop() ?? '';
  const parent = steps.reduce(openChild, target);
  const placed =
    rules === undefined
      ? copy(node, name)
      : { name, attributes: { ...node.attributes }, children: [], text: node.text };
  parent.children.push(placed);
  if (rules !== undefined) translateChildren(node, placed, rules, trail);
}

/** The last child of that name, created if missing, so that what belongs together ends up in one element. */
function openChild(parent: BuildingNode, name: string): BuildingNode {
  const present = parent.children.findLast((child) => child.name === name);
  if (present !== undefined) return present;
  const made: BuildingNode = { name, attributes: {}, children: [], text: '' };
  parent.children.push(made);
  return made;
}

function copy({ attributes, children, text }: XmlNode, name: string): BuildingNode {
  return { name, attributes: { ...attributes }, children: children.map((child) => copy(child, child.name)), text };
}

function reportStrange(node: XmlNode, path: string, trail: Trail): void {
  reportOwn(node, path, trail);
  for (const child of node.children) reportStrange(child, `${path}/${child.name}`, trail);
}

/** Text and attributes of an element itself. */
function reportOwn(node: XmlNode, path: string, { strange }: Trail): void {
  const text = nodeText(node);
  if (text !== null) strange(path, text);
  for (const [name, value] of Object.entries(node.attributes)) strange(`${path}@${name}`, value);
}
