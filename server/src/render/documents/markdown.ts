/**
 * Markdown of the repository as customers read it. Links between served pages lead to their addresses; a link to
 * anything else of the repository becomes its text. HTML in a text is shown as text. The files come from the package,
 * which has them in `pages`, else from the repository.
 */

import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { CUSTOMER_FILES, PAGE_SOURCES } from './catalogue.ts';

const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(PAGE_SOURCES).map(([name, source]): [string, string] => [source, `/docs/${name}.md`]),
  ...Object.entries(CUSTOMER_FILES).map(([name, { source }]): [string, string] => [source, `/docs/${name}`]),
]);

/** Fenced code, code in a line, and links: the first two are passed over. */
const PARTS = /^```[\s\S]*?^```|`[^`\n]+`|(!?)\[((?:`[^`\n]*`|[^[\]`])+)\]\(([^()\s]+)\)/gm;

/** `source`: where the text is, from the root of the repository. */
export function publishMarkdown(text: string, source: string): string {
  const linked = text.replace(PARTS, (whole, image: string | undefined, label: string, target: string | undefined) => {
    if (target === undefined || /^(https?:|mailto:|#|\/)/.test(target)) return whole;
    const [path = '', place] = target.split('#');
    const address = ADDRESSES.get(posix.join(posix.dirname(source), path));
    if (address === undefined || image === '!') return label;
    return `[${label}](${address}${place === undefined ? '' : `#${place}`})`;
  });
  return linked.replaceAll(/^<!--.*-->\n+/gm, '');
}

/** The name by which a link leads to a heading, as GitHub makes it. */
function nameHeading(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

interface RenderedMarkdown {
  /** The text of the first heading. */
  readonly title: string;
  readonly html: string;
}

/** Areas that scroll sideways are reachable by keyboard, and named by the heading above them. */
export function renderMarkdownHtml(markdown: string): RenderedMarkdown {
  let title = '';
  let heading = '';
  let areas = 0;
  const names = new Map<string, number>();
  const scrolls = (kind: string): string => {
    areas += 1;
    return `tabindex="0" role="region" aria-label="${escapeHtml(`${heading}, ${kind} ${areas}`)}"`;
  };
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, text, depth }: Tokens.Heading) {
        heading = plain(text);
        if (title === '') title = heading;
        const base = nameHeading(heading);
        const count = names.get(base) ?? 0;
        names.set(base, count + 1);
        const id = escapeHtml(count === 0 ? base : `${base}-${count}`);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>`;
      },
      code({ text, lang = '' }: Tokens.Code) {
        return `<pre ${scrolls(lang === '' ? 'code' : lang)}><code>${escapeHtml(text)}</code></pre>`;
      },
      table({ header, rows }: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string): string =>
          `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const isNamed = header.some(({ text }) => text !== '');
        const head = isNamed ? `<thead>${cells(header, 'th')}</thead>` : '';
        const body = rows.map((row) => cells(row, 'td')).join('');
        return `<div class="scroll" ${scrolls('table')}><table>${head}<tbody>${body}</tbody></table></div>`;
      },
      link({ href, tokens }: Tokens.Link) {
        const label = this.parser.parseInline(tokens);
        if (!/^(https?:|mailto:|#|\/)/.test(href)) return label;
        const address = href.startsWith('/') ? href.replace(/\.md(?=#|$)/, '') : href;
        return `<a href="${escapeHtml(address)}">${label}</a>`;
      },
      image: ({ text }: Tokens.Image) => escapeHtml(text),
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, html };
}

function plain(text: string): string {
  return text.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replaceAll(/[`*]/g, '');
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** `server/pages` and the root of the repository, seen from `src/render/documents` as from `dist/render/documents`. */
const PLACES = [new URL('../../../pages/', import.meta.url), new URL('../../../../', import.meta.url)];

/** `source`: the file, from the root of the repository. */
export async function readSource(source: string): Promise<string> {
  for (const place of PLACES) {
    const text = await readFile(new URL(source, place), 'utf8').catch(skipMissing);
    if (text !== null) return text;
  }
  throw new Error(`${source} is neither in the package nor in a repository around it`);
}

function skipMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
