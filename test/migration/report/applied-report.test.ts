import { expect, test } from 'vitest';
import type { Summary } from '../../../src/migration/model/summary.ts';
import { renderReport } from '../../../src/migration/report/render-report.ts';
import { dataWith, summaryWith, verifiedWith } from './report-data.ts';

const plan = { plan: 'digest', created: 990, updated: 5, disabled: 5 };

function commandsOf(summary: Summary): string[] {
  const command = {
    words: ['apply', 'legacy.csv.plan'],
    rehearsal: [],
    connection: [],
    consent: [],
  };
  const page = renderReport(dataWith({ summary, command }));
  return [...page.matchAll(/<pre tabindex="0"><code>([^<]*)<\/code><\/pre>/g)].map(([, found = '']) => found);
}

test('after a plan that created users, known passwords are tried in a rehearsal of its file', () => {
  expect(commandsOf(summaryWith(plan))).toEqual([
    'tenant-users import-hashes exports/legacy.csv --rehearse --canary known.csv',
  ]);
});

test('actions that did not reach the service are left, as the advice says', () => {
  const summary = verifiedWith({ ...plan, created: 989, failed: 1, codes: { NOT_REACHED: 1 } });
  expect(renderReport(dataWith({ summary }))).toContain(
    'The plan was applied in part: 989 created, 5 updated, 5 disabled; 1 of 1,000 actions are left.',
  );
  expect(commandsOf(summary)).toEqual(['tenant-users apply legacy.csv.plan', 'tenant-users explain CODE']);
});
