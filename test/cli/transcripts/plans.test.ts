import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.plans);

test('in a pipe', patience, async () => {
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
    "
  `);
});

terminalTest('on a terminal', patience, async () => {
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
    "
  `);
});
