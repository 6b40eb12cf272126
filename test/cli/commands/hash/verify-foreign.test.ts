import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { withoutService } from '../../../world.ts';

test('a hash of a foreign kind is named as one, and no algorithm is asked for', async () => {
  const { runWith } = await withoutService();
  const stdin = Readable.from(['$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/\n']);
  const ended = await runWith({ stdin }, 'hash', 'verify', '--hash-stdin', '--password-file', '/dev/null');
  expect(ended).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('the API does not accept this hash (phpass (WordPress, phpBB), salted)'),
  });
});
