/** Callers that call without a pause over connections they keep, and note every answer that is not 200 and whole. */
import { Agent, get } from 'node:http';

export interface SteadyLoad {
  /** Answers so far. */
  readonly answered: () => number;
  readonly failures: string[];
  /** Resolves after this many further answers. */
  more(answers: number): Promise<void>;
  /** Resolves once the last answer has arrived. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly url: string;
  readonly key: string;
  /** Each caller takes them in turn, the first caller from the first on, the second from the second. */
  readonly paths: readonly string[];
  readonly callers: number;
}

export function startLoad({ url, key, paths, callers }: LoadOptions): SteadyLoad {
  const failures: string[] = [];
  const agent = new Agent({ keepAlive: true });
  let answered = 0;
  let isOver = false;
  let waiting: { from: number; resolve: () => void }[] = [];
  const note = (fault: string | null): void => {
    if (fault !== null) failures.push(fault);
    answered += 1;
    waiting = waiting.filter(({ from, resolve }) => {
      if (answered < from) return true;
      resolve();
      return false;
    });
  };
  const call = (path: string): Promise<void> =>
    new Promise((resolve) => {
      const over = (fault: string | null): void => {
        note(fault);
        resolve();
      };
      const asked = get(`${url}${path}`, { agent, headers: { 'x-api-key': key } }, (answer) => {
        answer.resume();
        answer.on('error', (error) => over(`${path}: broke off: ${error.message}`));
        answer.on('end', () => over(answer.statusCode === 200 ? null : `${path}: ${answer.statusCode}`));
      });
      asked.on('error', (error) => over(`${path}: ${error.message}`));
    });
  const run = async (first: number): Promise<void> => {
    for (let position = first; !isOver; position += 1) await call(paths[position % paths.length]!);
  };
  const running = Promise.all(Array.from({ length: callers }, (_, caller) => run(caller)));
  return {
    answered: () => answered,
    failures,
    more: (answers) => new Promise((resolve) => waiting.push({ from: answered + answers, resolve })),
    stop: async () => {
      isOver = true;
      await running;
      agent.destroy();
    },
  };
}
