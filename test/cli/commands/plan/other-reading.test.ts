import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../../../src/migration/model/digests.ts';
import { canonicalText, sealPlan } from '../../../../src/migration/plan/document/plan-document.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';

test('a plan whose rows another version of the program would read differently is refused before anything is sent', async () => {
  const world = await startWorld();
  const [file, to] = ['users.csv', 'plan'].map((name) => join(world.directory, name)) as [string, string];
  await writeFile(file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\nbob,md5,${goodHashes.md5}\n`);
  expect(await world.run('plan', file, '--to', to)).toMatchObject({ exitCode: 0 });
  const actions = join(to, 'actions.jsonl');
  const lines = (await readFile(actions, 'utf8')).split('\n');
  const change = async (fingerprint: 'values' | 'hash' | 'key') => {
    const { [fingerprint]: _, ...line } = JSON.parse(lines[1] ?? '');
    const changed = lines.with(1, JSON.stringify({ ...line, [fingerprint]: 'A'.repeat(16) })).join('\n');
    const path = join(to, 'plan.json');
    const { digest: _digest, ...plan } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(actions, changed);
    await writeFile(path, canonicalText(sealPlan({ ...plan, actions: sha256(changed) })));
  };
  for (const fingerprint of ['values', 'hash', 'key'] as const) {
    await change(fingerprint);
    const { exitCode, stdout, stderr } = await world.run('apply', to, '--yes', '--json');
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'PLAN_MAPPING',
      message: 'row 2 is not read as the plan read it',
    });
    expect(existsSync(join(to, 'journal.db'))).toBe(false);
  }
});
