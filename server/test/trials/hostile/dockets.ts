/** Forms of the portal, and files sent to it: read, shown, compared. */
import type { ServerCase, World } from './hostile-case.ts';
import { WORST_TEXTS } from './texts.ts';

const FORM_FIELDS = ['email', 'password', 'name', 'next', 'url', 'watch', 'quota', 'q', 'search', 'grace'] as const;
const FIELD_LENGTH = 4_000;

async function postForms(world: World): Promise<void> {
  const { person } = world;
  // A person who is signed out or removed sends nothing more.
  const forms = world.paths.filter(
    ({ path, takesForms }) => takesForms && !/sign-out|remove|revoke|sessions/.test(path),
  );
  for (const { path } of forms) {
    const filled = path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000');
    for (const [place, text] of WORST_TEXTS.entries()) {
      // Two of the texts at each form in turn would do; six let each field meet most of them.
      if (place % 7 !== filled.length % 7) continue;
      const value = text.build(FIELD_LENGTH).toWellFormed();
      const form = Object.fromEntries(FORM_FIELDS.map((name) => [name, value]));
      await world.during(`${path}: ${text.name}`, async () => world.count((await person.post(filled, form)).status));
    }
  }
  const many = new URLSearchParams(Array.from({ length: 8_000 }, (_, at) => [`f${at}`, '1'])).toString();
  await world.ask('many fields', {
    method: 'POST',
    path: '/portal/sign-in',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(many),
  });
}

type Docket = readonly [name: string, bytes: () => Buffer | string];

const CELL = 40_000;
const LARGE = 19_000_000;

const ROWS = 'Register;Number;Status\nXA;1;Pending\n';

/** One cell of the worst, in each column that is read, between two ordinary rows. */
const CELLS: readonly Docket[] = WORST_TEXTS.map((text) => [
  `cells: ${text.name}`,
  () => {
    const cell = `"${text.build(CELL).toWellFormed().replaceAll('"', '""')}"`;
    return `${ROWS}XA;${cell};Pending\nXA;2;${cell}\n${cell};3;\nXA;4;Pending\n`;
  },
]);

const LINES: readonly Docket[] = [
  ['one line without an end', () => 'a'.repeat(LARGE)],
  ['only ends of lines', () => '\n'.repeat(LARGE)],
  ['only separators', () => ';'.repeat(LARGE)],
  ['an open quote', () => `${ROWS}XA;"${'a;b\n'.repeat(LARGE / 5)}`],
  ['quotes', () => '"'.repeat(LARGE)],
  ['blanks', () => `${ROWS}XA;${' '.repeat(LARGE)};\n`],
  ['marks', () => `${ROWS}XA;${'\u0301'.repeat(LARGE / 3)};\n`],
  ['100,000 columns', () => `${'Number;'.repeat(100_000)}\n${'1;'.repeat(100_000)}\n`],
  ['rows', () => `Register;Number\n${'XA;(1)\n'.repeat(100_000)}`],
];

/** What is no text, or not in the encoding that it looks like. */
const BINARIES: readonly Docket[] = [
  ['an archive', () => Buffer.from(`PK\u0003\u0004${'\0'.repeat(LARGE)}`, 'latin1')],
  ['nulls', () => Buffer.alloc(LARGE)],
  ['bytes of every kind', () => Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => (at * 7919) % 256))],
  ['UTF-16', () => Buffer.from(`\ufeff${'Register;Number\nXA;1\n'.repeat(400_000)}`, 'utf16le')],
  ['half letters', () => Buffer.concat([Buffer.from(ROWS), Buffer.alloc(LARGE, 'é').subarray(1)])],
];

/** Sends the file, reads its page, has it compared, reads the result. */
async function sendDocket(world: World, [label, build]: Docket, name: string): Promise<void> {
  const { person } = world;
  const bytes = new Uint8Array(Buffer.from(build()));
  const go = async (step: string, work: () => Promise<{ status: number; text: string; to: string | null }>) => {
    const answer = await world.during(`${label}, ${step}`, work);
    world.count(answer.status);
    return answer;
  };
  const sent = await go('sent', () => person.post('/portal/reconcile', {}, { file: { field: 'docket', name, bytes } }));
  if (sent.to === null) return;
  const path = sent.to;
  await go('shown', () => person.visit(path));
  const { text } = await go('checked', () => person.visit(`${path}?checked=1`));
  const form = /<form method="post" action="[^"]+\/start".*?<\/form>/s.exec(text)?.[0] ?? '';
  const fields = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const given = fields
    .filter(([, field]) => field !== 'csrf' && field !== 'once')
    .map(([, field, value]) => [field, value]);
  if (given.length > 0) {
    await go('started', () => person.post(`${path}/start`, Object.fromEntries(given) as Record<string, string>));
    await go('under way', () => person.visit(path));
  }
  await person.post(`${path}/delete`, {});
}

const sendAll =
  (dockets: readonly Docket[], name: string) =>
  async (world: World): Promise<void> => {
    for (const docket of dockets) await sendDocket(world, docket, name);
  };

/** A file of 20 MB may be held while it is taken in. */
const FILE_MEMORY = { memoryMb: 400 };

export const PORTAL_CASES: readonly ServerCase[] = [
  { name: 'forms', title: 'every form of the portal with the worst texts in every field', play: postForms },
  {
    name: 'docket-cells',
    title: 'a docket with a cell of 40 KB, sent, shown and compared',
    play: sendAll(CELLS, 'd.csv'),
  },
  {
    name: 'docket-lines',
    title: 'dockets of 19 MB of one kind of character',
    play: sendAll(LINES, 'd.csv'),
    bound: FILE_MEMORY,
  },
  {
    name: 'docket-binaries',
    title: 'dockets of 19 MB that are no text',
    play: sendAll(BINARIES, 'd.xlsx'),
    bound: FILE_MEMORY,
  },
];
