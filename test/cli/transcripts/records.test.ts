import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.records);

test('the transcript in a pipe is right', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users runs
    ┌──────┬──────┬───────┬──────┬──────┬────────┬───────────┐
    │ time │ kind │ state │ rows │ done │ target │ directory │
    └──────┴──────┴───────┴──────┴──────┴────────┴───────────┘
    There are no imports, plans or comparisons yet
    $ tenant-users import-hashes legacy.csv --yes -q --canary known.csv > summary.txt
    [7]
    $ tenant-users import-hashes status legacy.csv.import
    ┌─────────┬──────────┐
    │ state   │ finished │
    │ rows    │ 3        │
    │ created │ 2        │
    │ invalid │ 1        │
    └─────────┴──────────┘
    legacy.csv into http://127.0.0.1:12345, client id test-application (import)
    1 run; the last began 2026-01-02T03:04:05.678Z, took 0.1 s
    Known passwords that matched: md5 1 of 1
    Next: Correct 1 row of the file (failures.csv lists what is wrong); then rerun with --only failed.
      tenant-users import-hashes legacy.csv -q --canary known.csv --only failed
    [7]
    $ tenant-users import-hashes status legacy.csv
    tenant-users: legacy.csv: this is not the directory of a job
    Name its job: legacy.csv.import
    [3]
    $ tenant-users runs --columns time,kind,state,rows,directory
    ┌─────────────────────┬────────┬──────────┬──────┬───────────────────┐
    │ time                │ kind   │ state    │ rows │ directory         │
    ├─────────────────────┼────────┼──────────┼──────┼───────────────────┤
    │ 2026-01-02 03:04:05 │ import │ finished │ 3    │ legacy.csv.import │
    └─────────────────────┴────────┴──────────┴──────┴───────────────────┘
    $ tenant-users update --by-user-name ann --name Ann -q > id.txt
    $ tenant-users disable 20260102030405678-ABCD-EFGHIJKLM --yes -q
    tenant-users: 20260102030405678-ABCD-EFGHIJKLM: User not found
    [5]
    $ tenant-users log --columns time,command,outcome,changed
    ┌─────────────────────┬───────────────┬──────────┬─────────┐
    │ time                │ command       │ outcome  │ changed │
    ├─────────────────────┼───────────────┼──────────┼─────────┤
    │ 2026-01-02 03:04:05 │ update        │ updated  │ 1       │
    │ 2026-01-02 03:04:05 │ import-hashes │ finished │ 2       │
    └─────────────────────┴───────────────┴──────────┴─────────┘
    $ tenant-users log --command apply
    ┌──────┬─────────┬─────────┬─────────┬─────────┬───────────┬─────────┬────────┐
    │ time │ command │ outcome │ user_id │ changed │ directory │ profile │ target │
    └──────┴─────────┴─────────┴─────────┴─────────┴───────────┴─────────┴────────┘
    No changes match
    $ tenant-users evidence legacy.csv.import --to acme.evidence --columns file,rows,signed
    ┌────────┬───────────────┐
    │ file   │ acme.evidence │
    │ rows   │ 3             │
    │ signed │ false         │
    └────────┴───────────────┘
    Keep acme.evidence.key in another place, or delete it: it can link a fingerprint to a person
    Next:
      tenant-users evidence verify acme.evidence
    $ tenant-users evidence verify acme.evidence --find user_name=bob --columns job.file,job.rows,valid
    ┌──────────┬────────────┐
    │ job.file │ legacy.csv │
    │ job.rows │ 3          │
    │ valid    │ true       │
    └──────────┴────────────┘
    The evidence is complete and unchanged: 3 rows of the job of legacy.csv
    Target: http://127.0.0.1:12345, client id test-application
    user_name=bob: row 2, created
    $ sed 's/"row":2/"row":3/' acme.evidence > changed.evidence
    $ tenant-users evidence verify changed.evidence
    tenant-users: changed.evidence, line 3: row 3: it was changed, or the line before it was changed or removed
    Do not rely on this file: ask for the original.
    [3]
    $ tenant-users job retarget legacy.csv.import
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌───────┬───────────────────┐
    │ job   │ legacy.csv.import │
    │ users │ 2                 │
    └───────┴───────────────────┘
    The job has this base URL and client id already. If its tenant has new ones, name their profile with --profile.
    $ tenant-users job purge legacy.csv.import < /dev/null
    tenant-users: confirmation is required, but there is no terminal to prompt on: Delete the personal data of legacy.csv.import? It cannot be resumed, compared, undone or named with plan --since after.
    Run:
      tenant-users job purge legacy.csv.import --yes
    [2]
    $ tenant-users job purge legacy.csv.import --yes --columns rows,deleted
    ┌─────────┬────────────────────────────────────────────┐
    │ rows    │ 3                                          │
    │ deleted │ ["failures.csv","report.html","users.csv"] │
    └─────────┴────────────────────────────────────────────┘
    Not deleted: legacy.csv, beside the directory. Delete yourself what names people
    Next:
      tenant-users evidence verify legacy.csv.import/evidence.jsonl
    $ tenant-users import-hashes status legacy.csv.import
    ┌─────────┬────────┐
    │ state   │ purged │
    │ rows    │ 3      │
    │ created │ 2      │
    │ invalid │ 1      │
    └─────────┴────────┘
    legacy.csv into http://127.0.0.1:12345, client id test-application (import)
    1 run; the last began 2026-01-02T03:04:05.678Z, took 0.1 s
    Personal data deleted: 2026-01-02T03:04:05.678Z; evidence: legacy.csv.import/evidence.jsonl
    Known passwords that matched: md5 1 of 1
    [7]
    $ tenant-users import-hashes legacy.csv --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    legacy.csv: utf-8, comma, 3 rows; columns used: user_name, algorithm, hash (as value), pwd_must_modify
    Verified with known passwords: md5 (1).
    tenant-users: legacy.csv.import: its personal data was deleted at 2026-01-02T03:04:05.678Z, and with it what is needed for this
    What it did is in its evidence.jsonl. An import of the file into another directory (--job), or a plan without --since, finds users by their user name, e-mail or mobile number.
    [3]
    "
  `);
});

terminalTest('the transcript on a terminal is right', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users runs
    ┌──────┬──────┬───────┬──────┬──────┬────────┬───────────┐
    │ time │ kind │ state │ rows │ done │ target │ directory │
    └──────┴──────┴───────┴──────┴──────┴────────┴───────────┘
    There are no imports, plans or comparisons yet
    $ tenant-users import-hashes legacy.csv --yes -q --canary known.csv > summary.txt
    [7]
    $ tenant-users import-hashes status legacy.csv.import
    ┌─────────┬──────────┐
    │ state   │ finished │
    │ rows    │ 3        │
    │ created │ 2        │
    │ invalid │ 1        │
    └─────────┴──────────┘
    legacy.csv into http://127.0.0.1:12345, client id test-application (import)
    1 run; the last began 2026-01-02T03:04:05.678Z, took 0.1 s
    Known passwords that matched: md5 1 of 1
    Next: Correct 1 row of the file (failures.csv lists what is wrong); then rerun
    with --only failed.
      tenant-users import-hashes legacy.csv -q --canary known.csv --only failed
    [7]
    $ tenant-users import-hashes status legacy.csv
    tenant-users: legacy.csv: this is not the directory of a job
    Name its job: legacy.csv.import
    [3]
    $ tenant-users runs --columns time,kind,state,rows,directory
    ┌─────────────────────┬────────┬──────────┬──────┬───────────────────┐
    │ time                │ kind   │ state    │ rows │ directory         │
    ├─────────────────────┼────────┼──────────┼──────┼───────────────────┤
    │ 2026-01-02 03:04:05 │ import │ finished │ 3    │ legacy.csv.import │
    └─────────────────────┴────────┴──────────┴──────┴───────────────────┘
    $ tenant-users update --by-user-name ann --name Ann -q > id.txt
    $ tenant-users disable 20260102030405678-ABCD-EFGHIJKLM --yes -q
    tenant-users: 20260102030405678-ABCD-EFGHIJKLM: User not found
    [5]
    $ tenant-users log --columns time,command,outcome,changed
    ┌─────────────────────┬───────────────┬──────────┬─────────┐
    │ time                │ command       │ outcome  │ changed │
    ├─────────────────────┼───────────────┼──────────┼─────────┤
    │ 2026-01-02 03:04:05 │ update        │ updated  │ 1       │
    │ 2026-01-02 03:04:05 │ import-hashes │ finished │ 2       │
    └─────────────────────┴───────────────┴──────────┴─────────┘
    $ tenant-users log --command apply
    ┌──────┬─────────┬─────────┬─────────┬─────────┬───────────┬─────────┬────────┐
    │ time │ command │ outcome │ user_id │ changed │ directory │ profile │ target │
    └──────┴─────────┴─────────┴─────────┴─────────┴───────────┴─────────┴────────┘
    No changes match
    $ tenant-users evidence legacy.csv.import --to acme.evidence --columns file,rows,signed
    ┌────────┬───────────────┐
    │ file   │ acme.evidence │
    │ rows   │ 3             │
    │ signed │ false         │
    └────────┴───────────────┘
    Keep acme.evidence.key in another place, or delete it: it can link a fingerprint
    to a person
    Next:
      tenant-users evidence verify acme.evidence
    $ tenant-users evidence verify acme.evidence --find user_name=bob --columns job.file,job.rows,valid
    ┌──────────┬────────────┐
    │ job.file │ legacy.csv │
    │ job.rows │ 3          │
    │ valid    │ true       │
    └──────────┴────────────┘
    The evidence is complete and unchanged: 3 rows of the job of legacy.csv
    Target: http://127.0.0.1:12345, client id test-application
    user_name=bob: row 2, created
    $ sed 's/"row":2/"row":3/' acme.evidence > changed.evidence
    $ tenant-users evidence verify changed.evidence
    tenant-users: changed.evidence, line 3: row 3: it was changed, or the line
    before it was changed or removed
    Do not rely on this file: ask for the original.
    More: tenant-users explain EVIDENCE_CHANGED
    [3]
    $ tenant-users job retarget legacy.csv.import
    Target: http://127.0.0.1:12345 (client id test-application)
    ┌───────┬───────────────────┐
    │ job   │ legacy.csv.import │
    │ users │ 2                 │
    └───────┴───────────────────┘
    The job has this base URL and client id already. If its tenant has new ones,
    name their profile with --profile.
    $ tenant-users job purge legacy.csv.import < /dev/null
    tenant-users: confirmation is required, but there is no terminal to prompt on:
    Delete the personal data of legacy.csv.import? It cannot be resumed, compared,
    undone or named with plan --since after.
    Run:
      tenant-users job purge legacy.csv.import --yes
    [2]
    $ tenant-users job purge legacy.csv.import --yes --columns rows,deleted
    ┌─────────┬────────────────────────────────────────────┐
    │ rows    │ 3                                          │
    │ deleted │ ["failures.csv","report.html","users.csv"] │
    └─────────┴────────────────────────────────────────────┘
    Not deleted: legacy.csv, beside the directory. Delete yourself what names people
    Next:
      tenant-users evidence verify legacy.csv.import/evidence.jsonl
    $ tenant-users import-hashes status legacy.csv.import
    ┌─────────┬────────┐
    │ state   │ purged │
    │ rows    │ 3      │
    │ created │ 2      │
    │ invalid │ 1      │
    └─────────┴────────┘
    legacy.csv into http://127.0.0.1:12345, client id test-application (import)
    1 run; the last began 2026-01-02T03:04:05.678Z, took 0.1 s
    Personal data deleted: 2026-01-02T03:04:05.678Z; evidence:
    legacy.csv.import/evidence.jsonl
    Known passwords that matched: md5 1 of 1
    [7]
    $ tenant-users import-hashes legacy.csv --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    legacy.csv: utf-8, comma, 3 rows; columns used: user_name, algorithm, hash (as
    value), pwd_must_modify
    Verified with known passwords: md5 (1).
    tenant-users: legacy.csv.import: its personal data was deleted at
    2026-01-02T03:04:05.678Z, and with it what is needed for this
    What it did is in its evidence.jsonl. An import of the file into another
    directory (--job), or a plan without --since, finds users by their user name,
    e-mail or mobile number.
    [3]
    "
  `);
});
