import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.profiles);

test('the transcript in a pipe is right', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users status
    ┌───────────────┬─────────────────────────┐
    │ profile       │ default (default)       │
    │ base URL      │ (none)                  │
    │ client id     │ (none)                  │
    │ client secret │ (none)                  │
    │ auth style    │ query (default)         │
    │ configuration │ config.json (not found) │
    └───────────────┴─────────────────────────┘
    tenant-users: no base URL is configured for profile "default"
    Run: tenant-users login (or set TENANT_USERS_BASE_URL, _CLIENT_ID and _CLIENT_SECRET, or try --local)
    [3]
    $ tenant-users doctor | grep -v -e program -e compiled
    ok       configuration       no configuration file at config.json; none is required
    ok       environment         TENANT_USERS_CONFIG (set)
    skipped  extra certificates  NODE_EXTRA_CA_CERTS is not set
    skipped  log                 there are no files yet
    skipped  jobs                there are no files yet
    ok       leftovers           none of a process that was killed
    failed   profile             no base URL is configured for profile "default" (profile "default" (default), client id not set, client secret not set, auth style query)
                                 → Run: tenant-users login (or set TENANT_USERS_BASE_URL, _CLIENT_ID and _CLIENT_SECRET, or try --local)
    skipped  service             base URL, client id and secret are required
    skipped  clock               base URL, client id and secret are required
    skipped  token               base URL, client id and secret are required
    skipped  users               base URL, client id and secret are required
    $ tenant-users login --base-url $SERVICE --client-id test-application --client-secret-file wrong.txt
    tenant-users: Bad client credentials (invalid_client)
    Nothing was stored. Check the client id and the secret, and log in again.
    [4]
    $ tenant-users login --base-url $SERVICE --client-id test-application --client-secret-file secret.txt
    Logged in to http://127.0.0.1:12345; stored as profile "default" in config.json
    $ tenant-users login --profile other --local :memory:
    tenant-users: the database :memory: ends with the command, so no profile can be for it
    Name a file, such as --local tenant.db.
    [2]
    $ tenant-users login --profile other --base-url $SERVICE --client-id test-application --client-secret-file secret.txt
    Logged in to http://127.0.0.1:12345; stored as profile "other" in config.json
    Use it with --profile, or make it the current one: tenant-users profiles use other
    $ tenant-users status
    ┌───────────────┬──────────────────────────────────────────┐
    │ profile       │ default (default)                        │
    │ base URL      │ http://127.0.0.1:12345 (profile)         │
    │ client id     │ test-application (profile)               │
    │ client secret │ [hidden] (profile)                       │
    │ auth style    │ query (default)                          │
    │ token         │ until 2026-01-02T03:04:05.678Z (profile) │
    │ configuration │ config.json (mode 0600)                  │
    └───────────────┴──────────────────────────────────────────┘
    The token is accepted; the tenant has 0 users.
    $ tenant-users status --json --columns profile,client_id
    {"profile":"default","client_id":"test-application"}
    $ tenant-users profiles list
    ┌─────────┬────────────────────────┬──────────────────┬─────────┬─────────────────────────┐
    │ name    │ service                │ client_id        │ current │ token                   │
    ├─────────┼────────────────────────┼──────────────────┼─────────┼─────────────────────────┤
    │ default │ http://127.0.0.1:12345 │ test-application │ *       │ until 2026-01-02T03:04Z │
    │ other   │ http://127.0.0.1:12345 │ test-application │         │ until 2026-01-02T03:04Z │
    └─────────┴────────────────────────┴──────────────────┴─────────┴─────────────────────────┘
    Configuration config.json
    $ chmod 644 config.json; mkdir -m 700 config.json.lock; touch -d 2026-01-01 config.json.lock
    $ tenant-users doctor --fix < /dev/null
    To be done:
    chmod 600 config.json
    delete config.json.lock
    tenant-users: confirmation is required, but there is no terminal to prompt on: Apply these fixes?
    Run:
      tenant-users doctor --fix --yes
    [2]
    $ tenant-users doctor --fix --yes | grep -c ^warning
    Done: chmod 600 config.json
    Done: delete config.json.lock
    Done: 2 of 2
    0
    [1]
    $ tenant-users profiles use other
    Profile "other" is current
    $ tenant-users profiles use nobody
    tenant-users: there is no profile "nobody"
    Available: "default", "other".
    Create it with: tenant-users login --profile nobody
    [3]
    $ tenant-users profiles remove other --yes
    Removed profile "other"
    Profile "default" is now current
    $ tenant-users profiles remove default --yes < /dev/null
    Removed profile "default"
    No profiles are left; create one with: tenant-users login
    $ tenant-users logout --all
    There are no profiles: nothing to remove
    "
  `);
});

terminalTest('the transcript on a terminal is right', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users status
    ┌───────────────┬─────────────────────────┐
    │ profile       │ default (default)       │
    │ base URL      │ (none)                  │
    │ client id     │ (none)                  │
    │ client secret │ (none)                  │
    │ auth style    │ query (default)         │
    │ configuration │ config.json (not found) │
    └───────────────┴─────────────────────────┘
    tenant-users: no base URL is configured for profile "default"
    Run: tenant-users login (or set TENANT_USERS_BASE_URL, _CLIENT_ID and
    _CLIENT_SECRET, or try --local)
    [3]
    $ tenant-users doctor | grep -v -e program -e compiled
    ok       configuration       no configuration file at config.json; none is requi
    red
    ok       environment         TENANT_USERS_CONFIG (set)
    skipped  extra certificates  NODE_EXTRA_CA_CERTS is not set
    skipped  log                 there are no files yet
    skipped  jobs                there are no files yet
    ok       leftovers           none of a process that was killed
    failed   profile             no base URL is configured for profile "default" (pr
    ofile "default" (default), client id not set, client secret not set, auth style
    query)
                                 → Run: tenant-users login (or set TENANT_USERS_BASE
    _URL, _CLIENT_ID and _CLIENT_SECRET, or try --local)
    skipped  service             base URL, client id and secret are required
    skipped  clock               base URL, client id and secret are required
    skipped  token               base URL, client id and secret are required
    skipped  users               base URL, client id and secret are required
    $ tenant-users login --base-url $SERVICE --client-id test-application --client-secret-file wrong.txt
    Profile "default" (new) in config.json
    tenant-users: Bad client credentials (invalid_client)
    Nothing was stored. Check the client id and the secret, and log in again.
    More: tenant-users explain invalid_client
    [4]
    $ tenant-users login --base-url $SERVICE --client-id test-application --client-secret-file secret.txt
    Profile "default" (new) in config.json
    Logged in to http://127.0.0.1:12345; stored as profile "default" in config.json
    $ tenant-users login --profile other --local :memory:
    tenant-users: the database :memory: ends with the command, so no profile can be
    for it
    Name a file, such as --local tenant.db.
    [2]
    $ tenant-users login --profile other --base-url $SERVICE --client-id test-application --client-secret-file secret.txt
    Profile "other" (new) in config.json
    Logged in to http://127.0.0.1:12345; stored as profile "other" in config.json
    Use it with --profile, or make it the current one:
    tenant-users profiles use other
    $ tenant-users status
    ┌───────────────┬──────────────────────────────────────────┐
    │ profile       │ default (default)                        │
    │ base URL      │ http://127.0.0.1:12345 (profile)         │
    │ client id     │ test-application (profile)               │
    │ client secret │ [hidden] (profile)                       │
    │ auth style    │ query (default)                          │
    │ token         │ until 2026-01-02T03:04:05.678Z (profile) │
    │ configuration │ config.json (mode 0600)                  │
    └───────────────┴──────────────────────────────────────────┘
    The token is accepted; the tenant has 0 users.
    $ tenant-users status --json --columns profile,client_id
    {"profile":"default","client_id":"test-application"}
    $ tenant-users profiles list
    ┌─────────┬────────────────────────┬──────────────────┬─────────┬──────────────┐
    │ name    │ service                │ client_id        │ current │ token        │
    ├─────────┼────────────────────────┼──────────────────┼─────────┼──────────────┤
    │ default │ http://127.0.0.1:12345 │ test-application │ *       │ until 2026-… │
    │ other   │ http://127.0.0.1:12345 │ test-application │         │ until 2026-… │
    └─────────┴────────────────────────┴──────────────────┴─────────┴──────────────┘
    Configuration config.json
    $ chmod 644 config.json; mkdir -m 700 config.json.lock; touch -d 2026-01-01 config.json.lock
    $ tenant-users doctor --fix < /dev/null
    To be done:
    chmod 600 config.json
    delete config.json.lock
    tenant-users: confirmation is required, but there is no terminal to prompt on:
    Apply these fixes?
    Run:
      tenant-users doctor --fix --yes
    [2]
    $ tenant-users doctor --fix --yes | grep -c ^warning
    Done: chmod 600 config.json
    Done: delete config.json.lock
    Done: 2 of 2
    0
    [1]
    $ tenant-users profiles use other
    Profile "other" is current
    $ tenant-users profiles use nobody
    tenant-users: there is no profile "nobody"
    Available: "default", "other".
    Create it with: tenant-users login --profile nobody
    [3]
    $ tenant-users profiles remove other --yes
    Removed profile "other"
    Profile "default" is now current
    $ tenant-users profiles remove default --yes < /dev/null
    Removed profile "default"
    No profiles are left; create one with: tenant-users login
    $ tenant-users logout --all
    There are no profiles: nothing to remove
    "
  `);
});
