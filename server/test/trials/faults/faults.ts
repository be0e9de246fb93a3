/** Every fault, in the order of the table in docs/faults.md. */
import { CALLER_FAULTS } from './caller-faults.ts';
import { DATABASE_FAULTS } from './database-faults.ts';
import type { Fault } from './fault.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { RESOURCE_FAULTS } from './resource-faults.ts';

export const FAULTS: readonly Fault[] = [...PROCESS_FAULTS, ...DATABASE_FAULTS, ...RESOURCE_FAULTS, ...CALLER_FAULTS];
