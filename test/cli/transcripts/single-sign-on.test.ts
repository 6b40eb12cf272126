import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions['single-sign-on']);

test('the transcript in a pipe is right', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users create --user-name ann --password-file password.txt --no-must-modify -q > /dev/null
    $ tenant-users sso ticket ann --password-file wrong.txt
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: The user name or the password is wrong, attempts left: 4 (SDK.LOGIN.1005)
    Look the user up (tenant-users get), who may be disabled; then check the password. An imported hash may have been made in another way than its algorithm says.
    [6]
    $ tenant-users sso ticket ann --password-file password.txt --device-fingerprint f00d -q --columns expire
    ┌────────┬─────┐
    │ expire │ 300 │
    └────────┴─────┘
    $ tenant-users sso ticket ann --password-file password.txt --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d --json > ticket.json
    $ sed 's/.*"sso_ticket":"\\([^"]*\\)".*/\\1/' ticket.json | tenant-users sso verify --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d --columns userName
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌──────────┬─────┐
    │ userName │ ann │
    └──────────┴─────┘
    $ tenant-users sso verify nonsense --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: The SSO ticket is unknown, used or expired (SVC.TENANT.SSO.0001)
    Obtain a fresh ticket; on the local service: tenant-users sso ticket USER
    [6]
    $ tenant-users sso check ann --password-file password.txt --columns userName
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌──────────┬─────┐
    │ userName │ ann │
    └──────────┴─────┘
    The password is accepted, and the ticket leads to this user
    $ tenant-users sso check ann --password-file wrong.txt
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: The user name or the password is wrong, attempts left: 4 (SDK.LOGIN.1005)
    Look the user up (tenant-users get), who may be disabled; then check the password. An imported hash may have been made in another way than its algorithm says.
    [6]
    "
  `);
});

terminalTest('the transcript on a terminal is right', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users create --user-name ann --password-file password.txt --no-must-modify -q > /dev/null
    $ tenant-users sso ticket ann --password-file wrong.txt
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: The user name or the password is wrong, attempts left: 4
    (SDK.LOGIN.1005)
    Look the user up (tenant-users get), who may be disabled; then check the
    password. An imported hash may have been made in another way than its algorithm
    says.
    More: tenant-users explain SDK.LOGIN.1005
    [6]
    $ tenant-users sso ticket ann --password-file password.txt --device-fingerprint f00d -q --columns expire
    ┌────────┬─────┐
    │ expire │ 300 │
    └────────┴─────┘
    $ tenant-users sso ticket ann --password-file password.txt --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d --json > ticket.json
    $ sed 's/.*"sso_ticket":"\\([^"]*\\)".*/\\1/' ticket.json | tenant-users sso verify --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d --columns userName
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌──────────┬─────┐
    │ userName │ ann │
    └──────────┴─────┘
    $ tenant-users sso verify nonsense --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: The SSO ticket is unknown, used or expired (SVC.TENANT.SSO.0001)
    Obtain a fresh ticket; on the local service: tenant-users sso ticket USER
    More: tenant-users explain SVC.TENANT.SSO.0001
    [6]
    $ tenant-users sso check ann --password-file password.txt --columns userName
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌──────────┬─────┐
    │ userName │ ann │
    └──────────┴─────┘
    The password is accepted, and the ticket leads to this user
    $ tenant-users sso check ann --password-file wrong.txt
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: The user name or the password is wrong, attempts left: 4
    (SDK.LOGIN.1005)
    Look the user up (tenant-users get), who may be disabled; then check the
    password. An imported hash may have been made in another way than its algorithm
    says.
    More: tenant-users explain SDK.LOGIN.1005
    [6]
    "
  `);
});
