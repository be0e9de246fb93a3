/**
 * Builds what a Containerfile describes without a container: each stage is a folder, its base image this machine. It
 * takes the instructions that ours uses, and steps that stay below their working folder.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Image {
  /** Stands for `/`. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly user: string;
  readonly volumes: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

interface Stage {
  readonly root: string;
  environment: Record<string, string>;
  folder: string;
  user: string;
  volumes: string[];
  entry: string[];
  command: string[];
  healthCheck: string[];
}

export interface Building {
  /** The folder that is sent to the builder, without what `.dockerignore` names. */
  readonly context: string;
  /** Where the stages are made. */
  readonly folder: string;
  /** Runs the words of a RUN instruction. */
  readonly runStep: (words: string, folder: string) => Promise<void>;
}

export async function buildImage(file: string, building: Building): Promise<Image> {
  const ignored = await readIgnored(building.context);
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  let variables: Record<string, string> = {};
  for (const { name, words } of parseInstructions(await readFile(file, 'utf8'))) {
    const text = words.replace(/\$\{(\w+)\}/g, (whole, key: string) => variables[key] ?? whole);
    if (name === 'ARG') variables = { ...variables, ...readPairs(text) };
    else if (name === 'FROM') {
      const label = / AS (\S+)$/.exec(text)?.[1] ?? String(stages.size);
      stage = await openStage(join(building.folder, label));
      stages.set(label, stage);
    } else {
      if (stage === undefined) throw new Error(`${name} before FROM`);
      await follow(stage, name, text, { ...building, ignored, stages });
    }
  }
  if (stage === undefined) throw new Error(`${file} has no stage`);
  const { root, environment, folder, user, volumes, entry, command, healthCheck } = stage;
  return { root, environment, folder, user, volumes, command: [...entry, ...command], healthCheck };
}

function parseInstructions(text: string): { name: string; words: string }[] {
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  const joined = lines.join('\n').replace(/\\\n\s*/g, '');
  return joined.split('\n').flatMap((line) => {
    const [, name, words] = /^([A-Z]+) +(.+)$/.exec(line) ?? [];
    if (name === undefined || words === undefined) {
      if (line.trim() === '') return [];
      throw new Error(`not an instruction: ${line}`);
    }
    return [{ name, words }];
  });
}

async function openStage(root: string): Promise<Stage> {
  await mkdir(root, { recursive: true, mode: 0o755 });
  return { root, environment: {}, folder: '/', user: 'root', volumes: [], entry: [], command: [], healthCheck: [] };
}

type Step = Building & { readonly ignored: (path: string) => boolean; readonly stages: ReadonlyMap<string, Stage> };

async function follow(stage: Stage, name: string, words: string, step: Step): Promise<void> {
  if (name === 'WORKDIR') {
    stage.folder = resolve(stage.folder, words);
    await mkdir(join(stage.root, stage.folder), { recursive: true });
  } else if (name === 'COPY') await copy(stage, words, step);
  else if (name === 'RUN') await step.runStep(words, join(stage.root, stage.folder));
  else if (name === 'ENV') stage.environment = { ...stage.environment, ...readPairs(words) };
  else if (name === 'USER') stage.user = words;
  else if (name === 'VOLUME') stage.volumes.push(words);
  else if (name === 'ENTRYPOINT') stage.entry = JSON.parse(words);
  else if (name === 'CMD') stage.command = JSON.parse(words);
  else if (name === 'HEALTHCHECK') stage.healthCheck = JSON.parse(words.replace(/^.*? CMD /, ''));
  else if (name !== 'EXPOSE' && name !== 'LABEL') throw new Error(`unknown instruction ${name}`);
}

/** A folder gives its content, a file itself. */
async function copy(stage: Stage, words: string, { context, ignored, stages }: Step): Promise<void> {
  const [, from, paths = ''] = /^(?:--from=(\S+) +)?(.*)$/.exec(words) ?? [];
  const sources = paths.split(/ +/);
  const target = sources.pop() ?? '';
  const origin = from === undefined ? context : stages.get(from)?.root;
  if (origin === undefined) throw new Error(`no stage ${from}`);
  const place = join(stage.root, resolve(stage.folder, target));
  for (const source of sources) {
    const path = join(origin, source);
    if (from === undefined && ignored(source)) throw new Error(`${source} is not in the context`);
    const isFolder = (await stat(path)).isDirectory();
    const isInto = target.endsWith('/') || sources.length > 1;
    const goal = !isFolder && isInto ? join(place, basename(source)) : place;
    await mkdir(isFolder ? goal : dirname(goal), { recursive: true });
    const filter = (each: string): boolean => from !== undefined || !ignored(each.slice(context.length + 1));
    await cp(path, goal, { recursive: true, verbatimSymlinks: true, filter });
  }
}

/** `a=b c="d e"`; a default value of ARG alike. */
function readPairs(words: string): Record<string, string> {
  const pairs = [...words.matchAll(/(\w+)=("[^"]*"|\S+)/g)];
  return Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value.replace(/^"(.*)"$/, '$1')]));
}

async function readIgnored(context: string): Promise<(path: string) => boolean> {
  const lines = (await readFile(join(context, '.dockerignore'), 'utf8')).split('\n');
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#')).map(readPattern);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

/** `**\/name`, `*.suffix` and paths, as ours has them. */
function readPattern(line: string): RegExp {
  const parts = line
    .split('/')
    .map((part) => (part === '**' ? '(?:.*/)?' : part.replace(/[.*]/g, (sign) => (sign === '*' ? '[^/]*' : '\\.'))));
  return new RegExp(`^${parts.join('/').replace('(?:.*/)?/', '(?:.*/)?')}(?:/|$)`);
}

/** As the base image would: by `sh`, with the packages that npm has kept, else from its registry. */
export async function runShell(words: string, folder: string): Promise<void> {
  const npm = { npm_config_prefer_offline: 'true', npm_config_fetch_retries: '0', npm_config_audit: 'false' };
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|TMDS_|DATABASE_|PG)/.test(name));
  await run('sh', ['-ec', words], { cwd: folder, env: { ...Object.fromEntries(own), ...npm }, maxBuffer: 1 << 24 });
}
