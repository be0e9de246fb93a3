/** Every case that is sent to a server; cases of files are in `files.ts`. */
import { ADDRESS_CASES } from './addresses.ts';
import { BODY_CASES } from './bodies.ts';
import { CROWD_CASES } from './crowds.ts';
import { PORTAL_CASES } from './dockets.ts';
import type { ServerCase } from './hostile-case.ts';

export const SERVER_CASES: readonly ServerCase[] = [...ADDRESS_CASES, ...BODY_CASES, ...PORTAL_CASES, ...CROWD_CASES];
