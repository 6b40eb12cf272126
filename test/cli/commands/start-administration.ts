import { join } from 'node:path';
import { createClient } from '../../../src/client/client.ts';
import { startTestService, type TestService } from '../../test-service.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';

/** A service on a database, and commands beside it that administer it, on the same clock. */
export interface Administration extends TestService {
  database: string;
  run(...args: string[]): ReturnType<typeof runCommand>;
  /** Runs a command with `--json`, and parses what it prints. */
  json<Printed>(...args: string[]): Promise<Printed>;
  advance(milliseconds: number): void;
  /** The result of a token call with these credentials: an access token, or the code of the error. */
  tokenFor(credentials: { client_id: string; client_secret: string }): Promise<string>;
}

/** The time at which the clock of the tests begins. */
export const start = Date.UTC(2026, 0, 1, 12);

/** Starts both for the running test. */
export async function startAdministration(): Promise<Administration> {
  const configDirectory = await temporaryDirectory();
  const database = join(configDirectory, 'local.db');
  let time = start;
  const now = () => time;
  const service = await startTestService({ database, now });
  const run = (...args: string[]) => runCommand(args, { env: {}, configDirectory, now });
  return {
    ...service,
    database,
    run,
    async json(...args) {
      const { exitCode, stdout, stderr } = await run(...args, '--json');
      if (exitCode !== 0 || stderr !== '') throw new Error(`exit code ${exitCode}: ${stderr}`);
      return JSON.parse(stdout);
    },
    advance(milliseconds) {
      time += milliseconds;
    },
    async tokenFor({ client_id: clientId, client_secret: clientSecret }) {
      const client = createClient({ baseUrl: service.baseUrl, clientId, clientSecret, now });
      try {
        return (await client.obtainToken()).access_token;
      } catch (failure) {
        return (failure as { code: string }).code;
      } finally {
        await client.close();
      }
    },
  };
}
