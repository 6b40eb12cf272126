import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.administration);

test('in a pipe', patience, async () => {
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
    There is no key yet: the first token makes it
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
    tenant-users: confirmation is required, but there is no terminal to prompt on
    Use --yes.
    [2]
    $ tenant-users keys reset --local tenant.db --yes
    Target: database tenant.db
    Deleted 1 signing key
    "
  `);
});

terminalTest('on a terminal', patience, async () => {
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
    There is no key yet: the first token makes it
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
    tenant-users: confirmation is required, but there is no terminal to prompt on
    Use --yes.
    [2]
    $ tenant-users keys reset --local tenant.db --yes
    Target: database tenant.db
    Deleted 1 signing key
    "
  `);
});
