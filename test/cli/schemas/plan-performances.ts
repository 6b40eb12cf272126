import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goodHashes } from '../../migration/hashes.ts';
import type { TestWorld } from '../../world.ts';
import { writeKeys } from '../../write-keys.ts';

type Place = Pick<TestWorld, 'directory' | 'run'>;
type Performance = (place: Place, flags: string[]) => Promise<Awaited<ReturnType<TestWorld['run']>>[]>;

async function planFile({ directory, run }: Place, ...flags: string[]) {
  const file = join(directory, 'legacy.csv');
  await writeFile(
    file,
    `user_name,algorithm,hash\nbob,md5,${goodHashes.md5}\neve,md5,x\nann,md5,${goodHashes.md5}\n`,
  );
  return run('plan', file, '--to', join(directory, `plan${flags.length}`), ...flags);
}

/** Every output of the commands about plans. */
export const planPerformances = {
  plan: async (stage, flags) => [await planFile(stage, ...flags)],
  'plan show': async (stage, flags) => {
    const { directory, run } = stage;
    await planFile(stage);
    const to = join(directory, 'plan0');
    return [
      await run('plan', 'show', to, ...flags),
      await run('plan', 'show', to, '--action', 'create', ...flags),
    ];
  },
  'plan diff': async (stage, flags) => {
    const { directory, run } = stage;
    await planFile(stage);
    const [before, after] = [join(directory, 'plan0'), join(directory, 'after')];
    await run('create', '--user-name', `bob${flags.length}`);
    await run('create', '--user-name', 'bob');
    await run('plan', join(directory, 'legacy.csv'), '--to', after);
    return [await run('plan', 'diff', before, after, ...flags)];
  },
  'plan sign': async (stage, flags) => {
    const { directory, run } = stage;
    await planFile(stage);
    await writeKeys(directory);
    return [await run('plan', 'sign', join(directory, 'plan0'), join(directory, 'key.pem'), ...flags)];
  },
  'plan verify': async (stage, flags) => {
    const { directory, run } = stage;
    await planFile(stage);
    await writeKeys(directory);
    await run('plan', 'sign', join(directory, 'plan0'), join(directory, 'key.pem'));
    return [await run('plan', 'verify', join(directory, 'plan0'), join(directory, 'key.pub'), ...flags)];
  },
  compare: async (stage, flags) => {
    await planFile(stage);
    const { directory, run } = stage;
    return [await run('compare', join(directory, 'legacy.csv'), '--to', join(directory, 'lists'), ...flags)];
  },
  apply: async (stage, flags) => {
    await planFile(stage);
    return [await stage.run('apply', join(stage.directory, 'plan0'), '--yes', ...flags)];
  },
  cutover: async (stage, flags) => {
    await planFile(stage);
    const plan = join(stage.directory, 'plan0');
    await stage.run('apply', plan, '--yes');
    return [await stage.run('cutover', plan, ...flags)];
  },
  undo: async (stage, flags) => {
    const { directory, run } = stage;
    await planFile(stage);
    const [plan, to] = [join(directory, 'plan0'), join(directory, 'undo')];
    await run('apply', plan, '--yes');
    return [
      await run('undo', plan, '--to', to, '--dry-run', ...flags),
      await run('undo', plan, '--to', to, '--yes', ...flags),
    ];
  },
} satisfies Record<string, Performance>;
