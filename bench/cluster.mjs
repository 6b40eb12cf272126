import { haproxy } from '../test/cluster/haproxy.mjs';
import { canHaveStandby } from '../test/cluster/postgres-pair.mjs';
import { surviveFaults } from '../test/cluster/survive-faults.mjs';
import { makeSource, refusedRows } from './import-runs.mjs';
import { figure } from './rows.mjs';

/** @import { Options } from './options.mjs' */

/**
 * Three nodes behind HAProxy, on a PostgreSQL with a synchronous standby, while users are imported, created, looked up and
 * logged in: a node is killed, the nodes are restarted in turn, PostgreSQL fails over.
 * @param {Options} options
 */
export async function* measure(options) {
  const { rows = 20_000, directory, say } = options;
  if (haproxy === undefined || !canHaveStandby()) {
    say('cluster: skipped, since haproxy, initdb, postgres and pg_basebackup were not all found');
    return;
  }
  const { file } = await makeSource(options, rows);
  const found = await surviveFaults({ file, rows: rows - refusedRows, directory, say });
  for (const [name, { answers, starts, seconds }] of Object.entries(found.survived)) {
    const refused = Object.entries(answers).filter(([answer]) => !answer.endsWith(': 200'));
    say(
      `${name}: ${refused.map(([answer, times]) => `${times} × ${answer}`).join(', ') || 'all answered 200'}`,
    );
    const sum = (/** @type {[string, number][]} */ counted) =>
      counted.reduce((all, [, times]) => all + times, 0);
    yield figure(`${name}: requests`, 'calls', [sum(Object.entries(answers))]);
    yield figure(`${name}: not answered with 200`, 'calls', [sum(refused)]);
    yield figure(`${name}: until all is well`, 's', [seconds]);
    yield figure(`${name}: starts of the import beside it`, 'starts', [starts]);
  }
  const none = { atMost: 0 };
  yield figure('users acknowledged to the traffic', 'users', [found.acknowledged]);
  yield figure('users in the lists of the imports', 'users', [found.imported]);
  yield figure('rows of the file without a user', 'rows', [found.missing], none);
  yield figure('acknowledged, and lost', 'users', [found.lost.length], none);
  yield figure('there twice', 'users', [found.twice.length], none);
  yield figure('gaps in the numbers', 'numbers', [found.gaps], none);
}
