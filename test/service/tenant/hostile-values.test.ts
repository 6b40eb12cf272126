import { expect, test } from 'vitest';
import { definitionOf } from '../../../src/service/tenant/definition.ts';
import { startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';

const hostile = `${'a'.repeat(50_000)}!`;
const patterns = ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(\\w+\\s?)*$', '^(.*a){20}$', '^[ab]*a[ab]{100}$'];
const extension = Object.fromEntries(
  patterns.map((pattern, index) => [`e${index}`, { display_name: `E${index}`, max_length: 60_000, pattern }]),
);
const tenants = [definitionOf(JSON.stringify({ extension }))];

// An engine that backtracks would practically never end.
test.each(patterns.map((pattern, index) => [pattern, index]))(
  'the pattern %s answers quickly on 50,000 hostile characters, and does not delay other calls',
  async (_pattern, index) => {
    const { connect } = await startTestService({ tenants });
    const client = connect({ connections: 20 });
    const { user_id } = await client.createUser({ user_name: 'ann' });
    const attacks = Array.from({ length: 5 }, () =>
      client.createUser({ extension: { [`e${index}`]: hostile } }),
    );
    const others = Array.from({ length: 20 }, async () => {
      expect(await client.getUser(user_id)).toMatchObject({ user_name: 'ann' });
    });
    const outcomes = await Promise.allSettled(attacks);
    await Promise.all(others);
    expect(outcomes).toEqual(
      attacks.map(() => ({
        status: 'rejected',
        reason: expect.objectContaining(apiErrorOf('extensionInvalid', `E${index}`)),
      })),
    );
  },
);

test('an error names the beginning of a key that the tenant does not have, however long it is', async () => {
  const { client } = await startTestService({ tenants });
  const key = 'k'.repeat(5_000_000);
  await expect(client.createUser({ extension: { [key]: '1' } })).rejects.toMatchObject(
    apiErrorOf('extensionInvalid', `${'k'.repeat(100)}…`),
  );
});
