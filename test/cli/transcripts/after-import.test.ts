import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions['after-import']);

test('the transcript in a pipe is right', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users import-hashes legacy.csv --yes -q > summary.txt
    $ tenant-users sso ticket ann --password-file password.txt -q > ticket.txt
    $ tenant-users cutover legacy.csv.import --dormant write-to.csv
    ┌────────────┬─────────┬───────────┬───────┬──────────┬─────────┬─────────────┐
    │ algorithm  │ created │ logged_in │ never │ disabled │ percent │ out_of_line │
    ├────────────┼─────────┼───────────┼───────┼──────────┼─────────┼─────────────┤
    │ md5        │ 1       │ 1         │ 0     │ 0        │ 100     │ false       │
    │ md5_sha256 │ 1       │ 0         │ 1     │ 0        │ 0       │ false       │
    └────────────┴─────────┴───────────┴───────┴──────────┴─────────┴─────────────┘
    2026-01-02T03:04:05.678Z: 1 of 2 users logged in, 1 never
    Never logged in: 1 user, in write-to.csv
    $ tenant-users cutover legacy.csv.import -o csv --columns algorithm,logged_in,never
    algorithm,logged_in,never
    md5,1,0
    md5_sha256,0,1
    2026-01-02T03:04:05.678Z: 1 of 2 users logged in, 1 never
    $ tenant-users undo legacy.csv.import --dry-run
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌────────┬──────┬────────┬─────────┬──────────┬────────┬─────────┐
    │ create │ same │ update │ disable │ conflict │ cannot │ invalid │
    ├────────┼──────┼────────┼─────────┼──────────┼────────┼─────────┤
    │ 0      │ 0    │ 0      │ 1       │ 1        │ 0      │ 0       │
    └────────┴──────┴────────┴─────────┴──────────┴────────┴─────────┘
    Tenant asked by a complete listing, since it is cheaper: 2 pages; look-ups would take 2 requests or more
    Reasons: LOGGED_IN (1), CREATED (1)
    To apply: 2 requests or more
    Warning: 1 user will be disabled, which the API cannot take back: their names stay taken.
    Warning: 1 user has logged in since and is left out. --with-active disables them too.
    Nobody was disabled yet. Next:
      tenant-users plan show legacy.csv.import.undo
      tenant-users apply legacy.csv.import.undo
    [7]
    $ tenant-users undo legacy.csv.import --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    It replaces the plan of 2026-01-02T03:04:05.678Z, which was not applied.
    Undo of legacy.csv.import, planned 2026-01-02T03:04:05.678Z: disable 1, no action for 1 user. What is written stays. Nobody gets a message.
    1 user will be disabled, which the API cannot take back: their names stay taken.
    1 user has logged in since and is left out. --with-active disables them too.
    ┌──────┬─────────┬─────────┬──────────┬──────────┬──────────┬────────┬─────────┬─────────┬─────────┐
    │ rows │ created │ updated │ disabled │ existing │ conflict │ failed │ invalid │ unknown │ pending │
    ├──────┼─────────┼─────────┼──────────┼──────────┼──────────┼────────┼─────────┼─────────┼─────────┤
    │ 2    │ 0       │ 0       │ 1        │ 0        │ 1        │ 0      │ 0       │ 0       │ 0       │
    └──────┴─────────┴─────────┴──────────┴──────────┴──────────┴────────┴─────────┴─────────┴─────────┘
    ┌───────────┬──────┐
    │ code      │ rows │
    ├───────────┼──────┤
    │ LOGGED_IN │ 1    │
    └───────────┴──────┘
    2 rows: 1 disabled, 1 conflict
    Took 0.1 s
    1 row was left alone. Details: legacy.csv.import.undo/failures.csv
    User ids: legacy.csv.import.undo/users.csv
    Report: legacy.csv.import.undo/report.html
    Next: Look at the 1 row in failures.csv, which says what to do about each.
    [7]
    $ tenant-users undo legacy.csv.import --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: legacy.csv.import.undo: the job legacy.csv.import was undone at 2026-01-02T03:04:05.678Z by this plan
    1 user was left as they were: failures.csv of the plan says why. To undo the rest, name another directory with --to.
    [3]
    "
  `);
});

terminalTest('the transcript on a terminal is right', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users import-hashes legacy.csv --yes -q > summary.txt
    $ tenant-users sso ticket ann --password-file password.txt -q > ticket.txt
    $ tenant-users cutover legacy.csv.import --dormant write-to.csv
    ┌────────────┬─────────┬───────────┬───────┬──────────┬─────────┬─────────────┐
    │ algorithm  │ created │ logged_in │ never │ disabled │ percent │ out_of_line │
    ├────────────┼─────────┼───────────┼───────┼──────────┼─────────┼─────────────┤
    │ md5        │ 1       │ 1         │ 0     │ 0        │ 100     │ false       │
    │ md5_sha256 │ 1       │ 0         │ 1     │ 0        │ 0       │ false       │
    └────────────┴─────────┴───────────┴───────┴──────────┴─────────┴─────────────┘
    2026-01-02T03:04:05.678Z: 1 of 2 users logged in, 1 never
    Never logged in: 1 user, in write-to.csv
    $ tenant-users cutover legacy.csv.import -o csv --columns algorithm,logged_in,never
    algorithm,logged_in,never
    md5,1,0
    md5_sha256,0,1
    2026-01-02T03:04:05.678Z: 1 of 2 users logged in, 1 never
    $ tenant-users undo legacy.csv.import --dry-run
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌────────┬──────┬────────┬─────────┬──────────┬────────┬─────────┐
    │ create │ same │ update │ disable │ conflict │ cannot │ invalid │
    ├────────┼──────┼────────┼─────────┼──────────┼────────┼─────────┤
    │ 0      │ 0    │ 0      │ 1       │ 1        │ 0      │ 0       │
    └────────┴──────┴────────┴─────────┴──────────┴────────┴─────────┘
    Tenant asked by a complete listing, since it is cheaper: 2 pages; look-ups would
    take 2 requests or more
    Reasons: LOGGED_IN (1), CREATED (1)
    To apply: 2 requests or more
    Warning: 1 user will be disabled, which the API cannot take back: their names
    stay taken.
    Warning: 1 user has logged in since and is left out. --with-active disables them
    too.
    Nobody was disabled yet. Next:
      tenant-users plan show legacy.csv.import.undo
      tenant-users apply legacy.csv.import.undo
    [7]
    $ tenant-users undo legacy.csv.import --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    It replaces the plan of 2026-01-02T03:04:05.678Z, which was not applied.
    Undo of legacy.csv.import, planned 2026-01-02T03:04:05.678Z: disable 1, no
    action for 1 user. What is written stays. Nobody gets a message.
    1 user will be disabled, which the API cannot take back: their names stay taken.
    1 user has logged in since and is left out. --with-active disables them too.
    ┌──────┬─────────┬─────────┬──────────┬──────────┬──────────┬────────┬─────────┐
    │ rows │ created │ updated │ disabled │ existing │ conflict │ failed │ invalid │
    ├──────┼─────────┼─────────┼──────────┼──────────┼──────────┼────────┼─────────┤
    │ 2    │ 0       │ 0       │ 1        │ 0        │ 1        │ 0      │ 0       │
    └──────┴─────────┴─────────┴──────────┴──────────┴──────────┴────────┴─────────┘
    Columns hidden to fit: unknown, pending (use --columns or -o csv)
    ┌───────────┬──────┐
    │ code      │ rows │
    ├───────────┼──────┤
    │ LOGGED_IN │ 1    │
    └───────────┴──────┘
    2 rows: 1 disabled, 1 conflict
    Took 0.1 s
    1 row was left alone. Details: legacy.csv.import.undo/failures.csv
    User ids: legacy.csv.import.undo/users.csv
    Report: legacy.csv.import.undo/report.html
    Next: Look at the 1 row in failures.csv, which says what to do about each.
    [7]
    $ tenant-users undo legacy.csv.import --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: legacy.csv.import.undo: the job legacy.csv.import was undone at
    2026-01-02T03:04:05.678Z by this plan
    1 user was left as they were: failures.csv of the plan says why. To undo the
    rest, name another directory with --to.
    More: tenant-users explain PLAN_APPLIED
    [3]
    "
  `);
});
