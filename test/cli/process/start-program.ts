import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { application } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';

/** The built program. */
export const bin = fileURLToPath(new URL('../../../bin/tenant-users.js', import.meta.url));

/** The application of the test services, as variables of the program. */
export const credentials = {
  TENANT_USERS_CLIENT_ID: application.client_id,
  TENANT_USERS_CLIENT_SECRET: application.client_secret,
};

/** Starts the built program, as a shell would, with an empty home; it is killed when the test ends. `stderr`: an open file for it. */
export async function startProgram(
  args: string[],
  env: Record<string, string> = {},
  stderr: 'pipe' | number = 'pipe',
): Promise<ChildProcess> {
  const home = await temporaryDirectory();
  const { PATH = '' } = process.env;
  const started = spawn(process.execPath, [bin, ...args], {
    env: { PATH, HOME: home, ...env },
    stdio: ['pipe', 'pipe', stderr],
  });
  onTestFinished(() => void started.kill('SIGKILL'));
  return started;
}

/** The first line on the program's stdout. */
export async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('no stdout');
  for await (const line of createInterface(stdout)) return line;
  return '';
}

/** Everything on one of the program's streams. */
export function textOf(stream: ChildProcess['stdout']): Promise<string> {
  return stream ? text(stream) : Promise.resolve('');
}

/** Runs the built program to its end. */
export async function runProgram(args: string[], env: Record<string, string> = {}) {
  const started = await startProgram(args, env);
  started.stdin?.end();
  const ended = once(started, 'close');
  const [stdout, stderr] = await Promise.all([textOf(started.stdout), textOf(started.stderr)]);
  const [exitCode] = await ended;
  return { exitCode, stdout, stderr };
}
