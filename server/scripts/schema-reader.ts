/**
 * Reads the types that have the tag `@schema` as JSON Schemas: a member's comment is its description, and tags state
 * what a type cannot. What a tag or `{@link NAME}` names is a constant. Only what answers use is understood; anything
 * else ends with an error that says where it is.
 */
import ts from 'typescript';
import { type Constants, listValues, omit, type Schema, TAGS, writeValue } from './schema-tags.ts';

/** The schemas that files of types declare, by name. */
export function readSchemas(texts: ReadonlyMap<string, string>, constants: Constants): Record<string, Schema> {
  const files = [...texts].map(([name, text]) => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  const declarations = files.flatMap(({ statements }) =>
    statements.filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)),
  );
  const reader = new SchemaReader(new Map(declarations.map((node) => [node.name.text, node])), constants);
  return Object.fromEntries(
    declarations.flatMap((node) => {
      const name = reader.findName(node);
      return name === null ? [] : [[name, reader.readDeclaration(node)]];
    }),
  );
}

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

/** A comment: its sentences, and its tags. */
interface Comment {
  readonly description: Schema;
  readonly tags: ReadonlyMap<string, readonly string[]>;
}

const CONSTANT = /^[A-Z]+(?:_[A-Z]+)+$/;

class SchemaReader {
  private readonly declarations: ReadonlyMap<string, Declaration>;
  private readonly constants: Constants;

  constructor(declarations: ReadonlyMap<string, Declaration>, constants: Constants) {
    this.declarations = declarations;
    this.constants = constants;
  }

  /** The name of its schema; null without one. */
  findName(node: Declaration): string | null {
    const names = this.readComment(node).tags.get('schema');
    return names === undefined ? null : names[0] || node.name.text;
  }

  readDeclaration(node: Declaration): Schema {
    const { description, tags } = this.readComment(node);
    return describe(this.applyTags(this.readDeclared(node, tags), tags, node), description);
  }

  private readDeclared(node: Declaration, tags: Comment['tags']): Schema {
    if (tags.has('table')) return {};
    if (tags.has('values')) return { type: 'string' };
    return ts.isInterfaceDeclaration(node) ? this.readObject(this.listMembers(node)) : this.readType(node.type);
  }

  /** Members of what it extends come first; one that is declared again keeps its place. */
  private listMembers(node: ts.InterfaceDeclaration): ts.TypeElement[] {
    const inherited = (node.heritageClauses ?? []).flatMap(({ types }) =>
      types.flatMap(({ expression }) => {
        const base = this.declarations.get(expression.getText());
        if (base === undefined || !ts.isInterfaceDeclaration(base)) throw notUnderstood(expression);
        return this.listMembers(base);
      }),
    );
    const members = new Map([...inherited, ...node.members].map((member) => [member.name?.getText(), member]));
    return [...members.values()];
  }

  private readObject(members: readonly ts.TypeElement[]): Schema {
    const properties = members.map((member) => {
      if (!ts.isPropertySignature(member) || member.type === undefined) throw notUnderstood(member);
      return [member.name.getText(), this.readMember(member, member.type)] as const;
    });
    const required = members.filter(({ questionToken }) => questionToken === undefined);
    return {
      type: 'object',
      ...(required.length === 0 ? {} : { required: required.map((member) => member.name!.getText()) }),
      properties: Object.fromEntries(properties),
    };
  }

  private readMember(member: ts.PropertySignature, type: ts.TypeNode): Schema {
    const { description, tags } = this.readComment(member);
    return describe(this.applyTags(this.readType(type), tags, member), description);
  }

  private readType(node: ts.TypeNode): Schema {
    if (ts.isParenthesizedTypeNode(node)) return this.readType(node.type);
    if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword) return this.readType(node.type);
    if (ts.isArrayTypeNode(node)) return { type: 'array', items: this.readType(node.elementType) };
    if (ts.isTypeLiteralNode(node)) return this.readObject([...node.members]);
    if (ts.isTypeReferenceNode(node)) return this.readReference(node);
    if (ts.isUnionTypeNode(node)) return this.readUnion(node);
    if (ts.isIntersectionTypeNode(node)) return this.readIntersection(node);
    if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) {
      return { type: 'string', const: node.literal.text };
    }
    const values = this.findValues(node);
    if (values !== null) return { type: 'string', enum: values };
    switch (node.kind) {
      case ts.SyntaxKind.StringKeyword:
        return { type: 'string' };
      case ts.SyntaxKind.BooleanKeyword:
        return { type: 'boolean' };
      case ts.SyntaxKind.NumberKeyword:
        return { type: 'integer' };
      default:
        throw notUnderstood(node);
    }
  }

  private readReference(node: ts.TypeReferenceNode): Schema {
    if (node.getText() === 'Record<string, never>') return { type: 'object', maxProperties: 0 };
    const declaration = this.declarations.get(node.getText());
    if (declaration === undefined) throw notUnderstood(node);
    const name = this.findName(declaration);
    return name === null ? this.readDeclaration(declaration) : { $ref: `#/components/schemas/${name}` };
  }

  private readUnion({ types }: ts.UnionTypeNode): Schema {
    const forms = types.filter((type) => !isNull(type)).map((type) => this.readType(type));
    const schema = forms.length === 1 ? forms[0]! : uniteForms(forms);
    return types.some(isNull) ? allowNull(schema) : schema;
  }

  private readIntersection({ types }: ts.IntersectionTypeNode): Schema {
    const [first, ...further] = types.map((type) => this.readType(type));
    const added = further.reduce(mergeObjects);
    const forms = first!.oneOf as readonly Schema[] | undefined;
    return forms === undefined
      ? mergeObjects(first!, added)
      : { ...first, oneOf: forms.map((form) => mergeObjects(form, added)) };
  }

  /** `(typeof NAMES)[number]` or `keyof typeof TABLE`. */
  private findValues(node: ts.TypeNode): readonly unknown[] | null {
    const [, name] = /^\(typeof (\w+)\)\[number\]$|^keyof typeof (\w+)$/.exec(node.getText())?.filter(Boolean) ?? [];
    return name === undefined ? null : listValues(this.findConstant(name, node));
  }

  private findConstant(name: string, node: ts.Node): unknown {
    if (!this.constants.has(name)) throw notUnderstood(node, name);
    return this.constants.get(name);
  }

  private applyTags(schema: Schema, tags: Comment['tags'], node: ts.Node): Schema {
    let tagged = schema;
    for (const [tag, texts] of tags) {
      const values = texts.map((text) =>
        this.constants.has(text) || CONSTANT.test(text) ? this.findConstant(text, node) : text,
      );
      const applied = TAGS[tag]?.(tagged, values);
      if (!applied) throw notUnderstood(node, `@${tag} ${texts.join(', ')}`);
      tagged = applied;
    }
    return tagged;
  }

  private readComment(node: ts.Node): Comment {
    const [comment, ...further] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
    if (further.length > 0) throw notUnderstood(node, 'several comments');
    const tags = new Map<string, readonly string[]>();
    for (const { tagName, comment: text } of comment?.tags ?? []) {
      tags.set(tagName.text, [...(tags.get(tagName.text) ?? []), unwrap(text)]);
    }
    const sentences = unwrap(comment?.comment).replace(/\{@link (\w+)\}/g, (_, name: string) =>
      writeValue(this.findConstant(name, node)),
    );
    return { description: sentences === '' ? {} : { description: sentences }, tags };
  }
}

const INSIDE = ['required', 'properties', 'additionalProperties', 'oneOf'];

/** A description of the place stands for that of the type, and comes before what is inside. */
function describe(schema: Schema, description: Schema): Schema {
  if (Object.keys(description).length === 0) return schema;
  const inside = Object.entries(schema).filter(([name]) => INSIDE.includes(name));
  return { ...omit(schema, ['description', ...INSIDE]), ...description, ...Object.fromEntries(inside) };
}

function isNull(type: ts.TypeNode): boolean {
  return ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword;
}

function allowNull(schema: Schema): Schema {
  if (typeof schema.type !== 'string' || schema.type === 'object') return { anyOf: [schema, { type: 'null' }] };
  const values = schema.enum as readonly unknown[] | undefined;
  return { ...schema, type: [schema.type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) };
}

/** Texts are one set of values, objects are several forms. */
function uniteForms(forms: readonly Schema[]): Schema {
  if (forms.some(({ type }) => type !== 'string')) return { oneOf: forms };
  return { type: 'string', enum: forms.flatMap((form) => form.enum ?? [form.const]) };
}

function mergeObjects(one: Schema, other: Schema): Schema {
  return {
    ...one,
    required: [...(one.required as string[]), ...(other.required as string[])],
    properties: { ...(one.properties as object), ...(other.properties as object) },
  };
}

/** The text of a comment, in one line. */
function unwrap(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  return (ts.getTextOfJSDocComment(comment) ?? '').replace(/\s+/g, ' ').trim();
}

function notUnderstood(node: ts.Node, part = node.getText()): Error {
  const file = node.getSourceFile();
  const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  return new Error(`contract/src/${file.fileName}:${line}: the schemas of answers do not understand ${part}`);
}
