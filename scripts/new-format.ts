/**
 * Lays out a new register format: a reader that compiles, its tables, a fixture and a test that passes, registered and
 * documented. The places that the author has to fill in are marked; `docs/new-register.md` is the guide.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildCommand } from './command.ts';
import { type NewFormat, planFormat, RefusedFormat } from './new-format/plan.ts';
import { listOpenPlaces, writeFormat } from './new-format/write.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const command = buildCommand('npm run new-format --', 'Lays out a reader for the XML files of another register.')
  .argument('<name>', 'the name of the format, as in "tmds load <name>"')
  .requiredOption('--title <title>', 'what it reads: "INPI journal of marks (Brazil), XML"')
  .requiredOption('--register <code>', 'the register of its files: BR')
  .requiredOption('--root <element>', 'the root element of its files, without a prefix')
  .requiredOption('--record <element>', 'the element that holds one mark; may be the root')
  .parse();
const format: NewFormat = { name: command.args[0] ?? '', ...command.opts<Omit<NewFormat, 'name'>>() };

try {
  const plan = planFormat(ROOT, format);
  writeFormat(ROOT, plan);
  const paths = [...plan.created.keys(), ...plan.edited.keys()];
  const sources = paths.filter((path) => path.endsWith('.ts'));
  execFileSync('npx', ['biome', 'check', '--write', ...sources], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  printList('written', paths);
  printList('to be filled in', listOpenPlaces(plan, ROOT));
  console.log(`next: npm test -- unit/${format.name}.test.ts, then docs/new-register.md`);
} catch (error) {
  if (!(error instanceof RefusedFormat)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

function printList(title: string, lines: readonly string[]): void {
  console.log([`${title}:`, ...lines.map((line) => `  ${line}`)].join('\n'));
}
