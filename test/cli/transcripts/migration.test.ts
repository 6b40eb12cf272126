import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.migration);

test('the transcript in a pipe is right', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users forecast legacy.csv --columns rows,ready,requests
    Target: http://127.0.0.1:12345 (client id test-application)
    legacy.csv: utf-8, comma, 3 rows; columns used: user_name, algorithm, hash (as value), pwd_must_modify
    ┌──────────┬───┐
    │ rows     │ 3 │
    │ ready    │ 2 │
    │ requests │ 2 │
    └──────────┴───┘
    $ tenant-users forecast legacy.csv --probe-reads 1s
    tenant-users: invalid --probe-reads "1s": must be between 5s and 10m, in seconds or minutes, such as 30s
    Add --help to see how it is used.
    [2]
    $ tenant-users import-hashes legacy.csv --dry-run --job rehearsal
    legacy.csv: utf-8, comma, 3 rows; columns used: user_name, algorithm, hash (as value), pwd_must_modify
    ┌──────┬─────────┬──────────┬──────────┬────────┬─────────┬─────────┬─────────┐
    │ rows │ created │ existing │ conflict │ failed │ invalid │ unknown │ pending │
    ├──────┼─────────┼──────────┼──────────┼────────┼─────────┼─────────┼─────────┤
    │ 3    │ 0       │ 0        │ 0        │ 0      │ 1       │ 0       │ 2       │
    └──────┴─────────┴──────────┴──────────┴────────┴─────────┴─────────┴─────────┘
    ┌────────────┬──────┐
    │ code       │ rows │
    ├────────────┼──────┤
    │ HASH_SHAPE │ 1    │
    └────────────┴──────┘
    3 rows: 1 invalid, 2 ready to import
    Took 0.1 s
    Warning: 1 user must change the password at the first login by the default of the API. To let them keep it, add --set pwd_must_modify=false.
    Warning: Not verified: md5. No known password was tried (--canary), so it is not known whether users with these hashes can log in.
    1 row would be rejected. Details: rehearsal/failures.csv
    Report: rehearsal/report.html
    Next: Correct 1 row of the file (failures.csv lists what is wrong), and check again; an import skips rejected rows.
      tenant-users import-hashes legacy.csv --job rehearsal --dry-run
    Next: Use --rehearse instead of --dry-run to try a temporary tenant, or import for real. The API cannot delete users: what is written stays.
      tenant-users import-hashes legacy.csv --job rehearsal --yes
    [7]
    $ tenant-users import-hashes legacy.csv --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    legacy.csv: utf-8, comma, 3 rows; columns used: user_name, algorithm, hash (as value), pwd_must_modify
    2 rows will be imported; 1 row will be rejected. The API cannot delete a user, enable one again or change a hash: this cannot be undone. Nobody gets a message.
    Warning: 1 user must change the password at the first login by the default of the API. This cannot be changed after the import.
    Warning: Not verified: md5. No known password was tried (--canary), so it is not known whether users with these hashes can log in.
    ┌──────┬─────────┬──────────┬──────────┬────────┬─────────┬─────────┬─────────┐
    │ rows │ created │ existing │ conflict │ failed │ invalid │ unknown │ pending │
    ├──────┼─────────┼──────────┼──────────┼────────┼─────────┼─────────┼─────────┤
    │ 3    │ 2       │ 0        │ 0        │ 0      │ 1       │ 0       │ 0       │
    └──────┴─────────┴──────────┴──────────┴────────┴─────────┴─────────┴─────────┘
    ┌────────────┬──────┐
    │ code       │ rows │
    ├────────────┼──────┤
    │ HASH_SHAPE │ 1    │
    └────────────┴──────┘
    3 rows: 2 created, 1 invalid
    Took 0.1 s
    Warning: 1 user must change the password at the first login by the default of the API. This cannot be changed after the import.
    Warning: Not verified: md5. No known password was tried (--canary), so it is not known whether users with these hashes can log in.
    1 row was not imported. Details: legacy.csv.import/failures.csv
    User ids: legacy.csv.import/users.csv
    Report: legacy.csv.import/report.html
    Next: Correct 1 row of the file (failures.csv lists what is wrong); then rerun with --only failed.
      tenant-users import-hashes legacy.csv --only failed
    [7]
    $ tenant-users import-hashes missing.csv
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: missing.csv: there is no such file; check the path
    Nothing was sent. Fix the problem that the message names, then run the command again.
    [2]
    $ tenant-users import-hashes legacy.csv --window 22:00-22:00
    tenant-users: invalid --window "22:00-22:00": would never be open: it must be two times, such as 22:00-05:00
    Add --help to see how it is used.
    [2]
    $ tenant-users import-hashes merge legacy.csv.import
    tenant-users: no directory given for the merged results
    Specify one with --job.
    [2]
    $ tenant-users hash identify hashes.txt
    ┌──────┬───────────┬─────────────────────┬──────────┬─────────┬────────┐
    │ line │ algorithm │ format              │ sure     │ use     │ damage │
    ├──────┼───────────┼─────────────────────┼──────────┼─────────┼────────┤
    │ 1    │ md5       │ MD5, hex            │ likely   │ as-is   │        │
    │ 1    │           │ NT hash or MD4, hex │ possible │ no      │        │
    │ 2    │           │ unknown format      │          │ unknown │        │
    └──────┴───────────┴─────────────────────┴──────────┴─────────┴────────┘
    2 hashes checked, 1 in a format that the API accepts
    $ tenant-users hash verify --csv legacy.csv --by-user-name ann --password-stdin < password.txt
    The password matches the hash (md5)
    $ tenant-users hash verify --csv legacy.csv --by-user-name ann --password-stdin < wrong.txt
    tenant-users: the password does not match the hash
    Check that the password and the hash belong to the same user. No known export mistake, and no pair of them, explains the difference.
    [6]
    $ tenant-users explain SVC.TENANT.USER.0001
    SVC.TENANT.USER.0001: User not found

    Cause:      No user of this tenant has the user id, user name, e-mail address, mobile number or external ID asked for.
    Remedy:     Check the spelling and the tenant (tenant-users status); look for the user in tenant-users list.
    Retryable:  no
    Operations: createUser, importHashedUser, updateUser, getUser, getUserByUserName, getUserByEmail, getUserByMobile, getUserByExternalId, disableUser, changePassword
    Exit code:  5
    $ tenant-users explain nonsense
    tenant-users: unknown code "nonsense"
    To list all codes, run: tenant-users explain
    [2]
    "
  `);
});

terminalTest('the transcript on a terminal is right', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users forecast legacy.csv --columns rows,ready,requests
    Target: http://127.0.0.1:12345 (client id test-application)
    legacy.csv: utf-8, comma, 3 rows; columns used: user_name, algorithm, hash (as
    value), pwd_must_modify
    ┌──────────┬───┐
    │ rows     │ 3 │
    │ ready    │ 2 │
    │ requests │ 2 │
    └──────────┴───┘
    $ tenant-users forecast legacy.csv --probe-reads 1s
    tenant-users: invalid --probe-reads "1s": must be between 5s and 10m, in seconds
    or minutes, such as 30s
    Add --help to see how it is used.
    [2]
    $ tenant-users import-hashes legacy.csv --dry-run --job rehearsal
    legacy.csv: utf-8, comma, 3 rows; columns used: user_name, algorithm, hash (as
    value), pwd_must_modify
    ┌──────┬─────────┬──────────┬──────────┬────────┬─────────┬─────────┬─────────┐
    │ rows │ created │ existing │ conflict │ failed │ invalid │ unknown │ pending │
    ├──────┼─────────┼──────────┼──────────┼────────┼─────────┼─────────┼─────────┤
    │ 3    │ 0       │ 0        │ 0        │ 0      │ 1       │ 0       │ 2       │
    └──────┴─────────┴──────────┴──────────┴────────┴─────────┴─────────┴─────────┘
    ┌────────────┬──────┐
    │ code       │ rows │
    ├────────────┼──────┤
    │ HASH_SHAPE │ 1    │
    └────────────┴──────┘
    3 rows: 1 invalid, 2 ready to import
    Took 0.1 s
    Warning: 1 user must change the password at the first login by the default of
    the API. To let them keep it, add --set pwd_must_modify=false.
    Warning: Not verified: md5. No known password was tried (--canary), so it is not
    known whether users with these hashes can log in.
    1 row would be rejected. Details: rehearsal/failures.csv
    Report: rehearsal/report.html
    Next: Correct 1 row of the file (failures.csv lists what is wrong), and check
    again; an import skips rejected rows.
      tenant-users import-hashes legacy.csv --job rehearsal --dry-run
    Next: Use --rehearse instead of --dry-run to try a temporary tenant, or import
    for real. The API cannot delete users: what is written stays.
      tenant-users import-hashes legacy.csv --job rehearsal
    [7]
    $ tenant-users import-hashes legacy.csv --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    legacy.csv: utf-8, comma, 3 rows; columns used: user_name, algorithm, hash (as
    value), pwd_must_modify
    2 rows will be imported; 1 row will be rejected. The API cannot delete a user,
    enable one again or change a hash: this cannot be undone. Nobody gets a message.
    Warning: 1 user must change the password at the first login by the default of
    the API. This cannot be changed after the import.
    Warning: Not verified: md5. No known password was tried (--canary), so it is not
    known whether users with these hashes can log in.
    ┌──────┬─────────┬──────────┬──────────┬────────┬─────────┬─────────┬─────────┐
    │ rows │ created │ existing │ conflict │ failed │ invalid │ unknown │ pending │
    ├──────┼─────────┼──────────┼──────────┼────────┼─────────┼─────────┼─────────┤
    │ 3    │ 2       │ 0        │ 0        │ 0      │ 1       │ 0       │ 0       │
    └──────┴─────────┴──────────┴──────────┴────────┴─────────┴─────────┴─────────┘
    ┌────────────┬──────┐
    │ code       │ rows │
    ├────────────┼──────┤
    │ HASH_SHAPE │ 1    │
    └────────────┴──────┘
    3 rows: 2 created, 1 invalid
    Took 0.1 s
    Warning: 1 user must change the password at the first login by the default of
    the API. This cannot be changed after the import.
    Warning: Not verified: md5. No known password was tried (--canary), so it is not
    known whether users with these hashes can log in.
    1 row was not imported. Details: legacy.csv.import/failures.csv
    User ids: legacy.csv.import/users.csv
    Report: legacy.csv.import/report.html
    Next: Correct 1 row of the file (failures.csv lists what is wrong); then rerun
    with --only failed.
      tenant-users import-hashes legacy.csv --only failed
    [7]
    $ tenant-users import-hashes missing.csv
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: missing.csv: there is no such file; check the path
    Nothing was sent. Fix the problem that the message names, then run the command
    again.
    [2]
    $ tenant-users import-hashes legacy.csv --window 22:00-22:00
    tenant-users: invalid --window "22:00-22:00": would never be open: it must be
    two times, such as 22:00-05:00
    Add --help to see how it is used.
    [2]
    $ tenant-users import-hashes merge legacy.csv.import
    tenant-users: no directory given for the merged results
    Specify one with --job.
    [2]
    $ tenant-users hash identify hashes.txt
    ┌──────┬───────────┬─────────────────────┬──────────┬─────────┬────────┐
    │ line │ algorithm │ format              │ sure     │ use     │ damage │
    ├──────┼───────────┼─────────────────────┼──────────┼─────────┼────────┤
    │ 1    │ md5       │ MD5, hex            │ likely   │ as-is   │        │
    │ 1    │           │ NT hash or MD4, hex │ possible │ no      │        │
    │ 2    │           │ unknown format      │          │ unknown │        │
    └──────┴───────────┴─────────────────────┴──────────┴─────────┴────────┘
    2 hashes checked, 1 in a format that the API accepts
    $ tenant-users hash verify --csv legacy.csv --by-user-name ann --password-stdin < password.txt
    The password matches the hash (md5)
    $ tenant-users hash verify --csv legacy.csv --by-user-name ann --password-stdin < wrong.txt
    tenant-users: the password does not match the hash
    Check that the password and the hash belong to the same user. No known export
    mistake, and no pair of them, explains the difference.
    More: tenant-users explain HASH_MISMATCH
    [6]
    $ tenant-users explain SVC.TENANT.USER.0001
    SVC.TENANT.USER.0001: User not found

    Cause:      No user of this tenant has the user id, user name, e-mail address,
                mobile number or external ID asked for.
    Remedy:     Check the spelling and the tenant (tenant-users status); look for
                the user in tenant-users list.
    Retryable:  no
    Operations: createUser, importHashedUser, updateUser, getUser,
                getUserByUserName, getUserByEmail, getUserByMobile,
                getUserByExternalId, disableUser, changePassword
    Exit code:  5
    $ tenant-users explain nonsense
    tenant-users: unknown code "nonsense"
    To list all codes, run: tenant-users explain
    [2]
    "
  `);
});
