/** What a fault is, for those who declare one and for who plays it. */
import type { World, WorldOptions } from './world.ts';

interface Context {
  after(work: () => Promise<void>): void;
}

export interface Playing {
  /** For the table. */
  note(text: string): void;
  /** Something that must not be. */
  lose(text: string): void;
  readonly t: Context;
}

export interface Fault {
  /** By which it is chosen, such as `disk-full`. */
  readonly name: string;
  /** What is done, for the table. */
  readonly title: string;
  /** What the world has to be for it. Throws `NotHere` where this machine does not allow the fault. */
  readonly prepare?: (t: Context) => Promise<WorldOptions>;
  /** Begins and ends the fault. */
  readonly strike: (world: World, playing: Playing) => Promise<void>;
}

/** This machine does not allow the fault; the message says why. */
export class NotHere extends Error {}
