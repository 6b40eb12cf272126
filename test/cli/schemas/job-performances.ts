import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goodHashes } from '../../migration/hashes.ts';
import { type Ended, environmentFor, type TestWorld, unlessGiven } from '../../world.ts';

type Place = Pick<TestWorld, 'directory' | 'run'>;
type Stage = Place & Pick<TestWorld, 'baseUrl' | 'runWith'>;

/** Imports a file with a good row, a bad one, and one of an existing user. */
export async function importFile({ directory, run }: Place, ...flags: string[]): Promise<Ended> {
  const file = join(directory, 'legacy.csv');
  await writeFile(
    file,
    `user_name,algorithm,hash\nbob,md5,${goodHashes.md5}\neve,md5,x\nann,md5,${goodHashes.md5}\n`,
  );
  const job = unlessGiven(flags, '--job', join(directory, `job${flags.length}`));
  return run('import-hashes', file, '--yes', ...job, ...flags);
}

const evidenceOf = ({ directory }: Place) => [join(directory, 'job0'), '--to', join(directory, 'evidence')];

/** Every output of the commands about jobs. */
export const jobPerformances = {
  'import-hashes status': async (stage, flags) => {
    await importFile(stage);
    return [await stage.run('import-hashes', 'status', join(stage.directory, 'job0'), ...flags)];
  },
  evidence: async (stage, flags) => {
    await importFile(stage);
    return [await stage.run('evidence', ...evidenceOf(stage), ...flags)];
  },
  'evidence verify': async (stage, flags) => {
    await importFile(stage);
    await stage.run('evidence', ...evidenceOf(stage));
    const file = join(stage.directory, 'evidence');
    return [await stage.run('evidence', 'verify', file, '--find', 'user_name=bob', ...flags)];
  },
  'job retarget': async (stage, flags) => {
    await importFile(stage);
    const env = environmentFor(stage.baseUrl.replace('127.0.0.1', 'localhost'));
    return [await stage.runWith({ env }, 'job', 'retarget', join(stage.directory, 'job0'), ...flags)];
  },
  'job purge': async (stage, flags) => {
    await importFile(stage);
    return [await stage.run('job', 'purge', join(stage.directory, 'job0'), '--yes', ...flags)];
  },
  runs: async (stage, flags) => {
    await importFile(stage);
    return [await stage.run('runs', ...flags)];
  },
  log: async (stage, flags) => {
    await importFile(stage);
    await stage.run('create', '--user-name', 'cid');
    await stage.run('update', '--by-user-name', 'cid', '--user-name', 'ann');
    return [await stage.run('log', ...flags)];
  },
} satisfies Record<string, (place: Stage, flags: string[]) => Promise<Ended[]>>;
