/** The peer: a bare handler that joins the rendered rows of a page, without key, cursor, horizon or metering. */
import { createServer } from 'node:http';
import pg from 'pg';

const { url, port } = JSON.parse(process.argv[2] ?? '{}') as { url: string; port: number };
const pool = new pg.Pool({ connectionString: url, max: 8 });

const server = createServer(async (request, response) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const [stamp, code, uid] = (query.get('cursor') ?? '1970-01-01|-|-').split('|').map(decodeURIComponent);
  const { rows } = await pool.query({
    name: 'page',
    text: `select detail, updated_at::text as stamp, jurisdiction_code, uid from record
      where (updated_at, jurisdiction_code, uid) > ($1::timestamptz, $2, $3)
      order by updated_at, jurisdiction_code, uid limit $4`,
    values: [stamp, code, uid, Number(query.get('limit'))],
  });
  const last = rows.at(-1);
  const cursor =
    last === undefined
      ? 'null'
      : `"${[last.stamp, last.jurisdiction_code, last.uid].map(encodeURIComponent).join('|')}"`;
  const body = `{"items":[${rows.map((row) => row.detail).join(',')}],"next_cursor":${cursor}}`;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(port, '127.0.0.1');
