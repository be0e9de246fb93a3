/**
 * Renders `calls.py` of the Python client: a method for each endpoint, whose arguments, types and documentation are
 * those of the interface description. Endpoints that answer the same for one register and for all are one method.
 */
import type { ParameterDefinition } from '@tmds/contract/parameters';
import {
  type DescribedEndpoint,
  type DescribedParameter,
  ENDPOINTS_DESCRIBED,
} from '../../server/src/render/description/endpoints.ts';
import { buildSchemas } from '../../server/src/render/description/schemas.ts';
import { nameInner } from './models.ts';
import { nameAttribute, renderList, renderLiteral, type Schema, wrap } from './text.ts';

type Name = DescribedEndpoint['name'];

/** Any other method is named after its endpoint. */
const METHODS: Partial<Record<Name, string>> = {
  lookup: 'get',
  register_numbers: 'find_numbers',
  numbers: 'find_numbers_of_registers',
  identities: 'find_identities',
  end_watch: 'delete_watch',
  watch_hits: 'hits',
  watch_diagnosis: 'diagnose',
};

/** A file is not JSON; `client.py` streams it. */
const BY_HAND: ReadonlySet<Name> = new Set<Name>(['snapshot_file']);
/** Its lines are read by a walk, which has one form only. */
const STREAMED: Name = 'export';

const SCOPE = '/v1/{jurisdiction_code}/';
/** Values that answers have as well, from `models.py`. */
const LITERALS: Readonly<Record<string, string>> = {
  status: 'Status',
  kind_of_mark: 'KindOfMark',
  mark_feature: 'MarkFeature',
};
/** What shapes a page, and so does not change a count. */
const PAGING = new Set(['cursor', 'limit', 'count', 'sort', 'order', 'expand']);

interface Argument {
  /** As the interface calls it. */
  readonly parameter: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The value as it is sent. */
  readonly sent: string;
}

interface Method {
  readonly endpoint: DescribedEndpoint;
  readonly name: string;
  readonly isScoped: boolean;
  /** Arguments by position: what the path has. */
  readonly path: readonly string[];
  readonly query: readonly Argument[];
  readonly body: readonly Argument[];
}

export function renderCalls(): string {
  const methods = ENDPOINTS_DESCRIBED.filter((endpoint) => !BY_HAND.has(endpoint.name) && findGlobal(endpoint) === null)
    .map(buildMethod)
    .flatMap(renderMethods);
  const models = new Set(['RecordIdentity', ...Object.values(LITERALS)]);
  for (const endpoint of ENDPOINTS_DESCRIBED) {
    if (BY_HAND.has(endpoint.name)) continue;
    if (endpoint.name === STREAMED) continue;
    models.add(endpoint.schema);
    const item = itemOf(endpoint);
    if (methods.some((text) => text.includes(`, ${item}]:`))) models.add(item);
  }
  return `"""Written by \`npm run docs\` from the interface description; not to be edited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar

from .export import ExportWalk
from .model import Model
${renderList(
  'from .models import (',
  [...models].sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)),
  ')',
  '',
).join('\n')}
from .query import AnyOf, Day, Moment, build_path, write_identities, write_numbers, write_register_numbers
from .walks import ITEMS_MAX_DEFAULT, FeedWalk, SearchWalk, Walk

M = TypeVar("M", bound=Model)


class Calls:
    """A method for each endpoint of the service. Each call costs one unit when it is served."""

    def _call(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any],
        model: type[M],
        *,
        body: Mapping[str, Any] | None = None,
        metered: bool = True,
    ) -> M:
        raise NotImplementedError

    def _export(self, query: Mapping[str, Any], cursor: str | None) -> ExportWalk:
        raise NotImplementedError

${methods.join('\n\n')}
`;
}

const SCHEMAS = buildSchemas() as Readonly<Record<string, Schema>>;

/** The endpoint of all registers that answers like this one of a single register. */
function findGlobal({ path, schema }: DescribedEndpoint): DescribedEndpoint | null {
  if (!path.startsWith(SCOPE)) return null;
  const whole = `/v1/${path.slice(SCOPE.length)}`;
  return ENDPOINTS_DESCRIBED.find((other) => other.path === whole && other.schema === schema) ?? null;
}

function buildMethod(endpoint: DescribedEndpoint): Method {
  const inQuery = endpoint.parameters.filter((parameter) => parameter.in === 'query');
  return {
    endpoint,
    name: METHODS[endpoint.name] ?? endpoint.name,
    isScoped: ENDPOINTS_DESCRIBED.some((other) => findGlobal(other)?.name === endpoint.name),
    path: [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    query: inQuery.map(buildArgument),
    body: endpoint.body === undefined ? [] : buildBody(SCHEMAS[endpoint.body.schema]!),
  };
}

function buildArgument({ name: parameter, required, description, declared }: DescribedParameter): Argument {
  const name = nameAttribute(parameter);
  const example = declared === null || declared.example === '' ? '' : ` Example: \`${declared.example}\``;
  const type = declared === null ? 'str' : typeOf(name, declared);
  const writer = findWriter(parameter, declared);
  const sent = writer === null ? name : `${writer}(${name})`;
  const text = (declared?.description ?? description).replace(/^Required\. /, '') + example;
  return { parameter, name, type, isRequired: required, description: text, sent };
}

/** The function by which a list is written whose values are not sent unchanged. */
function findWriter(parameter: string, declared: ParameterDefinition | null): string | null {
  if (declared?.value.form === 'numbers') return 'write_numbers';
  if (declared?.value.form !== 'register_texts') return null;
  return parameter === 'identities' ? 'write_identities' : 'write_register_numbers';
}

function typeOf(name: string, { value }: ParameterDefinition): string {
  switch (value.form) {
    case 'choice':
      return renderLiteral(value.values);
    case 'integer':
      return 'int';
    case 'enums':
      return `AnyOf[${LITERALS[name] ?? renderLiteral(value.values)}] | AnyOf[str]`;
    case 'codes':
    case 'vienna_codes':
    case 'numbers':
      return 'AnyOf[str]';
    case 'register_texts':
      return 'Iterable[tuple[str, str]]';
    case 'nice_classes':
      return 'AnyOf[int] | str';
    case 'date':
      return 'Day';
    case 'instant':
      return 'Moment';
    default:
      return 'str';
  }
}

/** Of members of a body that are no lists. */
const SINGLE_TYPES: Readonly<Record<string, string>> = {
  integer: 'int',
  boolean: 'bool',
  object: 'Mapping[str, Any]',
};

function buildBody({ properties = {}, required = [] }: Schema): Argument[] {
  const typeOfMember = ({ type, items }: Schema): string => {
    const [single] = [type].flat();
    if (single !== 'array') return SINGLE_TYPES[String(single)] ?? 'str';
    return items?.type === 'object' ? 'Iterable[RecordIdentity]' : 'Iterable[str]';
  };
  return Object.entries(properties).map(([name, schema]) => {
    const type = typeOfMember(schema);
    const each = type === 'Iterable[RecordIdentity]' ? '[each.to_dict() for each in ' : '[*';
    const listed = each === '[*' ? `[*${name}]` : `${each}${name}]`;
    const sent = schema.type === 'array' ? `None if ${name} is None else ${listed}` : name;
    return {
      parameter: name,
      name,
      type,
      isRequired: required.includes(name),
      description: schema.description ?? '',
      sent,
    };
  });
}

const itemOf = ({ schema }: DescribedEndpoint): string =>
  SCHEMAS[schema]?.properties?.items?.items?.$ref?.split('/').at(-1) ?? nameInner(schema, 'items');
const has = ({ query }: Method, name: string): boolean => query.some((argument) => argument.name === name);
const isFeed = ({ endpoint }: Method): boolean => endpoint.headers?.includes('X-Change-Horizon') ?? false;
const isPaged = (method: Method): boolean =>
  has(method, 'cursor') && SCHEMAS[method.endpoint.schema]?.properties?.next_cursor !== undefined;

function renderMethods(method: Method): string[] {
  if (method.endpoint.name === STREAMED) return [renderExport(method)];
  return [
    renderCall(method),
    ...(isPaged(method) ? [renderWalk(method)] : []),
    ...(has(method, 'count') ? [renderCount(method)] : []),
  ];
}

const SCOPE_ARGUMENT: Argument = {
  parameter: 'jurisdiction_code',
  name: 'jurisdiction_code',
  type: 'str',
  isRequired: false,
  description: 'One register, through its own endpoint; then leave out `jurisdiction`. Default: all.',
  sent: '',
};

function renderHead(name: string, path: readonly string[], keywords: readonly Argument[], result: string): string[] {
  const ordered = [...keywords.filter((each) => each.isRequired), ...keywords.filter((each) => !each.isRequired)];
  const entries = [
    'self',
    ...path.map((each) => `${each}: ${each === 'bucket' ? 'int' : 'str'}`),
    ...(ordered.length === 0 ? [] : ['*']),
    ...ordered.map((each) => `${each.name}: ${each.type}${each.isRequired ? '' : ' | None = None'}`),
  ];
  if (entries.length === 1) return [`    def ${name}(self) -> ${result}:`];
  return renderList(`def ${name}(`, entries, `) -> ${result}:`, '    ');
}

function renderDocumentation(summary: string, paragraphs: readonly string[], keywords: readonly Argument[]): string[] {
  const documented = keywords.flatMap(({ name, description }) =>
    description === '' ? [] : wrap(`${name}: ${description}`, '            ', '    '),
  );
  return [
    '        """',
    ...wrap(summary, '        '),
    ...paragraphs.flatMap((text) => ['', ...wrap(text.replaceAll('\\', '\\\\'), '        ')]),
    ...(documented.length === 0 ? [] : ['', '        Args:', ...documented]),
    '        """',
  ];
}

function describePath({ endpoint, isScoped }: Method): string {
  const { method, path } = endpoint;
  return `\`${method} ${path}\`${isScoped ? `, or \`${path.replace('/v1/', SCOPE)}\`` : ''}.`;
}

/** The expression that builds the path. */
function renderPath({ endpoint, isScoped }: Method): string {
  const [product, version] = endpoint.path.split('/').slice(1);
  const isOther = version === 'v1';
  const segments = endpoint.path
    .split('/')
    .slice(isOther ? 3 : 2)
    .map((segment) => (segment.startsWith('{') ? segment.slice(1, -1) : `"${segment}"`));
  const last = isOther ? [`product="${product}"`] : [];
  return `build_path(${[...(isScoped ? ['jurisdiction_code'] : []), ...segments, ...last].join(', ')})`;
}

function renderDictionary(open: string, entries: readonly string[], indent: string): string[] {
  return entries.length === 0 ? [`${indent}${open}{}`] : renderList(`${open}{`, entries, '}', indent);
}

const queryEntries = (query: readonly Argument[]): string[] =>
  query.map(({ parameter, sent }) => `"${parameter}": ${sent}`);

function keywordsOf(method: Method): Argument[] {
  return [...(method.isScoped ? [SCOPE_ARGUMENT] : []), ...method.body, ...method.query];
}

function renderCall(method: Method): string {
  const { endpoint, name, path, query, body } = method;
  const keywords = keywordsOf(method);
  const sentBody = body.map(({ name: member, sent }) => `"${member}": ${sent}`);
  const options = [
    ...(body.length === 0 ? [] : ['body={name: value for name, value in body.items() if value is not None}']),
    ...(endpoint.metered ? [] : ['metered=False']),
  ];
  const call = [`"${endpoint.method}"`, renderPath(method), 'query', endpoint.schema, ...options].join(', ');
  const cost = endpoint.metered ? 'One unit.' : 'Free, with a single attempt.';
  return [
    ...renderHead(name, path, keywords, endpoint.schema),
    ...renderDocumentation(`${endpoint.summary}: ${describePath(method)} ${cost}`, [endpoint.description], keywords),
    ...renderDictionary('query: dict[str, Any] = ', queryEntries(query), '        '),
    ...(body.length === 0 ? [] : renderDictionary('body: dict[str, Any] = ', sentBody, '        ')),
    `        return self._call(${call})`,
  ].join('\n');
}

function renderExport(method: Method): string {
  const { endpoint, name, query } = method;
  const keywords = query.filter((each) => each.name !== 'format');
  const sent = keywords.filter((each) => each.name !== 'cursor');
  return [
    ...renderHead(name, [], keywords, 'ExportWalk'),
    ...renderDocumentation(
      `${endpoint.summary}: ${describePath(method)} One unit for each 500 records, which are a page.`,
      [
        'Each record is a dictionary of its fields. The walk continues on its own after a cut, or when the service ends ' +
          'the stream; its `cursor` is the position after the last page that you consumed completely.',
      ],
      keywords,
    ),
    ...renderDictionary('query: dict[str, Any] = ', queryEntries(sent), '        '),
    '        return self._export(query, cursor)',
  ].join('\n');
}

function renderWalk(method: Method): string {
  const { endpoint, name, path, query } = method;
  const isSearch = has(method, 'count');
  const walk = isFeed(method) ? 'FeedWalk' : isSearch ? 'SearchWalk' : 'Walk';
  const bounded: Argument[] = isSearch
    ? [
        {
          parameter: 'items_max',
          name: 'items_max',
          type: 'int',
          isRequired: false,
          description: 'The walk ends after this many records: 1 or more.',
          sent: '',
        },
      ]
    : [];
  const keywords = [...keywordsOf(method), ...bounded];
  const head = renderHead(`${name}_all`, path, keywords, `${walk}[${endpoint.schema}, ${itemOf(endpoint)}]`).map(
    (line) => line.replace('items_max: int | None = None', 'items_max: int = ITEMS_MAX_DEFAULT'),
  );
  const limit = query.find((argument) => argument.name === 'limit');
  const expandable = has(method, 'expand');
  const form = endpoint.parameters.find((parameter) => parameter.name === 'limit')?.declared?.value;
  const { max, expandedMax } = form?.form === 'integer' ? form : { max: 0, expandedMax: 0 };
  const largest = expandable ? `(${expandedMax} if expand == "payload" else ${max})` : String(max);
  const sent = query.filter((argument) => argument.name !== 'cursor' && argument.name !== 'limit');
  const call = `self._call("${endpoint.method}", path, {**query, "cursor": at${limit === undefined ? '' : ', "limit": size'}}, ${endpoint.schema})`;
  const kind = isFeed(method)
    ? 'To the end of the feed. Save `walk.cursor` with what you have consumed; `walk.follow()` goes on without an end.'
    : isSearch
      ? 'At most `items_max` records.'
      : 'To the end.';
  return [
    ...head,
    ...renderDocumentation(
      `${endpoint.summary}, page by page, each fetched when it is needed: ${describePath(method)} One unit a page.`,
      [kind],
      keywords,
    ),
    `        path = ${renderPath(method)}`,
    ...(limit === undefined ? [] : [`        page_max = limit or ${largest}`]),
    ...renderDictionary('query: dict[str, Any] = ', queryEntries(sent), '        '),
    '',
    `        def fetch(at: str | None, left: int | None) -> ${endpoint.schema}:`,
    ...(limit === undefined ? [] : ['            size = page_max if left is None else min(page_max, left)']),
    `            return ${call}`,
    '',
    `        return ${walk}(fetch, cursor, ${isSearch ? 'items_max' : 'None'})`,
  ].join('\n');
}

function renderCount(method: Method): string {
  const filters = method.query.filter(({ name }) => !PAGING.has(name));
  const keywords = [SCOPE_ARGUMENT, ...filters];
  return [
    ...renderHead('count', [], keywords, 'SearchPage'),
    ...renderDocumentation(
      'Counts the records that a search matches: `matched_count`, up to 10,000, and `matched_count_capped`. One unit.',
      [],
      keywords,
    ),
    ...renderDictionary(
      'query: dict[str, Any] = ',
      [...queryEntries(filters), '"count": "capped"', '"limit": 1'],
      '        ',
    ),
    `        return self._call("GET", ${renderPath(method)}, query, SearchPage)`,
  ].join('\n');
}
