/**
 * Renders `models.py` of the Python client: a dataclass for each object of an answer, from the schemas of the interface
 * description, so that every member has its type and description. Objects inside an object get a class, too.
 */
import { ENDPOINTS_DESCRIBED } from '../../server/src/render/description/endpoints.ts';
import { buildSchemas } from '../../server/src/render/description/schemas.ts';
import { nameAttribute, renderComment, renderList, renderLiteral, type Schema, toPascal, wrap } from './text.ts';

/** Documents are of any shape, and errors are exceptions. */
const LEFT_OUT = new Set([
  'SnapshotFileBytes',
  'ExportText',
  'Error',
  'HTTPValidationError',
  'ValidationError',
  // They are arguments.
  ...ENDPOINTS_DESCRIBED.flatMap(({ body }) => (body === undefined ? [] : [body.schema])),
]);
const PAYLOADS = 'NormalizedDocument';

/** Objects that have no name in the description, by their place. Any other is named after its place. */
const INNER_NAMES: Readonly<Record<string, string>> = {
  'NumbersPage.asked': 'AskedNumber',
  'IdentitiesPage.asked': 'AskedIdentity',
  'CoverageReport.series': 'CoverageSeries',
  'CoverageReport.last_load': 'CoverageLoad',
  'CoverageReport.issues': 'CoverageIssues',
  'CoverageSeries.missing': 'MissingPeriod',
  'CoverageSeries.out_of_order': 'LatePeriod',
  'UsageReport.key': 'UsageKey',
  'UsageReport.products': 'ProductUsage',
  'DigestsPage.items': 'RegisterDigest',
  'DigestsPage.unsettled': 'RecordIdentity',
  'RegisterDigestsPage.items': 'BucketDigest',
  'RegisterDigestsPage.unsettled': 'UnsettledRecord',
  'BucketDigestsPage.items': 'RecordDigest',
  'BucketDigestsPage.unsettled': 'UnsettledRecord',
  'HistorySource.files': 'SourceFile',
  'WatchDetail.records': 'RecordIdentity',
  'WatchDetail.months': 'WatchMonth',
  'WatchHit.likeness': 'HitLikeness',
  'WatchDiagnosisCriteria.likeness': 'HitLikeness',
  'HitLikeness.evidence': 'HitEvidence',
  'HitLikeness.goods': 'GoodsRelation',
  'SimilarRecord.goods': 'GoodsRelation',
  'SimilarEntry.goods': 'GoodsRelation',
  'SimilarEntry.family': 'SimilarFamily',
};

/** The class of an object inside another one. */
export function nameInner(owner: string, member: string): string {
  return INNER_NAMES[`${owner}.${member}`] ?? `${owner}${toPascal(member)}`;
}

/** The forms of an object that has several, in the order in which the description has them. */
const VARIANT_NAMES: Readonly<Record<string, readonly { readonly name: string; readonly description: string }[]>> = {
  HistoryChange: [
    { name: 'FieldChange', description: 'A field with its whole value before and after.' },
    { name: 'PayloadChange', description: 'Where the payload differs.' },
  ],
};

/** Values that parameters take as well. */
const LITERALS: Readonly<Record<string, string>> = {
  'TrademarkDetail.status': 'Status',
  'TrademarkDetail.kind_of_mark': 'KindOfMark',
  'TrademarkDetail.mark_feature': 'MarkFeature',
};

const RESERVED = new Set(['more', 'meta', 'from_dict', 'to_dict']);

interface Drawn {
  /** Name of the class → its text; a class comes after those it refers to. */
  readonly classes: Map<string, string>;
  readonly literals: Map<string, readonly string[]>;
  /** Of each class, so that no two objects share one by accident. */
  readonly members: Map<string, string>;
}

const membersOf = ({ properties = {} }: Schema): string => Object.keys(properties).join();

export function renderModels(): string {
  const schemas = buildSchemas() as Readonly<Record<string, Schema>>;
  const drawn: Drawn = { classes: new Map(), literals: new Map(), members: new Map() };
  const draw = (name: string): void => {
    if (!drawn.classes.has(name)) drawClass(name, schemas[name]!, drawn, draw);
  };
  for (const name of listAnswers(schemas)) draw(name);
  const literals = [...drawn.literals].flatMap(([name, values]) =>
    renderList(
      `${name} = Literal[`,
      values.map((value) => JSON.stringify(value)),
      ']',
      '',
    ),
  );
  return `${[
    '"""Written by `npm run docs` from the interface description; not to be edited."""',
    '',
    'from __future__ import annotations',
    '',
    'from collections.abc import Mapping',
    'from dataclasses import dataclass',
    'from types import MappingProxyType',
    'from typing import Any, ClassVar, Literal, Union',
    '',
    'from .model import Model, Nested',
    '',
    ...literals,
    '',
    '',
    [...drawn.classes.values()].join('\n\n'),
    '__all__ = [',
    ...[...drawn.literals.keys(), ...drawn.classes.keys()].sort().map((name) => `    "${name}",`),
    ']',
    '',
  ].join('\n')}`;
}

/** Without the documents of records, whose schemas only they refer to. */
function listAnswers(schemas: Readonly<Record<string, Schema>>): string[] {
  const inDocuments = new Set<string>();
  const follow = (name: string): void => {
    if (inDocuments.has(name)) return;
    inDocuments.add(name);
    for (const [, found] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) follow(found!);
  };
  follow(PAYLOADS);
  return Object.keys(schemas).filter((name) => !LEFT_OUT.has(name) && !inDocuments.has(name));
}

type Draw = (name: string) => void;

function drawClass(name: string, schema: Schema, drawn: Drawn, draw: Draw): void {
  if (schema.oneOf !== undefined) {
    drawUnion(name, schema.oneOf, drawn, draw);
    return;
  }
  drawn.members.set(name, membersOf(schema));
  const nested: string[] = [];
  const members = Object.entries(schema.properties ?? {}).flatMap(([member, value]) => {
    if (RESERVED.has(member)) throw new Error(`${name}.${member} has the name of a member of Model`);
    const { type, model } = typeOf(name, member, value, drawn, draw);
    if (model !== null) nested.push(`"${member}": ${model}`);
    const isRequired = (schema.required ?? []).includes(member);
    const isNullable = type === 'None' || type.endsWith(' | None');
    const annotation = isRequired ? type : `${isNullable ? type : `${type} | None`} = None`;
    const { description } = value;
    return [
      ...(description === undefined ? [] : renderComment(description)),
      `    ${nameAttribute(member)}: ${annotation}`,
    ];
  });
  const described = wrap(`"""${schema.description ?? 'An object of an answer.'}"""`, '    ');
  const classVariable =
    nested.length === 0
      ? []
      : [`    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({${nested.join(', ')}})`, ''];
  drawn.classes.set(
    name,
    [
      '@dataclass(frozen=True, slots=True, kw_only=True)',
      `class ${name}(Model):`,
      ...described,
      '',
      ...classVariable,
      ...members,
      '',
    ].join('\n'),
  );
}

/** Variants with the same members become one class. */
function drawUnion(name: string, variants: readonly Schema[], drawn: Drawn, draw: Draw): void {
  const shapes = new Map<string, Schema[]>();
  for (const variant of variants) {
    const shape = Object.keys(variant.properties ?? {}).join();
    shapes.set(shape, [...(shapes.get(shape) ?? []), variant]);
  }
  const names = [...shapes.values()].map((group, index) => {
    const own = VARIANT_NAMES[name]?.[index] ?? { name: `${name}${index + 1}`, description: `A form of ${name}.` };
    const properties = Object.fromEntries(
      Object.keys(group[0]!.properties ?? {}).map((member) => [member, mergeSchemas(group, member)]),
    );
    const { description } = own;
    drawClass(own.name, { type: 'object', description, required: group[0]!.required ?? [], properties }, drawn, draw);
    return own.name;
  });
  drawn.classes.set(name, `${name} = Union[${names.join(', ')}]\n`);
  unions.set(name, names);
}

const unions = new Map<string, readonly string[]>();

function mergeSchemas(group: readonly Schema[], member: string): Schema {
  const all = group.map(({ properties }) => properties![member]!);
  if (all.every((each) => typeof each.const === 'string')) {
    return { type: 'string', enum: all.map((each) => each.const as string) };
  }
  const distinct = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}

interface Typed {
  readonly type: string;
  /** What its objects are read as; null if it has none. */
  readonly model: string | null;
}

function typeOf(owner: string, member: string, schema: Schema, drawn: Drawn, draw: Draw): Typed {
  if (owner === 'TrademarkDetail' && member === 'payload') return { type: 'dict[str, Any]', model: null };
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!;
    draw(name);
    return { type: name, model: unions.has(name) ? `(${unions.get(name)!.join(', ')})` : name };
  }
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) {
    const typed = forms.map((each) => typeOf(owner, member, each, drawn, draw));
    const types = [...new Set(typed.flatMap(({ type }) => type.split(' | ')))];
    const sorted = [...types.filter((type) => type !== 'None'), ...types.filter((type) => type === 'None')];
    const models = [...new Set(typed.flatMap(({ model }) => (model === null ? [] : [model])))];
    const model = models.length > 1 ? `(${models.join(', ')})` : (models[0] ?? null);
    return { type: sorted.join(' | '), model };
  }
  const kinds = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (kinds.length === 0 && schema.const === undefined) throw new Error(`${owner}.${member} has no type`);
  const nullable = kinds.includes('null');
  const inner = typeOfKind(
    kinds.find((kind) => kind !== 'null'),
    owner,
    member,
    schema,
    drawn,
    draw,
  );
  return nullable ? { ...inner, type: inner.type === 'None' ? 'None' : `${inner.type} | None` } : inner;
}

function typeOfKind(
  kind: string | undefined,
  owner: string,
  member: string,
  schema: Schema,
  drawn: Drawn,
  draw: Draw,
): Typed {
  if (schema.enum !== undefined) {
    const values = schema.enum.filter((value) => value !== null);
    const name = LITERALS[`${owner}.${member}`];
    if (name === undefined) return { type: renderLiteral(values), model: null };
    drawn.literals.set(name, values);
    return { type: name, model: null };
  }
  if (kind === 'array') {
    const { type, model } = typeOf(owner, member, schema.items ?? {}, drawn, draw);
    return { type: `list[${type}]`, model };
  }
  if (kind === 'object' && schema.properties !== undefined) {
    const name = nameInner(owner, member);
    if (!drawn.classes.has(name)) drawClass(name, schema, drawn, draw);
    else if (drawn.members.get(name) !== membersOf(schema)) {
      throw new Error(`two objects would be called ${name}: name that of ${owner}.${member} in INNER_NAMES`);
    }
    return { type: name, model: name };
  }
  const plain: Readonly<Record<string, string>> = {
    string: 'str',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    object: 'dict[str, Any]',
    null: 'None',
  };
  return { type: kind === undefined ? 'None' : (plain[kind] ?? 'Any'), model: null };
}
