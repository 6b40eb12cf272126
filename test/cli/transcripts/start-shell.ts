import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { systemClock } from '../../../src/client/retry.ts';
import type { ServiceOptions } from '../../../src/service/open-service.ts';
import { startTestService, type TestService } from '../../test-service.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';
import { openScreen, type Screen } from '../process/screen.ts';
import { bin, credentials } from '../process/start-program.ts';
import { startTerminal } from '../process/start-terminal.ts';

/** Where the commands of a transcript write their output. */
export type Place = 'pipe' | 'terminal';

/** Time for a transcript of many commands on a busy machine. */
export const patience = { timeout: 90_000 };

/** What exists before a transcript begins. */
export interface Scene {
  /** Files in the working directory, which is also the home directory. */
  files?: Record<string, string>;
  /** Replaces the address and the credentials of the service. */
  env?: Record<string, string>;
  service?: Partial<ServiceOptions>;
  columns?: number;
}

/** A shell in which `tenant-users` is the built program, with a service of its own. */
export interface Shell extends TestService {
  /**
   * Runs command lines, one on each line. Returns the session as a manual would show it: each command, its output on
   * stdout and stderr together, and `[7]` for an exit code other than 0. Ids, times, ports and rates are masked.
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

/** Runs a session in a shell of its own, and returns its transcript. */
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

const word = /'[^']*'|"[^"$`\\]*"|\$SERVICE|[^\s'"$`\\|&;<>()*?~#!{}[\]]+/;

/** A command of ours in which a shell would find only words, and files for standard input and stdout. */
const plainLine = new RegExp(
  `^tenant-users(?<words>(?: (?:${word.source}))*)(?: < (?<input>\\S+))?(?: > (?<output>\\S+))?$`,
);

/** The streams of a command that runs in this process. */
type Streams = Pick<Parameters<typeof runCommand>[1], 'stdin' | 'stdout' | 'stderr'>;

/** Runs a plain line in this process: to start the built program for each line takes ten times as long. */
async function runHere(line: string, { env, home }: Circumstances, streams: Streams): Promise<number> {
  const { words = '', input, output } = plainLine.exec(line)?.groups ?? {};
  const args = [...words.matchAll(new RegExp(word, 'g'))].map(([found]) =>
    found === '$SERVICE' ? (env.SERVICE ?? '') : found.replaceAll(/['"]/g, ''),
  );
  const written: Uint8Array[] = [];
  const before = process.cwd();
  process.chdir(home);
  try {
    const { exitCode } = await runCommand(args, {
      env,
      configDirectory: join(home, '.config/tenant-users'),
      stateDirectory: join(home, '.local/state/tenant-users'),
      clock: systemClock,
      ...streams,
      ...(input === undefined ? {} : { stdin: readFileSync(input, 'utf8') }),
      ...(output === undefined ? {} : { stdout: outputTo((chunk) => void written.push(chunk)) }),
    });
    if (output !== undefined) writeFileSync(output, Buffer.concat(written));
    return exitCode;
  } finally {
    process.chdir(before);
  }
}

async function runInPipe(line: string, circumstances: Circumstances): Promise<Ran> {
  const written: Buffer[] = [];
  const output = outputTo((chunk) => void written.push(Buffer.from(chunk)));
  const exitCode = await runHere(line, circumstances, { stdout: output, stderr: output });
  return { output: Buffer.concat(written).toString(), exitCode };
}

/** Nobody types on this terminal. Its cursor moves as on any other. */
async function runOnTerminal(line: string, circumstances: Circumstances): Promise<Ran> {
  const { columns, env } = circumstances;
  const screen = openScreen({ cols: columns, rows: 24, convertEol: true });
  const keys = Object.assign(new Readable({ read() {} }), { isTTY: true });
  const streams = {
    stdin: keys,
    stdout: terminalOutput(screen, columns),
    stderr: terminalOutput(screen, columns),
  };
  const terminalEnv = { TERM: 'xterm-256color', ...env };
  const exitCode = await runHere(line, { ...circumstances, env: terminalEnv }, streams);
  return seenOn(screen, exitCode);
}

/** What a person sees of a command that has ended; throws if it has not restored the terminal. */
async function seenOn(screen: Pick<Screen, 'scrollback' | 'leftovers'>, exitCode: number): Promise<Ran> {
  const left = await screen.leftovers();
  if (left.length > 0) throw new Error(`left on the terminal: ${left}`);
  return { output: await screen.scrollback(), exitCode };
}

function outputTo(take: (chunk: Uint8Array) => void): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      take(chunk);
      done();
    },
  });
}

/** A stream that moves the cursor as that of a terminal does. */
function terminalOutput({ terminal }: Screen, columns: number): Writable {
  const { clearLine, cursorTo, moveCursor } = WriteStream.prototype;
  return Object.assign(
    outputTo((chunk) => terminal.write(chunk)),
    { isTTY: true, columns, clearLine, cursorTo, moveCursor },
  );
}

function runInShell(line: string, { env, home }: Circumstances): Promise<Ran> {
  return new Promise((resolve) => {
    const shell = execFile('sh', ['-c', `{ ${line}\n} 2>&1`], { env, cwd: home }, (_, output) =>
      resolve({ output, exitCode: shell.exitCode ?? -1 }),
    );
    shell.stdin?.end();
  });
}

async function runInTerminal(line: string, { env, home, columns }: Circumstances): Promise<Ran> {
  const terminal = await startTerminal([], { command: ['sh', '-c', line], env, cwd: home, columns });
  const { exitCode, signal } = await terminal.exited;
  if (signal) throw new Error(`signal ${signal}`);
  return seenOn(terminal, exitCode);
}

/** Only lines that need a shell start the built program. */
const runners = {
  pipe: (line, circumstances) => (plainLine.test(line) ? runInPipe : runInShell)(line, circumstances),
  terminal: (line, circumstances) =>
    (plainLine.test(line) ? runOnTerminal : runInTerminal)(line, circumstances),
} satisfies Record<Place, (line: string, circumstances: Circumstances) => Promise<Ran>>;

/** What differs from run to run. The replacements have the same length, so that tables stay as they are. */
const masks: readonly [RegExp, string][] = [
  [/\b\d{17}-[0-9A-Z]{4}-[0-9A-Z]{9}\b/g, '20260102030405678-ABCD-EFGHIJKLM'],
  [/…[0-9A-F]{9}\b/g, '…EFGHIJKLM'],
  // The id of an application.
  [/\b[0-9a-f]{24}\b/g, '0123456789abcdef01234567'],
  [/127\.0\.0\.1:\d{5}\b/g, '127.0.0.1:12345'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-02T03:04:05.678Z'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/g, '2026-01-02 03:04:05'],
  [/until \d{4}-\d\d-\d\dT\d\d:\d\dZ/g, 'until 2026-01-02T03:04Z'],
  [/until \d{4}-\d\d-[\dT:.Z]+…/g, 'until 2026-01-02T…'],
  [/\bssoTicket-[\w-]+/g, 'ssoTicket-…'],
  [/\d+\.\d s(?:, \d+ rows per second)?$/gm, '0.1 s'],
  // Progress is reported when a command takes seconds, which any command does on a busy machine.
  [/^\d+\/\d+ rows(?: checked)?, .* rows\/s, .*\n/gm, ''],
];

function mask(text: string): string {
  return masks.reduce((masked, [changing, fixed]) => masked.replace(changing, fixed), text);
}
