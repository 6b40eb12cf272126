import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.records);

test('in a pipe', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users runs
    ┌──────┬──────┬───────┬──────┬──────┬────────┬───────────┐
    │ time │ kind │ state │ rows │ done │ target │ directory │
    └──────┴──────┴───────┴──────┴──────┴────────┴───────────┘
    There is no import and no plan yet
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
    Next: Fix the 1 row in failures.csv (or relax the tenant's rules), then rerun with --only failed.
      tenant-users import-hashes legacy.csv -q --canary known.csv --only failed
    [7]
    $ tenant-users import-hashes status legacy.csv
    tenant-users: legacy.csv: it contains no journal of an import
    Name the job directory of an import, or a plan directory whose plan was applied.
    [3]
    $ tenant-users runs --columns time,kind,state,rows,done
    ┌─────────────────────┬────────┬──────────┬──────┬──────┐
    │ time                │ kind   │ state    │ rows │ done │
    ├─────────────────────┼────────┼──────────┼──────┼──────┤
    │ 2026-01-02 03:04:05 │ import │ finished │ 3    │ 2    │
    └─────────────────────┴────────┴──────────┴──────┴──────┘
    "
  `);
});

terminalTest('on a terminal', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users runs
    ┌──────┬──────┬───────┬──────┬──────┬────────┬───────────┐
    │ time │ kind │ state │ rows │ done │ target │ directory │
    └──────┴──────┴───────┴──────┴──────┴────────┴───────────┘
    There is no import and no plan yet
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
    Next: Fix the 1 row in failures.csv (or relax the tenant's rules), then rerun
    with --only failed.
      tenant-users import-hashes legacy.csv -q --canary known.csv --only failed
    [7]
    $ tenant-users import-hashes status legacy.csv
    tenant-users: legacy.csv: it contains no journal of an import
    Name the job directory of an import, or a plan directory whose plan was applied.
    [3]
    $ tenant-users runs --columns time,kind,state,rows,done
    ┌─────────────────────┬────────┬──────────┬──────┬──────┐
    │ time                │ kind   │ state    │ rows │ done │
    ├─────────────────────┼────────┼──────────┼──────┼──────┤
    │ 2026-01-02 03:04:05 │ import │ finished │ 3    │ 2    │
    └─────────────────────┴────────┴──────────┴──────┴──────┘
    "
  `);
});
