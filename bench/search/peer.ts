/**
 * The peer: searches built the usual way. Fastify, the same driver, every field in a column with its own index,
 * one statement whose path the planner chooses, rows as objects, JSON.stringify, no keys and no metering.
 */
import { FILTER_DATES } from '@tmds/contract/enums';
import { type FastifyInstance, fastify } from 'fastify';
import pg from 'pg';
import { PEER_COLUMNS } from './data.ts';

type Texts = Readonly<Record<string, string>>;

const LIST_COLUMNS: Readonly<Record<string, string>> = {
  jurisdiction: 'jurisdiction_code',
  office: 'office',
  status: 'status',
  kind_of_mark: 'kind_of_mark',
  mark_feature: 'mark_feature',
};
const ARRAY_COLUMNS: Readonly<Record<string, string>> = {
  nice_class: 'nice_classes',
  vienna_code: 'vienna_codes',
  owner_country: 'owner_countries',
  designated_country: 'designated_countries',
};
const TEXT_COLUMNS: Readonly<Record<string, string>> = {
  mark_name: 'mark_name_folded',
  owner_name: 'owner_text',
  representative_name: 'representative_text',
};
const DELIVERED = PEER_COLUMNS.filter((name) => !/_folded$|_text$|_variants$/.test(name));

/** The condition of one parameter. */
function buildCondition(name: string, text: string, add: (value: unknown) => string): string | null {
  if (name in LIST_COLUMNS) return `${LIST_COLUMNS[name]} = any(${add(text.split(','))}::text[])`;
  if (name === 'nice_class_all') return `nice_classes @> ${add(text.split(',').map(Number))}::int[]`;
  if (name === 'nice_class') return `nice_classes && ${add(text.split(',').map(Number))}::int[]`;
  if (name === 'vienna_code') {
    const prefix = `${text}.`;
    return `exists (select from unnest(vienna_codes) code where code = ${add(text)} or starts_with(code, ${add(prefix)}))`;
  }
  if (name in ARRAY_COLUMNS) return `${ARRAY_COLUMNS[name]} && ${add(text.split(','))}::text[]`;
  if (name === 'application_number' || name === 'registration_number') return `${name} = ${add(text)}`;
  if (name === 'international_registration_number' || name === 'priority_number') {
    return `${name}s @> array[${add(text)}]::text[]`;
  }
  if (name === 'updated_since') return `updated_at >= ${add(text)}::timestamptz`;
  if (name === 'updated_before') return `updated_at < ${add(text)}::timestamptz`;
  return buildNameCondition(name, text.toLowerCase(), add) ?? buildDateCondition(name, text, add);
}

function buildNameCondition(name: string, text: string, add: (value: unknown) => string): string | null {
  if (name === 'mark_name') {
    const value = add(text);
    return `(mark_name_folded = ${value} or mark_name_variants @> array[${value}]::text[])`;
  }
  if (name === 'owner_name' || name === 'representative_name') return `${name}s @> array[${add(text)}]::text[]`;
  const column = TEXT_COLUMNS[name.replace(/_(contains|startswith)$/, '')];
  if (column === undefined) return null;
  const escaped = text.replaceAll(/[\\%_]/g, '\\$&');
  if (name.endsWith('_contains')) return `${column} like ${add(`%${escaped}%`)}`;
  return `(${column} like ${add(`${escaped}%`)} or ${column} like ${add(`%\n${escaped}%`)})`;
}

function buildDateCondition(name: string, text: string, add: (value: unknown) => string): string | null {
  const field = FILTER_DATES.find((candidate) => name === candidate || name.startsWith(`${candidate}_`));
  if (field === undefined) return null;
  const operator = name.endsWith('_from') ? '>=' : name.endsWith('_to') ? '<=' : '=';
  return `${field} ${operator} ${add(text)}::date`;
}

interface Position {
  value: string | null;
  code: string;
  uid: string;
}

function buildPeerStatement(
  texts: Texts,
  limit: number,
): { text: string; count: string; values: unknown[]; counted: number } {
  const values: unknown[] = [];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const conditions = Object.entries(texts).flatMap(([name, text]) => buildCondition(name, text, add) ?? []);
  const counted = values.length;
  const count = `select count(*)::int as count from (select 1 from peer.record where ${conditions.join(' and ')} limit 10001) m`;
  const sort = texts.sort ?? 'updated_at';
  const order = texts.order ?? 'desc';
  if (texts.cursor !== undefined) {
    const { value, code, uid } = JSON.parse(Buffer.from(texts.cursor, 'base64url').toString()) as Position;
    const type = sort === 'updated_at' ? 'timestamptz' : 'date';
    const comparison = order === 'asc' ? '>' : '<';
    conditions.push(
      value === null
        ? `${sort} is null and (jurisdiction_code, uid) ${comparison} (${add(code)}, ${add(uid)})`
        : `((${sort}, jurisdiction_code, uid) ${comparison} (${add(value)}::${type}, ${add(code)}, ${add(uid)}) or ${sort} is null)`,
    );
  }
  const nulls = sort === 'updated_at' ? '' : ' nulls last';
  const text = `select ${DELIVERED.join(', ')} from peer.record where ${conditions.join(' and ')}
    order by ${sort} ${order}${nulls}, jurisdiction_code ${order}, uid ${order} limit ${limit + 1}`;
  return { text, count, values, counted };
}

/** Listens on a free port for as long as the process lives, and resolves to its address. */
export async function startPeer(url: string): Promise<string> {
  const types = {
    getTypeParser: ((oid: number) => ([1082, 1184].includes(oid) ? String : pg.types.getTypeParser(oid))) as never,
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    types,
    application_name: 'peer',
    options: '-c statement_timeout=10000 -c timezone=UTC',
  });
  const app: FastifyInstance = fastify();
  app.get('/v1/trademarks', async (request, reply) => {
    const texts = request.query as Texts;
    const limit = Number(texts.limit ?? 50);
    const { text, count, values, counted } = buildPeerStatement(texts, limit);
    try {
      const { rows } = await pool.query(text, values);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const position = {
        value: last?.[texts.sort ?? 'updated_at'] ?? null,
        code: last?.jurisdiction_code,
        uid: last?.uid,
      };
      const next_cursor = rows.length > limit ? Buffer.from(JSON.stringify(position)).toString('base64url') : null;
      if (texts.count === undefined) return { items: page, next_cursor };
      const [matched] = (await pool.query(count, values.slice(0, counted))).rows;
      return {
        items: page,
        next_cursor,
        matched_count: Math.min(matched.count, 10_000),
        matched_count_capped: matched.count > 10_000,
      };
    } catch (error) {
      if ((error as { code?: string }).code !== '57014') throw error;
      return await reply.code(422).send({ error: { code: 'query_timeout' } });
    }
  });
  return await app.listen({ port: 0, host: '127.0.0.1' });
}
