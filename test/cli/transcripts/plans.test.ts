import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.plans);

test('the transcript in a pipe is right', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users import-hashes legacy.csv --yes -q > summary.txt
    $ tenant-users compare legacy.csv --job legacy.csv.import
    legacy.csv: utf-8, comma, 2 rows; columns used: user_name, name, algorithm, hash (as value), pwd_must_modify
    ┌──────┬───────┬──────┬─────────┬─────────┬───────┬───────────┬─────────┐
    │ rows │ users │ same │ differs │ missing │ extra │ ambiguous │ invalid │
    ├──────┼───────┼──────┼─────────┼─────────┼───────┼───────────┼─────────┤
    │ 2    │ 2     │ 2    │ 0       │ 0       │ 0     │ 0         │ 0       │
    └──────┴───────┴──────┴─────────┴─────────┴───────┴───────────┴─────────┘
    Report: legacy.csv.compare/report.html
    $ tenant-users compare changed.csv
    changed.csv: utf-8, comma, 2 rows; columns used: user_name, name
    ┌──────┬───────┬──────┬─────────┬─────────┬───────┬───────────┬─────────┐
    │ rows │ users │ same │ differs │ missing │ extra │ ambiguous │ invalid │
    ├──────┼───────┼──────┼─────────┼─────────┼───────┼───────────┼─────────┤
    │ 2    │ 2     │ 0    │ 1       │ 1       │ 1     │ 0         │ 0       │
    └──────┴───────┴──────┴─────────┴─────────┴───────┴───────────┴─────────┘
    Fields that differ: name (1)
    Lists: changed.csv.compare/differs.csv, changed.csv.compare/missing.csv, changed.csv.compare/extra.csv
    Report: changed.csv.compare/report.html
    [7]
    $ cat changed.csv.compare/differs.csv | cut -d, -f1,2,4
    row,line,fields
    1,2,name
    $ tenant-users plan changed.csv --allow-passwordless --key user_name --update name
    changed.csv: utf-8, comma, 2 rows; columns used: user_name, name
    ┌────────┬──────┬────────┬─────────┬──────────┬────────┬─────────┐
    │ create │ same │ update │ disable │ conflict │ cannot │ invalid │
    ├────────┼──────┼────────┼─────────┼──────────┼────────┼─────────┤
    │ 1      │ 0    │ 1      │ 0       │ 0        │ 0      │ 0       │
    └────────┴──────┴────────┴─────────┴──────────┴────────┴─────────┘
    Tenant asked by a complete listing, since it is cheaper: 2 pages; look-ups would take 2 requests or more
    Reasons: DIFFERS (1), NOBODY (1)
    Fields that change: name (1)
    To apply: 3 requests or more
    Warning: 1 user will have no password, and must set one before the first login.
    Plan: changed.csv.plan/plan.html
    Next:
      tenant-users plan show changed.csv.plan
      tenant-users apply changed.csv.plan
    $ tenant-users plan show changed.csv.plan --action update --columns row,reason,fields
    ┌─────┬─────────┬────────┐
    │ row │ reason  │ fields │
    ├─────┼─────────┼────────┤
    │ 1   │ DIFFERS │ name   │
    └─────┴─────────┴────────┘
    1 of 2 actions: update
    $ tenant-users plan changed.csv --allow-passwordless --to second.plan --json | cut -c1-11
    {"version":
    $ tenant-users plan diff second.plan changed.csv.plan --columns row,before
    ┌─────┬──────────────────────────────┐
    │ row │ before                       │
    ├─────┼──────────────────────────────┤
    │ 1   │ conflict, OTHER_PERSON, name │
    └─────┴──────────────────────────────┘
    Totals: conflict 1 → 0, update 0 → 1
    1 action changed
    $ openssl genpkey -algorithm ed25519 -out key.pem && openssl pkey -in key.pem -pubout -out key.pub
    $ tenant-users plan sign changed.csv.plan key.pem -q > signed.txt
    $ tenant-users plan verify second.plan key.pub
    tenant-users: second.plan: the plan is not signed
    Sign it with: tenant-users plan sign DIRECTORY KEY
    [3]
    $ tenant-users apply changed.csv.plan --require-signature key.pub --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    Plan of changed.csv, made 2026-01-02T03:04:05.678Z: create 1, update 1. What is written stays. Nobody gets a message.
    1 user will have no password, and must set one before the first login.
    ┌──────┬─────────┬─────────┬──────────┬──────────┬──────────┬────────┬─────────┬─────────┬─────────┐
    │ rows │ created │ updated │ disabled │ existing │ conflict │ failed │ invalid │ unknown │ pending │
    ├──────┼─────────┼─────────┼──────────┼──────────┼──────────┼────────┼─────────┼─────────┼─────────┤
    │ 2    │ 1       │ 1       │ 0        │ 0        │ 0        │ 0      │ 0       │ 0       │ 0       │
    └──────┴─────────┴─────────┴──────────┴──────────┴──────────┴────────┴─────────┴─────────┴─────────┘
    2 rows: 1 created, 1 updated
    Took 0.1 s
    User ids: changed.csv.plan/users.csv
    Report: changed.csv.plan/report.html
    $ tenant-users apply changed.csv.plan --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: changed.csv.plan: this plan was applied at 2026-01-02T03:04:05.678Z
    Make a new one, in another directory (--to): the tenant has changed since this plan was made.
    [3]
    $ tenant-users update --csv changed.csv --key user_name --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    changed.csv: utf-8, comma, 2 rows; columns used: user_name, name
    Plan of changed.csv, made 2026-01-02T03:04:05.678Z: leave 2 as they are. Nobody is changed.
    ┌──────┬─────────┬─────────┬──────────┬──────────┬──────────┬────────┬─────────┬─────────┬─────────┐
    │ rows │ created │ updated │ disabled │ existing │ conflict │ failed │ invalid │ unknown │ pending │
    ├──────┼─────────┼─────────┼──────────┼──────────┼──────────┼────────┼─────────┼─────────┼─────────┤
    │ 2    │ 0       │ 0       │ 0        │ 2        │ 0        │ 0      │ 0       │ 0       │ 0       │
    └──────┴─────────┴─────────┴──────────┴──────────┴──────────┴────────┴─────────┴─────────┴─────────┘
    2 rows: 2 existing
    Took 0.1 s
    User ids: changed.csv.update/users.csv
    Report: changed.csv.update/report.html
    $ tenant-users disable --csv changed.csv --key user_name --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    changed.csv: utf-8, comma, 2 rows; columns used: user_name, name
    Plan of changed.csv, made 2026-01-02T03:04:05.678Z: disable 2. What is written stays. Nobody gets a message.
    2 users will be disabled, which the API cannot take back: their names stay taken.
    ┌──────┬─────────┬─────────┬──────────┬──────────┬──────────┬────────┬─────────┬─────────┬─────────┐
    │ rows │ created │ updated │ disabled │ existing │ conflict │ failed │ invalid │ unknown │ pending │
    ├──────┼─────────┼─────────┼──────────┼──────────┼──────────┼────────┼─────────┼─────────┼─────────┤
    │ 2    │ 0       │ 0       │ 2        │ 0        │ 0        │ 0      │ 0       │ 0       │ 0       │
    └──────┴─────────┴─────────┴──────────┴──────────┴──────────┴────────┴─────────┴─────────┴─────────┘
    2 rows: 2 disabled
    Took 0.1 s
    User ids: changed.csv.disable/users.csv
    Report: changed.csv.disable/report.html
    "
  `);
});

terminalTest('the transcript on a terminal is right', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users import-hashes legacy.csv --yes -q > summary.txt
    $ tenant-users compare legacy.csv --job legacy.csv.import
    legacy.csv: utf-8, comma, 2 rows; columns used: user_name, name, algorithm, hash
    (as value), pwd_must_modify
    ┌──────┬───────┬──────┬─────────┬─────────┬───────┬───────────┬─────────┐
    │ rows │ users │ same │ differs │ missing │ extra │ ambiguous │ invalid │
    ├──────┼───────┼──────┼─────────┼─────────┼───────┼───────────┼─────────┤
    │ 2    │ 2     │ 2    │ 0       │ 0       │ 0     │ 0         │ 0       │
    └──────┴───────┴──────┴─────────┴─────────┴───────┴───────────┴─────────┘
    Report: legacy.csv.compare/report.html
    $ tenant-users compare changed.csv
    changed.csv: utf-8, comma, 2 rows; columns used: user_name, name
    ┌──────┬───────┬──────┬─────────┬─────────┬───────┬───────────┬─────────┐
    │ rows │ users │ same │ differs │ missing │ extra │ ambiguous │ invalid │
    ├──────┼───────┼──────┼─────────┼─────────┼───────┼───────────┼─────────┤
    │ 2    │ 2     │ 0    │ 1       │ 1       │ 1     │ 0         │ 0       │
    └──────┴───────┴──────┴─────────┴─────────┴───────┴───────────┴─────────┘
    Fields that differ: name (1)
    Lists: changed.csv.compare/differs.csv, changed.csv.compare/missing.csv,
    changed.csv.compare/extra.csv
    Report: changed.csv.compare/report.html
    [7]
    $ cat changed.csv.compare/differs.csv | cut -d, -f1,2,4
    row,line,fields
    1,2,name
    $ tenant-users plan changed.csv --allow-passwordless --key user_name --update name
    changed.csv: utf-8, comma, 2 rows; columns used: user_name, name
    ┌────────┬──────┬────────┬─────────┬──────────┬────────┬─────────┐
    │ create │ same │ update │ disable │ conflict │ cannot │ invalid │
    ├────────┼──────┼────────┼─────────┼──────────┼────────┼─────────┤
    │ 1      │ 0    │ 1      │ 0       │ 0        │ 0      │ 0       │
    └────────┴──────┴────────┴─────────┴──────────┴────────┴─────────┘
    Tenant asked by a complete listing, since it is cheaper: 2 pages; look-ups would
    take 2 requests or more
    Reasons: DIFFERS (1), NOBODY (1)
    Fields that change: name (1)
    To apply: 3 requests or more
    Warning: 1 user will have no password, and must set one before the first login.
    Plan: changed.csv.plan/plan.html
    Next:
      tenant-users plan show changed.csv.plan
      tenant-users apply changed.csv.plan
    $ tenant-users plan show changed.csv.plan --action update --columns row,reason,fields
    ┌─────┬─────────┬────────┐
    │ row │ reason  │ fields │
    ├─────┼─────────┼────────┤
    │ 1   │ DIFFERS │ name   │
    └─────┴─────────┴────────┘
    1 of 2 actions: update
    $ tenant-users plan changed.csv --allow-passwordless --to second.plan --json | cut -c1-11
    {"version":
    $ tenant-users plan diff second.plan changed.csv.plan --columns row,before
    ┌─────┬──────────────────────────────┐
    │ row │ before                       │
    ├─────┼──────────────────────────────┤
    │ 1   │ conflict, OTHER_PERSON, name │
    └─────┴──────────────────────────────┘
    Totals: conflict 1 → 0, update 0 → 1
    1 action changed
    $ openssl genpkey -algorithm ed25519 -out key.pem && openssl pkey -in key.pem -pubout -out key.pub
    $ tenant-users plan sign changed.csv.plan key.pem -q > signed.txt
    $ tenant-users plan verify second.plan key.pub
    tenant-users: second.plan: the plan is not signed
    Sign it with: tenant-users plan sign DIRECTORY KEY
    More: tenant-users explain PLAN_SIGNATURE
    [3]
    $ tenant-users apply changed.csv.plan --require-signature key.pub --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    Plan of changed.csv, made 2026-01-02T03:04:05.678Z: create 1, update 1. What is
    written stays. Nobody gets a message.
    1 user will have no password, and must set one before the first login.
    ┌──────┬─────────┬─────────┬──────────┬──────────┬──────────┬────────┬─────────┐
    │ rows │ created │ updated │ disabled │ existing │ conflict │ failed │ invalid │
    ├──────┼─────────┼─────────┼──────────┼──────────┼──────────┼────────┼─────────┤
    │ 2    │ 1       │ 1       │ 0        │ 0        │ 0        │ 0      │ 0       │
    └──────┴─────────┴─────────┴──────────┴──────────┴──────────┴────────┴─────────┘
    Columns hidden to fit: unknown, pending (use --columns or -o csv)
    2 rows: 1 created, 1 updated
    Took 0.1 s
    User ids: changed.csv.plan/users.csv
    Report: changed.csv.plan/report.html
    $ tenant-users apply changed.csv.plan --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: changed.csv.plan: this plan was applied at
    2026-01-02T03:04:05.678Z
    Make a new one, in another directory (--to): the tenant has changed since this
    plan was made.
    More: tenant-users explain PLAN_APPLIED
    [3]
    $ tenant-users update --csv changed.csv --key user_name --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    changed.csv: utf-8, comma, 2 rows; columns used: user_name, name
    Plan of changed.csv, made 2026-01-02T03:04:05.678Z: leave 2 as they are. Nobody
    is changed.
    ┌──────┬─────────┬─────────┬──────────┬──────────┬──────────┬────────┬─────────┐
    │ rows │ created │ updated │ disabled │ existing │ conflict │ failed │ invalid │
    ├──────┼─────────┼─────────┼──────────┼──────────┼──────────┼────────┼─────────┤
    │ 2    │ 0       │ 0       │ 0        │ 2        │ 0        │ 0      │ 0       │
    └──────┴─────────┴─────────┴──────────┴──────────┴──────────┴────────┴─────────┘
    Columns hidden to fit: unknown, pending (use --columns or -o csv)
    2 rows: 2 existing
    Took 0.1 s
    User ids: changed.csv.update/users.csv
    Report: changed.csv.update/report.html
    $ tenant-users disable --csv changed.csv --key user_name --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    changed.csv: utf-8, comma, 2 rows; columns used: user_name, name
    Plan of changed.csv, made 2026-01-02T03:04:05.678Z: disable 2. What is written
    stays. Nobody gets a message.
    2 users will be disabled, which the API cannot take back: their names stay
    taken.
    ┌──────┬─────────┬─────────┬──────────┬──────────┬──────────┬────────┬─────────┐
    │ rows │ created │ updated │ disabled │ existing │ conflict │ failed │ invalid │
    ├──────┼─────────┼─────────┼──────────┼──────────┼──────────┼────────┼─────────┤
    │ 2    │ 0       │ 0       │ 2        │ 0        │ 0        │ 0      │ 0       │
    └──────┴─────────┴─────────┴──────────┴──────────┴──────────┴────────┴─────────┘
    Columns hidden to fit: unknown, pending (use --columns or -o csv)
    2 rows: 2 disabled
    Took 0.1 s
    User ids: changed.csv.disable/users.csv
    Report: changed.csv.disable/report.html
    "
  `);
});
