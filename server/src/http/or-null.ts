import { ApiError } from '../base/errors.ts';
import { NoAnswer } from '../base/no-answer.ts';

/** Null where a call would be refused or has no answer now: a page of the portal shows the rest without it. */
export async function orNull<Result>(read: () => Result | Promise<Result>): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError || error instanceof NoAnswer) return null;
    throw error;
  }
}
