import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword } from '../../src/portal/sign-in/passwords.ts';

test('passwords are hashed one at a time, and a crowd that would wait too long is refused', async () => {
  const crowd = Array.from({ length: 56 }, (_, number) => hashPassword(`a long password ${number}`));
  const outcomes = await Promise.allSettled(crowd);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.deepEqual(
    refused.map(({ reason }) => (reason as { code: string }).code),
    Array.from({ length: 6 }, () => 'unavailable'),
  );
  assert.match(await hashPassword('a long password again'), /^\$argon2id\$/);
});
