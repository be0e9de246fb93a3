import { toApiError } from '../render/failure.ts';

/** Null where a call would be refused or has no answer now: a page of the portal shows the rest without it. */
export async function orNull<Result>(read: () => Result | Promise<Result>): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    if (toApiError(error).code === 'internal_error') throw error;
    return null;
  }
}
