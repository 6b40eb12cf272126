import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { systemClock } from '../../../src/client/retry.ts';
import type { ServiceOptions } from '../../../src/service/open-service.ts';
import { startTestService, type TestService } from '../../test-service.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';
import { bin, credentials } from '../process/start-program.ts';
import { startTerminal } from '../process/start-terminal.ts';

/** Where the commands of a transcript write to. */
export type Place = 'pipe' | 'terminal';

/** Time for a transcript of many commands, on a machine that is busy. */
export const patience = { timeout: 90_000 };

/** What there is before a transcript begins. */
export interface Scene {
  /** Files in the working directory, which is the home as well. */
  files?: Record<string, string>;
  /** Replaces the address and the credentials of the service. */
  env?: Record<string, string>;
  service?: Partial<ServiceOptions>;
  columns?: number;
}

/** A shell in which `tenant-users` is the built program, before a service of its own. */
export interface Shell extends TestService {
  /**
   * Runs command lines, one a line, and returns the session as it would stand in a manual: each command, what it wrote
   * on stdout and stderr together, and `[7]` for an exit code other than 0. Ids, times, ports and rates are masked.
   */
  transcript(lines: string): Promise<string>;
}

/** Starts a shell for the running test. */
export async function startShell(place: Place, scene: Scene = {}): Promise<Shell> {
  const service = await startTestService(scene.service);
  const home = await temporaryDirectory();
  const commands = join(home, '.bin');
  await mkdir(commands);
  const program = join(commands, 'tenant-users');
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  await chmod(program, 0o755);
  for (const [name, text] of Object.entries(scene.files ?? {})) await writeFile(join(home, name), text);
  const env = {
    HOME: home,
    PATH: `${commands}:${process.env.PATH}`,
    // Relative, so that no path of the machine is shown.
    TENANT_USERS_CONFIG: 'config.json',
    ...(scene.env ?? { ...credentials, TENANT_USERS_BASE_URL: service.baseUrl }),
    SERVICE: service.baseUrl,
  };

  async function transcript(lines: string): Promise<string> {
    let session = '';
    for (const line of lines.split('\n').map((one) => one.trim())) {
      if (line === '') continue;
      const { output, exitCode } = await runners[place](line, { env, home, columns: scene.columns ?? 80 });
      session += `$ ${line}\n${output === '' ? '' : `${output.trimEnd()}\n`}${exitCode ? `[${exitCode}]\n` : ''}`;
    }
    return mask(session);
  }
  return { ...service, transcript };
}

/** Plays a session in a shell of its own, and returns its transcript. */
export async function playSession(place: Place, { lines, ...scene }: Scene & { lines: string }) {
  return (await startShell(place, scene)).transcript(lines);
}

interface Circumstances {
  env: Record<string, string>;
  home: string;
  columns: number;
}

interface Ran {
  output: string;
  exitCode: number;
}

/** A command of ours in which a shell would find nothing but words. */
const plainLine = /^tenant-users(?: (?:'[^']*'|"[^"$`\\]*"|[^\s'"$`\\|&;<>()*?~#!{}[\]]+))*$/;

/** Runs a plain line in this process: the terminal starts the built program for each line, which takes ten times as long. */
async function runHere(line: string, { env, home }: Circumstances): Promise<Ran> {
  const words = [...line.matchAll(/ ('[^']*'|"[^"]*"|\S+)/g)].map(([, word = '']) =>
    word.replaceAll(/['"]/g, ''),
  );
  const written: Buffer[] = [];
  const output = new Writable({
    write(chunk, _encoding, done) {
      written.push(Buffer.from(chunk));
      done();
    },
  });
  const before = process.cwd();
  process.chdir(home);
  try {
    const { exitCode } = await runCommand(words, {
      env,
      configDirectory: join(home, '.config/tenant-users'),
      stateDirectory: join(home, '.local/state/tenant-users'),
      clock: systemClock,
      stdout: output,
      stderr: output,
    });
    return { output: Buffer.concat(written).toString(), exitCode };
  } finally {
    process.chdir(before);
  }
}

function runInShell(line: string, { env, home }: Circumstances): Promise<Ran> {
  return new Promise((resolve) => {
    const shell = execFile('sh', ['-c', `{ ${line}\n} 2>&1`], { env, cwd: home }, (_, output) =>
      resolve({ output, exitCode: shell.exitCode ?? -1 }),
    );
    shell.stdin?.end();
  });
}

const runners = {
  pipe: (line, circumstances) => (plainLine.test(line) ? runHere : runInShell)(line, circumstances),
  async terminal(line, { env, home, columns }) {
    const terminal = await startTerminal([], { command: ['sh', '-c', line], env, cwd: home, columns });
    const { exitCode, signal } = await terminal.exited;
    const left = await terminal.leftovers();
    if (signal || left.length > 0) throw new Error(`signal ${signal}, left on the terminal: ${left}`);
    return { output: await terminal.scrollback(), exitCode };
  },
} satisfies Record<Place, (line: string, circumstances: Circumstances) => Promise<Ran>>;

/** What differs from run to run; the stand-ins are as long, so that tables stay as they are. */
const masks: readonly [RegExp, string][] = [
  [/\b\d{17}-[0-9A-Z]{4}-[0-9A-Z]{9}\b/g, '20260102030405678-ABCD-EFGHIJKLM'],
  [/…[0-9A-F]{9}\b/g, '…EFGHIJKLM'],
  [/127\.0\.0\.1:\d{5}\b/g, '127.0.0.1:12345'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-02T03:04:05.678Z'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/g, '2026-01-02 03:04:05'],
  [/until \d{4}-\d\d-\d\dT\d\d:\d\dZ/g, 'until 2026-01-02T03:04Z'],
  [/until \d{4}-\d\d-[\dT:.Z]+…/g, 'until 2026-01-02T…'],
  [/\bssoTicket-[\w-]+/g, 'ssoTicket-…'],
  [/\d+\.\d s(?:, \d+ rows a second)?$/gm, '0.1 s'],
];

function mask(text: string): string {
  return masks.reduce((masked, [changing, fixed]) => masked.replace(changing, fixed), text);
}
