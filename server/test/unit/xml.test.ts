import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import { dashedDate } from '../../src/load/formats/dates.ts';
import { childText, findChild, openElement } from '../../src/load/formats/element.ts';
import { readXml, type XmlItem, type XmlSelection } from '../../src/load/xml/xml.ts';
import { XML_LIMITS, type XmlLimits, type XmlNode } from '../../src/load/xml/xml-record.ts';
import { takeAll } from '../support/formats.ts';
import { processorMs } from '../support/processor-time.ts';

const SELECTION: XmlSelection = {
  records: new Set(['mark']),
  envelope: new Set(['register', 'marks']),
  checkRoot() {},
};

function openStream(...chunks: (string | Buffer)[]): Readable {
  return Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
}

async function readItems(source: string | Readable, limits: Partial<XmlLimits> = {}): Promise<XmlItem[]> {
  const stream = typeof source === 'string' ? openStream(source) : source;
  return takeAll(readXml({ name: 'marks.xml', stream }, SELECTION, { ...XML_LIMITS, ...limits }));
}

async function readNodes(source: string | Readable): Promise<XmlNode[]> {
  return (await readItems(source)).map((item) => {
    assert.equal(item.kind, 'element');
    return (item as Extract<XmlItem, { kind: 'element' }>).node;
  });
}

function refuses(source: string | Readable, message: RegExp, limits: Partial<XmlLimits> = {}): Promise<void> {
  return assert.rejects(readItems(source, limits), (error: unknown) => {
    assert.ok(error instanceof OperatorError, String(error));
    assert.match(error.message, message);
    assert.equal(error.message.includes('\n'), false, 'one sentence');
    return true;
  });
}

const leaf = (name: string, text: string): XmlNode => ({ name, attributes: {}, children: [], text });

test('reads each record as one subtree with local names, whatever the prefix', async () => {
  const [mark] = await readNodes(`<?xml version="1.0" encoding="UTF-8"?>
    <a:register xmlns:a="urn:one"><a:marks>
      <a:mark xmlns:b="urn:two" b:code="7" plain=" x ">
        <b:name>Harrow &amp; Finch</b:name><b:name/>
        <b:note><![CDATA[<kept>]]> &#233;&#xE9;</b:note>
      </a:mark></a:marks></a:register>`);
  assert.deepEqual(mark, {
    name: 'mark',
    attributes: { code: '7', plain: ' x ' },
    text: '',
    children: [leaf('name', 'Harrow & Finch'), leaf('name', ''), leaf('note', '<kept> éé')],
  });
});

test('finds children by path, never by descent', async () => {
  const [mark] = await readNodes('<mark><a><b> one </b></a><a><b>two</b><c><b>three</b></c></a><b> </b></mark>');
  assert.ok(mark);
  assert.equal(childText(mark, 'a/b'), 'one');
  assert.equal(childText(mark, 'b'), null);
  assert.equal(childText(mark, 'a/x'), null);
  assert.equal(findChild(mark, 'a/c'), null, 'the first branch decides');
  const element = openElement(mark, dashedDate);
  assert.deepEqual(
    element.list('a/b').map(({ node }) => node.text),
    [' one ', 'two'],
  );
  assert.deepEqual(
    element.descendants('b').map(({ node }) => node.text),
    [' one ', 'two', 'three', ' '],
  );
});

test('reads the same records however the bytes are cut into chunks', async () => {
  const text = '\ufeff<register>\r\n<mark n="ü">Ærø 商标 𝄞 &amp; x\r\ny</mark><mark>\r\n  <a>β</a></mark></register>';
  const bytes = Buffer.from(text);
  const describe = (items: XmlItem[]): unknown =>
    items.map((item) => ('source' in item ? { ...item, source: item.source() } : item));
  const whole = describe(await readItems(openStream(bytes)));
  assert.deepEqual(whole, [
    {
      kind: 'element',
      node: { name: 'mark', attributes: { n: 'ü' }, children: [], text: 'Ærø 商标 𝄞 & x\ny' },
      line: 2,
      source: '<mark n="ü">Ærø 商标 𝄞 &amp; x\r\ny</mark>',
    },
    {
      kind: 'element',
      node: { name: 'mark', attributes: {}, children: [leaf('a', 'β')], text: '' },
      line: 3,
      source: '<mark>\r\n  <a>β</a></mark>',
    },
  ]);
  for (let size = 1; size < bytes.length; size++) {
    const chunks = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    assert.deepEqual(describe(await readItems(openStream(...chunks))), whole, `chunks of ${size} bytes`);
  }
});

test('asks for more input only when every record read so far has been taken', async () => {
  let pulled = 0;
  async function* produce(): AsyncGenerator<Buffer> {
    yield Buffer.from('<register>');
    for (; pulled < 1_000; pulled++) yield Buffer.from(`<mark>${'x'.repeat(70_000)}</mark>`);
    yield Buffer.from('</register>');
  }
  const stream = Readable.from(produce(), { objectMode: true, highWaterMark: 1 });
  let taken = 0;
  for await (const _item of readXml({ name: 'marks.xml', stream }, SELECTION)) {
    taken++;
    assert.ok(pulled - taken < 4, `${pulled} chunks were asked for when ${taken} records were taken`);
    if (taken === 20) break;
  }
  assert.equal(stream.destroyed, true, 'the input is closed when the reader stops early');
});

test('refuses other encodings by name', async () => {
  await refuses(openStream(Buffer.from('\ufeff<mark/>', 'utf16le')), /UTF-16; only UTF-8/);
  await refuses('<?xml version="1.0" encoding="ISO-8859-1"?><mark/>', /declares the encoding ISO-8859-1; only UTF-8/);
  for (const encoding of ['UTF-8', 'utf-8', 'US-ASCII']) {
    assert.equal((await readItems(`<?xml version="1.0" encoding="${encoding}"?><mark/>`)).length, 1);
  }
});

/** The bytes of a text in which `%e9` stands for the byte 0xe9. */
function spoil(text: string): Buffer {
  return Buffer.concat(
    text.split(/(%[0-9a-f]{2})/).map((part) => Buffer.from(part.replace('%', ''), part[0] === '%' ? 'hex' : 'utf8')),
  );
}

const summarize = (items: readonly XmlItem[]): string[] =>
  items.map((item) => (item.kind === 'element' ? item.node.text : item.kind === 'stray' ? item.path : item.reason));

test('a character that XML forbids costs its record alone, wherever in it and however the bytes come', async () => {
  const undecodable = 'has bytes that are not UTF-8';
  const reference = 'has a reference to a character that XML forbids';
  const cases: [bad: string, reason: string][] = [
    ['<mark>a\u0001b</mark>', 'has the character U+0001, which XML forbids'],
    ['<mark>a\u0000</mark>', 'has the character U+0000, which XML forbids'],
    ['<mark><a>\u001b</a></mark>', 'has the character U+001B, which XML forbids'],
    ['<mark>&#x0;</mark>', reference],
    ['<mark a="&#1;"/>', reference],
    ['<mark a="\u0008"><a/></mark>', 'has the character U+0008, which XML forbids'],
    ['<mark><![CDATA[\u000b]]></mark>', 'has the character U+000B, which XML forbids'],
    ['<mark>\ufffe</mark>', 'has the character U+FFFE, which XML forbids'],
    ['<mark>caf%e9</mark>', undecodable],
    ['<mark>%e2%82</mark>', undecodable],
    ['<mark>%f8%a1%a1%a1%a1</mark>', undecodable],
    ['<mark><a b="%ff"/></mark>', undecodable],
  ];
  for (const [bad, reason] of cases) {
    const bytes = spoil(`<register><mark>Ä\ufffd</mark>${bad}<mark>商标</mark></register>`);
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      assert.deepEqual(
        summarize(await readItems(openStream(...chunks))),
        ['Ä\ufffd', reason, '商标'],
        `${JSON.stringify(bad)} in chunks of ${size}`,
      );
    }
  }
  const [refused] = await readItems(openStream(spoil('<mark>caf%e9</mark>')));
  assert.equal(refused?.kind === 'reject' && refused.source(), '<mark>caf\ufffd</mark>');
});

test('a reference that XML does not define costs its record alone, and is never expanded', async () => {
  const of = (reference: string): string => `has the reference ${reference}, which XML does not define`;
  const cases: [bad: string, reason: string][] = [
    ['<mark>&ldquo;a&rdquo;</mark>', of('&rdquo;')],
    ['<mark><a>&nbsp;</a></mark>', of('&nbsp;')],
    ['<mark a="&eacute;"/>', of('&eacute;')],
    ['<mark>this & that; more</mark>', of('& that;')],
    ['<mark>&;</mark>', of('&;')],
    [`<mark>&${'x'.repeat(50)};</mark>`, of(`&${'x'.repeat(39)}`)],
    ['<mark>a ]]> b</mark>', 'has the characters ]]>, which XML forbids in text'],
  ];
  for (const [bad, reason] of cases) {
    const bytes = Buffer.from(`<!DOCTYPE register [<!ENTITY % p ""><!ENTITY own "x">]><register><mark>one</mark>${bad}
      <mark>two</mark></register>`);
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      assert.deepEqual(summarize(await readItems(openStream(...chunks))), ['one', reason, 'two'], `${bad} ${size}`);
    }
  }
  const outside = await readItems('<register>&nbsp;<marks><mark>one</mark></marks></register>');
  assert.deepEqual(summarize(outside), [of('&nbsp;'), 'one']);
  const [refused] = await readItems('<mark>&ldquo;a</mark>');
  assert.equal(refused?.kind === 'reject' && refused.source(), '<mark>&ldquo;a</mark>');
});

test('many undefined references take time that grows with the file [I-45]', async () => {
  const time = async (count: number): Promise<number> => {
    const start = processorMs();
    const items = await readItems(`<register><mark>${'&a;'.repeat(count)}</mark><mark>two</mark></register>`);
    assert.equal(items.length, 2);
    return processorMs() - start;
  };
  await time(1_000);
  // Other threads of this process may work at the same time, but hardly each time.
  const shortest = async (count: number): Promise<number> =>
    Math.min(await time(count), await time(count), await time(count));
  const [short, long] = [await shortest(5_000), await shortest(40_000)];
  assert.ok(long < 30 * Math.max(short, 10), `${short} ms, ${long} ms`);
});

test('a forbidden character outside the records is reported and costs none of them', async () => {
  const items = await readItems('<register a="\u0001">\u0002<marks><mark>one</mark></marks>\u0003</register>');
  assert.deepEqual(summarize(items), [
    'has the character U+0001, which XML forbids',
    'has the character U+0002, which XML forbids',
    'one',
    'has the character U+0003, which XML forbids',
  ]);
});

test('reads past a document type declaration and fetches nothing it names', async () => {
  const subset = `<!DOCTYPE register PUBLIC "-//X//DTD Y//EN" "ftp://nowhere.invalid/x.dtd" [
    <!-- it's "quoted" ]> <!ENTITY in a comment SYSTEM "x"> -->
    <!ELEMENT mark (#PCDATA)><!ATTLIST mark code CDATA #IMPLIED>
    <!ENTITY unused "nothing">
    ${'<!ELEMENT filler (#PCDATA)>\n'.repeat(800)}]>`;
  assert.deepEqual(await readNodes(`${subset}<register><mark>a</mark></register>`), [leaf('mark', 'a')]);
});

test('refuses entities of a document instead of expanding them', async () => {
  const bomb = `<!DOCTYPE register [<!ENTITY a "${'x'.repeat(50)}">${[...'bcdefgh']
    .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefg'[index]};`.repeat(50)}">`)
    .join('')}]>`;
  await refuses(`${bomb}\n<register><mark>&h;</mark></register>`, /line 2: .*declared entities are refused/);
  await refuses('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><register/>', /declares an external entity/);
  await refuses('<!DOCTYPE r [<!ENTITY % x PUBLIC "p" "http://x.invalid/">%x;]><register/>', /external entity/);
  await refuses('<!DOCTYPE r [<!ENTITY own "x">]><register><mark>&own;</mark></register>', /declared entities are/);
  // A tag may hide in a reference without an end.
  await refuses(
    '<register><mark>a & b</mark><mark>c;</mark></register>',
    /not well-formed XML: disallowed character in/,
  );
});

test('says where a truncated or malformed file breaks off', async () => {
  await refuses(
    '<register>\n<mark>\n<a>x</a>',
    /^marks\.xml, line 3: the file ends inside the element mark: .*truncated/,
  );
  await refuses('<register>\n<mark/>', /line 2: the file ends inside the element register: the file is truncated/);
  await refuses('<register>\n<mark></other></register>', /^marks\.xml, line 2: the file is not well-formed XML: /);
  await refuses('<register><mark a="<"/></register>', /line 1: the file is not well-formed XML: disallowed char/);
  await refuses('<register><mark a="1" a="2"/></register>', /not well-formed XML: duplicate attribute/);
  await refuses('<register/><register/>', /not well-formed XML/);
  await refuses('', /^marks\.xml is empty$/);
  await refuses('<!-- nothing -->', /not well-formed XML: document must contain a root element/);
  await refuses('{"uid":"1"}', /^marks\.xml is not XML: it starts with "\{"$/);
});

test('rejects a record beyond a bound, with its source, and reads the next one', async () => {
  const cases: [Partial<XmlLimits>, string, RegExp][] = [
    [{ depthMax: 5 }, '<mark><a><b><c><d><e/></d></c></b></a></mark>', /nests elements more than 5 levels deep/],
    [{ recordElementsMax: 10 }, `<mark>${'<a/>'.repeat(10)}</mark>`, /has more than 10 elements/],
    [{ elementAttributesMax: 3 }, '<mark><a b="" c="" d="" e=""/></mark>', /an element with more than 3 attributes/],
    [{ recordCharactersMax: 100 }, `<mark>${'x'.repeat(200)}</mark>`, /is longer than 100 characters/],
    [{ recordCharactersMax: 100 }, `<mark>${'<a>x</a>'.repeat(200)}</mark>`, /is longer than 100 characters/],
  ];
  for (const [limits, record, reason] of cases) {
    const [refused, next, ...others] = await readItems(`<register>${record}<mark>next</mark></register>`, limits);
    assert.deepEqual(others, []);
    assert.ok(refused?.kind === 'reject' && next?.kind === 'element');
    assert.match(refused.reason, reason);
    assert.equal(refused.source(), record);
    assert.deepEqual(next.node, leaf('mark', 'next'));
  }
});

test('stops with an error at a file whose single token or depth no bound could skip', async () => {
  const long = Array.from({ length: 50 }, () => 'x'.repeat(100));
  await refuses(openStream('<register><mark>', ...long), /a single text or tag of more than 1000 characters/, {
    tokenCharactersMax: 1_000,
  });
  await refuses(openStream('<register><mark a="', ...long), /a single text or tag/, { tokenCharactersMax: 1_000 });
  await refuses('<register>'.repeat(60), /nests elements more than 50 levels deep/, { fileDepthMax: 50 });
  await refuses(`<mark>${'<a>'.repeat(60)}`, /nests elements more than 50 levels deep/, {
    fileDepthMax: 50,
    depthMax: 5,
  });
});

test('reports an unexpected element outside the records once, and passes over what is in it', async () => {
  const items = await readItems(
    '<register>\n<odd><mark>not read</mark><odd/></odd><marks><mark>read</mark></marks></register>',
  );
  assert.deepEqual(
    items.map((item) => (item.kind === 'element' ? item.node : item)),
    [{ kind: 'stray', path: 'register/odd', line: 2 }, leaf('mark', 'read')],
  );
});
