import { join } from 'node:path';
import { application } from '../../test-service.ts';
import { startWorld } from '../../world.ts';

/** A world whose configuration file has the profile `default`, made by `login`; commands need no environment. */
export async function startLoggedIn() {
  const world = await startWorld();
  const { client_id, client_secret } = application;
  const login = ['login', '--client-id', client_id, '--client-secret-stdin'];
  const logIn = (...more: string[]) => {
    const address = more.includes('--base-url') ? [] : ['--base-url', world.baseUrl];
    return world.runWith({ stdin: `${client_secret}\n`, env: {} }, ...login, ...address, ...more);
  };
  const ended = await logIn();
  return {
    ...world,
    /** The result of `login`. */
    ended,
    file: join(world.directory, 'config.json'),
    /** Logs in again, for example with `--profile NAME`. */
    logIn,
    /** Runs a command with an empty environment. */
    tell: (...args: string[]) => world.runWith({ env: {} }, ...args),
  };
}
