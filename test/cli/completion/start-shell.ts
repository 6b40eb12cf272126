import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { temporaryDirectory } from '../../world.ts';
import { bin } from '../process/start-program.ts';

/** Names that a shell would split or execute if they were not quoted. */
export const nastyNames = [
  'two words',
  "it's",
  'say "hi"',
  '$(touch pwned)',
  '`touch pwned`',
  'a;touch pwned',
  'ünï*',
];

/** A directory with the built program on the PATH, a configuration with these profiles, and some files. */
export async function startShellHome(profiles: readonly string[] = ['acme', 'globex', ...nastyNames]) {
  const home = await temporaryDirectory();
  await mkdir(join(home, 'bin'));
  const program = join(home, 'bin', 'tenant-users');
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  await chmod(program, 0o755);
  const profile = { base_url: 'https://id.example.com', client_id: 'app', client_secret: 'planted-secret' };
  const config = join(home, 'config.json');
  const stored = { profiles: Object.fromEntries(profiles.map((name) => [name, profile])) };
  await writeFile(config, JSON.stringify(stored), { mode: 0o600 });
  const work = join(home, 'work');
  await mkdir(join(work, 'users'), { recursive: true });
  for (const name of ['legacy.csv', 'leavers list.txt']) await writeFile(join(work, name), '');
  const { PATH = '' } = process.env;
  const env = {
    HOME: home,
    PATH: join(home, 'bin') + delimiter + PATH,
    TENANT_USERS_CONFIG: config,
    LC_ALL: 'C.UTF-8',
  };
  return { home, work, config, env };
}

/** Whether this shell is installed; if not, stderr says so. */
export function hasShell(name: string): boolean {
  const found = spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
  if (!found) process.stderr.write(`SKIPPED: completion in ${name}, which is not on the PATH\n`);
  return found;
}
