import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { run } from '../src/cli/run.ts';
import type { Clock } from '../src/client/retry.ts';
import type { ServiceOptions } from '../src/service/open-service.ts';
import { testClock } from './clocks.ts';
import { preparedKeyPair } from './prepared-keys.ts';
import { application, startTestService, type TestService } from './test-service.ts';

/** The result of a command. */
export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** How a command is run, if not in a pipe with empty standard input. */
interface Circumstances {
  /** A text, or a stream that a test writes to while the command runs. */
  stdin?: string | Readable;
  env?: Record<string, string>;
  /** Width of the terminal of stdout and stderr; without it they are pipes. */
  terminal?: number;
  signal?: AbortSignal;
  /** A signal that is sent when stdout has output, for example when `serve` is ready. */
  signalAtOutput?: 'SIGINT' | 'SIGTERM';
  /** The signal of a second Ctrl-C. */
  secondSignal?: AbortSignal;
  clock?: Clock;
  /** Time zone of the times that are read and written. */
  zone?: string;
  /** Receives the output, which is then not collected. */
  stdout?: Writable;
  stderr?: Writable;
  /** Without it an import gets `--yes`, which a script must pass; few tests are about that. */
  mayRefuse?: true;
}

/** What a command without a world needs in addition. */
interface Surroundings extends Circumstances {
  env: Record<string, string>;
  configDirectory: string;
  /** By default the directory of the configuration. */
  stateDirectory?: string;
  now?: () => number;
}

/** A real service and a command line in front of it, both in this process. */
export interface TestWorld extends TestService {
  /** A directory of the test; the configuration is in it. */
  directory: string;
  /** Runs a command with the credentials of the service's application in the environment. */
  run(...args: string[]): Promise<Ended>;
  /** The same under other circumstances; `env` replaces the credentials of the environment. */
  runWith(circumstances: Circumstances, ...args: string[]): Promise<Ended>;
}

/** An option with its value, unless it is among `given`: no command takes it twice. */
export function unlessGiven(given: readonly string[], name: string, value: string): string[] {
  return given.includes(name) ? [] : [name, value];
}

/** What a resource is given to be released: when the running test ends, or after all tests of a file (`afterAll`). */
export type AtEnd = (release: () => void) => void;

/** Makes a directory that is removed at the end. */
export async function temporaryDirectory(atEnd: AtEnd = onTestFinished): Promise<string> {
  // Synchronous, since waiting for other threads, several times for each file, takes many times the processor time.
  const directory = mkdtempSync(join(tmpdir(), 'tenant-users-test-'));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Runs a command in this process, to its end. */
export async function runCommand(args: string[], surroundings: Surroundings): Promise<Ended> {
  const { terminal, signalAtOutput } = surroundings;
  const stop = new AbortController();
  const [stdout, stderr] = [collector(() => signalAtOutput && stop.abort(signalAtOutput)), collector()];
  const seen = terminal === undefined ? {} : { isTTY: true, columns: terminal };
  const exitCode = await run(args, {
    stdin: streamOf(surroundings.stdin),
    stdout: Object.assign(surroundings.stdout ?? stdout.stream, seen),
    stderr: Object.assign(surroundings.stderr ?? stderr.stream, seen),
    env: surroundings.env,
    get configDirectory() {
      return surroundings.configDirectory;
    },
    get stateDirectory() {
      return surroundings.stateDirectory ?? join(surroundings.configDirectory, 'state');
    },
    now: surroundings.now ?? Date.now,
    clock: surroundings.clock ?? testClock,
    zone: surroundings.zone,
    makeKeyPair: preparedKeyPair,
    signal: signalAtOutput ? stop.signal : (surroundings.signal ?? stop.signal),
    secondSignal: surroundings.secondSignal,
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

/** The variables that give a command the test's application at this address. */
export function environmentFor(baseUrl: string): Record<string, string> {
  return {
    TENANT_USERS_BASE_URL: baseUrl,
    TENANT_USERS_CLIENT_ID: application.client_id,
    TENANT_USERS_CLIENT_SECRET: application.client_secret,
  };
}

/** Starts a world for the running test; it ends with the test. */
export async function startWorld(options: Partial<ServiceOptions> = {}): Promise<TestWorld> {
  const service = await startTestService(options);
  return { ...service, ...(await commandLine(service.baseUrl, options.now)) };
}

/** A command line for the running test whose service is dead: for commands that send no request. */
export const withoutService = () => commandLine('http://127.0.0.1:1');

async function commandLine(baseUrl: string, now = Date.now) {
  const directory = await temporaryDirectory();
  const env = environmentFor(baseUrl);
  const runWith: TestWorld['runWith'] = (circumstances, ...args) =>
    runCommand(circumstances.mayRefuse || !args.includes('import-hashes') ? args : ['--yes', ...args], {
      env,
      now,
      ...circumstances,
      configDirectory: directory,
    });
  const run: TestWorld['run'] = (...args) => runWith({}, ...args);
  return { baseUrl, directory, runWith, run };
}

function collector(onText: () => void = () => {}) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      onText();
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}

function streamOf(stdin: string | Readable | undefined): Readable {
  if (typeof stdin === 'object') return stdin;
  return Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]);
}
