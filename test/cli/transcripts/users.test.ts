import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession, startShell } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.users);

test('the transcript in a pipe is right', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users create --user-name ann --data ann.json --password-file password.txt
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌─────────┬──────────────────────────────────┐
    │ user_id │ 20260102030405678-ABCD-EFGHIJKLM │
    └─────────┴──────────────────────────────────┘
    Created
    $ tenant-users users create --user-name 李雷 --nick-name lilei
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌─────────┬──────────────────────────────────┐
    │ user_id │ 20260102030405678-ABCD-EFGHIJKLM │
    └─────────┴──────────────────────────────────┘
    Created without a password
    $ tenant-users create --user-name ann
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: Username already exists (SVC.TENANT.USER.0034)
    Find the user with tenant-users get --by-user-name NAME, then change one of the two, or update that user in place of adding one.
    [6]
    $ tenant-users list
    ┌───────────┬─────────┬─────────────────┬────────┬──────────┬──────────────────────────────────┐
    │ user_name │ name    │ email           │ mobile │ disabled │ user_id                          │
    ├───────────┼─────────┼─────────────────┼────────┼──────────┼──────────────────────────────────┤
    │ ann       │ Ann Lee │ ann@example.com │        │ false    │ 20260102030405678-ABCD-EFGHIJKLM │
    │ 李雷      │         │                 │        │ false    │ 20260102030405678-ABCD-EFGHIJKLM │
    └───────────┴─────────┴─────────────────┴────────┴──────────┴──────────────────────────────────┘
    2 of 2 users
    $ tenant-users users list --columns user_name,extension.age
    ┌───────────┬───────────────┐
    │ user_name │ extension.age │
    ├───────────┼───────────────┤
    │ ann       │ 42            │
    │ 李雷      │               │
    └───────────┴───────────────┘
    2 of 2 users
    $ tenant-users list --all -o csv --columns user_name,nick_name
    tenant-users: unknown column "nick_name"
    Did you mean attr_nick_name? Available: user_name, name, mobile, email, attr_gender, attr_birthday, attr_nick_name, mailing_address, zip_code, first_name, middle_name, last_name, industry, external_id, head_img, user_id, created_at, updated_at, pwd_change_at, disabled, usr_auth_times, usr_last_login, extension.<key>.
    [2]
    $ tenant-users get --by-user-name ann
    ┌────────────────┬──────────────────────────────────┐
    │ user_name      │ ann                              │
    │ user_id        │ 20260102030405678-ABCD-EFGHIJKLM │
    │ name           │ Ann Lee                          │
    │ email          │ ann@example.com                  │
    │ pwd_change_at  │ 2026-01-02 03:04:05              │
    │ created_at     │ 2026-01-02 03:04:05              │
    │ updated_at     │ 2026-01-02 03:04:05              │
    │ disabled       │ false                            │
    │ usr_auth_times │ 0                                │
    │ extension.age  │ 42                               │
    └────────────────┴──────────────────────────────────┘
    $ tenant-users update --by-user-name ann --email ann@example.org --unset name
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌─────────┬──────────────────────────────────┐
    │ user_id │ 20260102030405678-ABCD-EFGHIJKLM │
    └─────────┴──────────────────────────────────┘
    Updated
    $ tenant-users update --by-user-name ann
    tenant-users: no changes given
    Specify an attribute, such as --email, or use --unset.
    [2]
    $ tenant-users get --by-user-name ann --json --columns user_name,email
    {"user_name":"ann","email":"ann@example.org"}
    $ tenant-users get nobody
    tenant-users: User not found (SVC.TENANT.USER.0001)
    This is not the form of a user id. If it is a user name, use --by-user-name NAME
    [5]
    $ tenant-users disable --by-user-name ann --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌───────┬──────────────────────────────────┬──────┬──────────┬───────────────┐
    │ given │ user_id                          │ ok   │ action   │ error.message │
    ├───────┼──────────────────────────────────┼──────┼──────────┼───────────────┤
    │ ann   │ 20260102030405678-ABCD-EFGHIJKLM │ true │ disabled │               │
    └───────┴──────────────────────────────────┴──────┴──────────┴───────────────┘
    1 of 1 disabled
    $ tenant-users disable --from leavers.txt --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌─────────┬───────┬────────┬────────────────┐
    │ user_id │ ok    │ action │ error.message  │
    ├─────────┼───────┼────────┼────────────────┤
    │ nobody  │ false │        │ User not found │
    └─────────┴───────┴────────┴────────────────┘
    0 of 1 disabled
    This is not the form of a user id. If it is a user name, use --by-user-name NAME
    [5]
    $ tenant-users list --limit 5
    tenant-users: invalid --limit "5": must be between 10 and 100
    Add --help to see how it is used.
    [2]
    "
  `);
});

terminalTest('the transcript on a terminal is right', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users create --user-name ann --data ann.json --password-file password.txt
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌─────────┬──────────────────────────────────┐
    │ user_id │ 20260102030405678-ABCD-EFGHIJKLM │
    └─────────┴──────────────────────────────────┘
    Created
    $ tenant-users users create --user-name 李雷 --nick-name lilei
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌─────────┬──────────────────────────────────┐
    │ user_id │ 20260102030405678-ABCD-EFGHIJKLM │
    └─────────┴──────────────────────────────────┘
    Created without a password
    $ tenant-users create --user-name ann
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: Username already exists (SVC.TENANT.USER.0034)
    Find the user with tenant-users get --by-user-name NAME, then change one of the
    two, or update that user in place of adding one.
    More: tenant-users explain SVC.TENANT.USER.0034
    [6]
    $ tenant-users list
    ┌───────────┬─────────┬─────────────────┬──────────┬────────────┐
    │ user_name │ name    │ email           │ disabled │ user_id    │
    ├───────────┼─────────┼─────────────────┼──────────┼────────────┤
    │ ann       │ Ann Lee │ ann@example.com │ false    │ …EFGHIJKLM │
    │ 李雷      │         │                 │ false    │ …EFGHIJKLM │
    └───────────┴─────────┴─────────────────┴──────────┴────────────┘
    Columns hidden to fit: mobile; shortened to fit: user_id (use --columns or -o
    csv)
    2 of 2 users
    $ tenant-users users list --columns user_name,extension.age
    ┌───────────┬───────────────┐
    │ user_name │ extension.age │
    ├───────────┼───────────────┤
    │ ann       │ 42            │
    │ 李雷      │               │
    └───────────┴───────────────┘
    2 of 2 users
    $ tenant-users list --all -o csv --columns user_name,nick_name
    tenant-users: unknown column "nick_name"
    Did you mean attr_nick_name? Available: user_name, name, mobile, email,
    attr_gender, attr_birthday, attr_nick_name, mailing_address, zip_code,
    first_name, middle_name, last_name, industry, external_id, head_img, user_id,
    created_at, updated_at, pwd_change_at, disabled, usr_auth_times, usr_last_login,
    extension.<key>.
    [2]
    $ tenant-users get --by-user-name ann
    ┌────────────────┬──────────────────────────────────┐
    │ user_name      │ ann                              │
    │ user_id        │ 20260102030405678-ABCD-EFGHIJKLM │
    │ name           │ Ann Lee                          │
    │ email          │ ann@example.com                  │
    │ pwd_change_at  │ 2026-01-02 03:04:05              │
    │ created_at     │ 2026-01-02 03:04:05              │
    │ updated_at     │ 2026-01-02 03:04:05              │
    │ disabled       │ false                            │
    │ usr_auth_times │ 0                                │
    │ extension.age  │ 42                               │
    └────────────────┴──────────────────────────────────┘
    $ tenant-users update --by-user-name ann --email ann@example.org --unset name
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌─────────┬──────────────────────────────────┐
    │ user_id │ 20260102030405678-ABCD-EFGHIJKLM │
    └─────────┴──────────────────────────────────┘
    Updated
    $ tenant-users update --by-user-name ann
    tenant-users: no changes given
    Specify an attribute, such as --email, or use --unset.
    [2]
    $ tenant-users get --by-user-name ann --json --columns user_name,email
    {"user_name":"ann","email":"ann@example.org"}
    $ tenant-users get nobody
    tenant-users: User not found (SVC.TENANT.USER.0001)
    This is not the form of a user id. If it is a user name, use --by-user-name NAME
    More: tenant-users explain SVC.TENANT.USER.0001
    [5]
    $ tenant-users disable --by-user-name ann --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌───────┬──────────────────────────────────┬──────┬──────────┐
    │ given │ user_id                          │ ok   │ action   │
    ├───────┼──────────────────────────────────┼──────┼──────────┤
    │ ann   │ 20260102030405678-ABCD-EFGHIJKLM │ true │ disabled │
    └───────┴──────────────────────────────────┴──────┴──────────┘
    1 of 1 disabled
    $ tenant-users disable --from leavers.txt --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌─────────┬───────┬────────┐
    │ user_id │ ok    │ action │
    ├─────────┼───────┼────────┤
    │ nobody  │ false │        │
    └─────────┴───────┴────────┘
    tenant-users: nobody: User not found
    0 of 1 disabled
    This is not the form of a user id. If it is a user name, use --by-user-name NAME
    [5]
    $ tenant-users list --limit 5
    tenant-users: invalid --limit "5": must be between 10 and 100
    Add --help to see how it is used.
    [2]
    "
  `);
});

terminalTest('the transcript on a terminal of 40 columns is right', patience, async () => {
  const shell = await startShell('terminal', { ...sessions.users, columns: 40 });
  const lines = `
    tenant-users create --user-name ann --data ann.json --quiet > /dev/null
    tenant-users list
    tenant-users get --by-user-name ann --columns user_name,email,created_at
  `;
  expect(await shell.transcript(lines)).toMatchInlineSnapshot(`
    "$ tenant-users create --user-name ann --data ann.json --quiet > /dev/null
    $ tenant-users list
    ┌───────────┬─────────┬────────────────┐
    │ user_name │ name    │ email          │
    ├───────────┼─────────┼────────────────┤
    │ ann       │ Ann Lee │ ann@example.c… │
    └───────────┴─────────┴────────────────┘
    Columns hidden to fit: mobile, disabled,
    user_id (use --columns or -o csv)
    1 of 1 user
    $ tenant-users get --by-user-name ann --columns user_name,email,created_at
    ┌────────────┬─────────────────────┐
    │ user_name  │ ann                 │
    │ email      │ ann@example.com     │
    │ created_at │ 2026-01-02 03:04:05 │
    └────────────┴─────────────────────┘
    "
  `);
});
