import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.administration);

test('the transcript in a pipe is right', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users keys list --local tenant.db
    tenant-users: there is no service in this database yet
    Name the database of serve with --local DATABASE. The first start of serve makes one.
    [3]
    $ tenant-users tenant apply acme.json --local tenant.db -q
    $ tenant-users keys list --local tenant.db
    ┌───────────┬─────┬───────┬────────────┬────────────┬─────────────────┐
    │ tenant_id │ kid │ state │ created_at │ signs_from │ published_until │
    └───────────┴─────┴───────┴────────────┴────────────┴─────────────────┘
    There is no signing key yet: the first token makes it
    $ tenant-users keys rotate --local tenant.db -q --columns tenant_id,state
    ┌───────────┬─────────┐
    │ tenant_id │ state   │
    ├───────────┼─────────┤
    │ acme      │ signing │
    └───────────┴─────────┘
    $ tenant-users keys rotate --local tenant.db --tenant globex
    Target: database tenant.db
    tenant-users: the database has no tenant "globex"
    Available: acme.
    [2]
    $ tenant-users keys rotate --local tenant.db --compromised < /dev/null
    Target: database tenant.db
    tenant-users: confirmation is required, but there is no terminal to prompt on: Withdraw every id token that was signed so far?
    Run:
      tenant-users keys rotate --local tenant.db --compromised --yes
    [2]
    $ tenant-users keys reset --local tenant.db --yes
    Target: database tenant.db
    Deleted 1 signing key
    $ tenant-users audit --local tenant.db --columns event,outcome
    ┌─────────────┬─────────┐
    │ event       │ outcome │
    ├─────────────┼─────────┤
    │ applyTenant │ done    │
    │ rotateKey   │ done    │
    │ rotateKey   │ refused │
    │ resetKeys   │ done    │
    └─────────────┴─────────┘
    4 events in tenant.db.audit.jsonl
    $ tenant-users audit --local missing.db
    tenant-users: the audit log missing.db.audit.jsonl cannot be read: it does not exist
    It is written from the first request on. Name another one with --file FILE.
    [3]
    $ tenant-users apps list --local tenant.db
    ┌───────────┬───────────┬──────┬───────┬────────────┬─────────────────────┐
    │ tenant_id │ client_id │ name │ scope │ created_at │ former_secret_until │
    └───────────┴───────────┴──────┴───────┴────────────┴─────────────────────┘
    No application is stored: serve takes that of TENANT_USERS_CLIENT_ID, or makes one when it starts
    $ tenant-users apps create --local tenant.db --name HR -q --columns name,scope
    ┌───────┬─────┐
    │ name  │ HR  │
    │ scope │ all │
    └───────┴─────┘
    $ tenant-users apps create --local tenant.db --scope write
    tenant-users: invalid --scope "write": must be one of all, read
    Add --help to see how it is used.
    [2]
    $ tenant-users apps list --local tenant.db -o csv --columns client_id | tail -1 > id
    $ tenant-users apps rotate-secret "$(cat id)" --local tenant.db -q --columns name,former_secret_until
    ┌─────────────────────┬──────────────────────────┐
    │ name                │ HR                       │
    │ former_secret_until │ 2026-01-02T03:04:05.678Z │
    └─────────────────────┴──────────────────────────┘
    $ tenant-users apps rotate-secret "$(cat id)" --local tenant.db
    Target: database tenant.db
    tenant-users: the application has two valid secrets until 2026-01-02T03:04:05.678Z
    If nobody has the newer one, replace only that with --lost. Otherwise wait until then, or end both now with --overlap 0.
    [2]
    $ tenant-users apps rotate-secret nobody --local tenant.db
    Target: database tenant.db
    tenant-users: the database has no application with this client id
    To see them: tenant-users --local tenant.db apps list
    [2]
    $ tenant-users apps revoke "$(cat id)" --local tenant.db < /dev/null
    Target: database tenant.db
    tenant-users: confirmation is required, but there is no terminal to prompt on: Delete this application? It cannot be undone.
    Run:
      tenant-users apps revoke 0123456789abcdef01234567 --local tenant.db --yes
    [2]
    $ tenant-users apps revoke "$(cat id)" --local tenant.db --yes -q
    $ tenant-users sessions end --app nobody --local tenant.db
    Target: database tenant.db
    tenant-users: the database has no application with this client id
    To see them: tenant-users --local tenant.db apps list
    [2]
    $ tenant-users sessions end nobody --local tenant.db
    Target: database tenant.db
    tenant-users: User not found (SVC.TENANT.USER.0001)
    Check the spelling and the tenant (tenant-users --local tenant.db status); look for the user in tenant-users --local tenant.db list.
    [5]
    $ tenant-users sessions end --local tenant.db < /dev/null
    tenant-users: no user is given
    Give a user, or --app CLIENT_ID.
    [2]
    "
  `);
});

terminalTest('the transcript on a terminal is right', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users keys list --local tenant.db
    tenant-users: there is no service in this database yet
    Name the database of serve with --local DATABASE. The first start of serve makes
    one.
    [3]
    $ tenant-users tenant apply acme.json --local tenant.db -q
    $ tenant-users keys list --local tenant.db
    ┌───────────┬─────┬───────┬────────────┬────────────┬─────────────────┐
    │ tenant_id │ kid │ state │ created_at │ signs_from │ published_until │
    └───────────┴─────┴───────┴────────────┴────────────┴─────────────────┘
    There is no signing key yet: the first token makes it
    $ tenant-users keys rotate --local tenant.db -q --columns tenant_id,state
    ┌───────────┬─────────┐
    │ tenant_id │ state   │
    ├───────────┼─────────┤
    │ acme      │ signing │
    └───────────┴─────────┘
    $ tenant-users keys rotate --local tenant.db --tenant globex
    Target: database tenant.db
    tenant-users: the database has no tenant "globex"
    Available: acme.
    [2]
    $ tenant-users keys rotate --local tenant.db --compromised < /dev/null
    Target: database tenant.db
    tenant-users: confirmation is required, but there is no terminal to prompt on:
    Withdraw every id token that was signed so far?
    Run:
      tenant-users keys rotate --local tenant.db --compromised --yes
    [2]
    $ tenant-users keys reset --local tenant.db --yes
    Target: database tenant.db
    Deleted 1 signing key
    $ tenant-users audit --local tenant.db --columns event,outcome
    ┌─────────────┬─────────┐
    │ event       │ outcome │
    ├─────────────┼─────────┤
    │ applyTenant │ done    │
    │ rotateKey   │ done    │
    │ rotateKey   │ refused │
    │ resetKeys   │ done    │
    └─────────────┴─────────┘
    4 events in tenant.db.audit.jsonl
    $ tenant-users audit --local missing.db
    tenant-users: the audit log missing.db.audit.jsonl cannot be read: it does not
    exist
    It is written from the first request on. Name another one with --file FILE.
    [3]
    $ tenant-users apps list --local tenant.db
    ┌───────────┬───────────┬──────┬───────┬────────────┬─────────────────────┐
    │ tenant_id │ client_id │ name │ scope │ created_at │ former_secret_until │
    └───────────┴───────────┴──────┴───────┴────────────┴─────────────────────┘
    No application is stored: serve takes that of TENANT_USERS_CLIENT_ID, or makes
    one when it starts
    $ tenant-users apps create --local tenant.db --name HR -q --columns name,scope
    ┌───────┬─────┐
    │ name  │ HR  │
    │ scope │ all │
    └───────┴─────┘
    $ tenant-users apps create --local tenant.db --scope write
    tenant-users: invalid --scope "write": must be one of all, read
    Add --help to see how it is used.
    [2]
    $ tenant-users apps list --local tenant.db -o csv --columns client_id | tail -1 > id
    $ tenant-users apps rotate-secret "$(cat id)" --local tenant.db -q --columns name,former_secret_until
    ┌─────────────────────┬──────────────────────────┐
    │ name                │ HR                       │
    │ former_secret_until │ 2026-01-02T03:04:05.678Z │
    └─────────────────────┴──────────────────────────┘
    $ tenant-users apps rotate-secret "$(cat id)" --local tenant.db
    Target: database tenant.db
    tenant-users: the application has two valid secrets until
    2026-01-02T03:04:05.678Z
    If nobody has the newer one, replace only that with --lost. Otherwise wait until
    then, or end both now with --overlap 0.
    [2]
    $ tenant-users apps rotate-secret nobody --local tenant.db
    Target: database tenant.db
    tenant-users: the database has no application with this client id
    To see them: tenant-users --local tenant.db apps list
    [2]
    $ tenant-users apps revoke "$(cat id)" --local tenant.db < /dev/null
    Target: database tenant.db
    tenant-users: confirmation is required, but there is no terminal to prompt on:
    Delete this application? It cannot be undone.
    Run:
      tenant-users apps revoke 0123456789abcdef01234567 --local tenant.db --yes
    [2]
    $ tenant-users apps revoke "$(cat id)" --local tenant.db --yes -q
    $ tenant-users sessions end --app nobody --local tenant.db
    Target: database tenant.db
    tenant-users: the database has no application with this client id
    To see them: tenant-users --local tenant.db apps list
    [2]
    $ tenant-users sessions end nobody --local tenant.db
    Target: database tenant.db
    tenant-users: User not found (SVC.TENANT.USER.0001)
    Check the spelling and the tenant (tenant-users --local tenant.db status); look
    for the user in tenant-users --local tenant.db list.
    More: tenant-users explain SVC.TENANT.USER.0001
    [5]
    $ tenant-users sessions end --local tenant.db < /dev/null
    tenant-users: no user is given
    Give a user, or --app CLIENT_ID.
    [2]
    "
  `);
});
