/** What a case of the corpus is, and what it may cost. */
import type { Person } from '../../support/portal.ts';
import type { ServedPath } from '../malformed/paths.ts';
import type { RawRequest } from './raw.ts';

export interface Bound {
  /** Longest time that the event loop of the server may stand. */
  readonly pauseMs?: number;
  /** Memory that a server may hold more than before the case, or that a command may hold at all. */
  readonly memoryMb: number;
  /** Processor time of a command; it is killed at twice of that. */
  readonly seconds?: number;
}

/** The server, and what is right about a request to it. */
export interface World {
  readonly port: number;
  readonly key: string;
  /** Its rate and its quota are used up. */
  readonly spentKey: string;
  /** A stored record of register XA. */
  readonly uid: string;
  readonly person: Person;
  readonly paths: readonly ServedPath[];
  /** Sends it, and holds what the event loop stood against the label. */
  ask(label: string, request: RawRequest): Promise<number>;
  /** The same for what takes more than a request. */
  during<T>(label: string, work: () => Promise<T>): Promise<T>;
  /** The status of an answer that `ask` did not see. */
  count(status: number): void;
}

/** Against a running server. */
export interface ServerCase {
  readonly name: string;
  readonly title: string;
  readonly bound?: Partial<Bound>;
  play(world: World): Promise<void>;
}

/** A command that reads a file. */
export interface FileCase {
  readonly name: string;
  readonly title: string;
  readonly bound?: Partial<Bound>;
  /** Name of the file; its ending says how it is packed. */
  readonly file: string;
  write(path: string): Promise<void>;
  /** Words of the command, whose last is the file. */
  readonly commands: readonly (readonly string[])[];
}

export const SERVER_BOUND: Bound = { pauseMs: 50, memoryMb: 256 };
export const FILE_BOUND: Bound = { memoryMb: 512, seconds: 10 };
