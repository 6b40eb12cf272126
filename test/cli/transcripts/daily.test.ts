import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.daily);

test('the transcript in a pipe is right', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users create --user-name ann --name 'Ann Lee' --email ann@example.com --extension age=42 -q > id
    $ tenant-users create --user-name 李雷 -q > /dev/null
    $ tenant-users list --search LEE --where disabled=false --columns user_name,email,disabled
    ┌───────────┬─────────────────┬──────────┐
    │ user_name │ email           │ disabled │
    ├───────────┼─────────────────┼──────────┤
    │ ann       │ ann@example.com │ false    │
    └───────────┴─────────────────┴──────────┘
    2 users read, 1 match
    $ tenant-users list --where email= --sort -user_name -q --columns user_name
    ┌───────────┐
    │ user_name │
    ├───────────┤
    │ 李雷      │
    └───────────┘
    $ tenant-users list --where age=42
    tenant-users: unknown field "age"
    Available: user_name, user_id, name, mobile, email, pwd_change_at, created_at, updated_at, disabled, attr_gender, attr_birthday, attr_nick_name, mailing_address, zip_code, first_name, middle_name, last_name, industry, external_id, usr_auth_times, usr_last_login, extension.<key>, head_img.
    [2]
    $ tenant-users list --sort user_name -o tsv --columns user_name,name,extension.age
    ann	Ann Lee	42
    李雷		
    2 of 2 users
    $ tenant-users list --all --output-file users.csv -o csv --columns user_name
    2 of 2 users
    $ cat users.csv
    user_name
    ann
    李雷
    $ tenant-users list --all --output-file missing/users.csv
    tenant-users: there is no directory missing for --output-file missing/users.csv
    Correct the path, or run: mkdir -p missing
    [3]
    $ tenant-users api POST users/user-by-user-name --data key.json < /dev/null
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: nothing was sent: to send POST /api/v2/tenant/users/user-by-user-name without a prompt, add --yes; the target is http://127.0.0.1:12345 (client id test-application)
    Run:
      tenant-users api POST users/user-by-user-name --data key.json --yes
    [2]
    $ tenant-users api POST users/user-by-username --data key.json --columns user_name,email -o csv
    user_name,email
    ann,ann@example.com
    $ tenant-users api GET 'users?limit=10' --paginate -o jsonl --columns user_name
    {"user_name":"ann"}
    {"user_name":"李雷"}
    2 of 2
    $ tenant-users api PUT "users/$(cat id)" --data key.json < /dev/null
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: nothing was sent: to send PUT /api/v2/tenant/users/20260102030405678-ABCD-EFGHIJKLM without a prompt, add --yes; the target is http://127.0.0.1:12345 (client id test-application)
    Run:
      tenant-users api PUT users/20260102030405678-ABCD-EFGHIJKLM --data key.json --yes
    [2]
    $ tenant-users api PUT "users/$(cat id)" --data change.json --yes --json > /dev/null
    $ tenant-users ensure --user-name bob --email bob@example.com -q > /dev/null
    $ tenant-users ensure --user-name bob --email BOB@example.com --name Bob > /dev/null
    Target: http://127.0.0.1:12345 (client id test-application)
    20260102030405678-ABCD-EFGHIJKLM: updated (name)
    $ tenant-users users ensure --user-name bob --name Bob --json > /dev/null
    $ tenant-users ensure --user-name bob --email ann@example.com
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: nothing was changed: the keys belong to several users; held: user_name by 20260102030405678-ABCD-EFGHIJKLM, email by 20260102030405678-ABCD-EFGHIJKLM; different there: email, user_name
    Find out which is correct. Where one field alone tells people apart, use --key.
    [6]
    $ tenant-users ensure --name Bob < /dev/null
    tenant-users: ensure cannot tell who is meant without an identifier
    Give the user name, the e-mail address, the mobile number or the external ID.
    [2]
    $ tenant-users api GET https://elsewhere.example/api/v2/tenant/users
    tenant-users: https://elsewhere.example is not the configured service, and gets no token
    Write the path alone: /api/v2/tenant/users
    [2]
    "
  `);
});

terminalTest('the transcript on a terminal is right', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users create --user-name ann --name 'Ann Lee' --email ann@example.com --extension age=42 -q > id
    $ tenant-users create --user-name 李雷 -q > /dev/null
    $ tenant-users list --search LEE --where disabled=false --columns user_name,email,disabled
    ┌───────────┬─────────────────┬──────────┐
    │ user_name │ email           │ disabled │
    ├───────────┼─────────────────┼──────────┤
    │ ann       │ ann@example.com │ false    │
    └───────────┴─────────────────┴──────────┘
    2 users read, 1 match
    $ tenant-users list --where email= --sort -user_name -q --columns user_name
    ┌───────────┐
    │ user_name │
    ├───────────┤
    │ 李雷      │
    └───────────┘
    $ tenant-users list --where age=42
    tenant-users: unknown field "age"
    Available: user_name, user_id, name, mobile, email, pwd_change_at, created_at,
    updated_at, disabled, attr_gender, attr_birthday, attr_nick_name,
    mailing_address, zip_code, first_name, middle_name, last_name, industry,
    external_id, usr_auth_times, usr_last_login, extension.<key>, head_img.
    [2]
    $ tenant-users list --sort user_name -o tsv --columns user_name,name,extension.age
    ann     Ann Lee 42
    李雷
    2 of 2 users
    $ tenant-users list --all --output-file users.csv -o csv --columns user_name
    2 of 2 users
    $ cat users.csv
    user_name
    ann
    李雷
    $ tenant-users list --all --output-file missing/users.csv
    tenant-users: there is no directory missing for --output-file missing/users.csv
    Correct the path, or run: mkdir -p missing
    [3]
    $ tenant-users api POST users/user-by-user-name --data key.json < /dev/null
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: nothing was sent: to send POST
    /api/v2/tenant/users/user-by-user-name without a prompt, add --yes; the target
    is http://127.0.0.1:12345 (client id test-application)
    Run:
      tenant-users api POST users/user-by-user-name --data key.json --yes
    [2]
    $ tenant-users api POST users/user-by-username --data key.json --columns user_name,email -o csv
    user_name,email
    ann,ann@example.com
    $ tenant-users api GET 'users?limit=10' --paginate -o jsonl --columns user_name
    {"user_name":"ann"}
    {"user_name":"李雷"}
    2 of 2
    $ tenant-users api PUT "users/$(cat id)" --data key.json < /dev/null
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: nothing was sent: to send PUT
    /api/v2/tenant/users/20260102030405678-ABCD-EFGHIJKLM without a prompt, add
    --yes; the target is http://127.0.0.1:12345 (client id test-application)
    Run:
      tenant-users api PUT users/20260102030405678-ABCD-EFGHIJKLM --data key.json --
    yes
    [2]
    $ tenant-users api PUT "users/$(cat id)" --data change.json --yes --json > /dev/null
    $ tenant-users ensure --user-name bob --email bob@example.com -q > /dev/null
    $ tenant-users ensure --user-name bob --email BOB@example.com --name Bob > /dev/null
    Target: http://127.0.0.1:12345 (client id test-application)
    20260102030405678-ABCD-EFGHIJKLM: updated (name)
    $ tenant-users users ensure --user-name bob --name Bob --json > /dev/null
    $ tenant-users ensure --user-name bob --email ann@example.com
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: nothing was changed: the keys belong to several users; held:
    user_name by 20260102030405678-ABCD-EFGHIJKLM, email by
    20260102030405678-ABCD-EFGHIJKLM; different there: email, user_name
    Find out which is correct. Where one field alone tells people apart, use --key.
    More: tenant-users explain NOT_ENSURED
    [6]
    $ tenant-users ensure --name Bob < /dev/null
    tenant-users: ensure cannot tell who is meant without an identifier
    Give the user name, the e-mail address, the mobile number or the external ID.
    [2]
    $ tenant-users api GET https://elsewhere.example/api/v2/tenant/users
    tenant-users: https://elsewhere.example is not the configured service, and gets
    no token
    Write the path alone: /api/v2/tenant/users
    [2]
    "
  `);
});
