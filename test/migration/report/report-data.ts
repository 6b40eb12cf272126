import type { Assessment } from '../../../src/migration/assess/assessment.ts';
import type { Summary } from '../../../src/migration/model/summary.ts';
import type { RateSample } from '../../../src/migration/rate-limit/history.ts';
import type { ReportData } from '../../../src/migration/report/report-data.ts';

/** A summary of 1,000 rows, all created with md5, with the changes that are given. */
export function summaryWith(more: Partial<Summary> = {}): Summary {
  return {
    job: 'cutover.import',
    target: {},
    rows: 1000,
    created: 1000,
    found_by_look_up: 0,
    existing: 0,
    hashes_not_sent: 0,
    conflict: 0,
    failed: 0,
    invalid: 0,
    skipped: 0,
    unknown: 0,
    pending: 0,
    resumed: false,
    dry_run: false,
    rehearsal: false,
    must_change_password: 0,
    must_change_by_default: 0,
    without_password: 0,
    to_disable: 0,
    same_hash: 0,
    without_login_name: 0,
    ignored_columns: [],
    seconds: 12.5,
    rows_per_second: 80,
    issues: {},
    unknown_algorithms: {},
    codes: {},
    not_verified: ['md5'],
    by_algorithm: { md5: { created: 1000, failed: 0, canaries: 0 } },
    ...more,
  };
}

/** Such a summary, of hashes that a known password verified. */
export function verifiedWith(more: Partial<Summary> = {}): Summary {
  const md5 = { created: 1000, failed: 0, canaries: 1 };
  return summaryWith({ not_verified: [], by_algorithm: { md5 }, ...more });
}

/** A summary of 1,000 rows with every outcome. */
export const mixed = summaryWith({
  created: 970,
  existing: 18,
  conflict: 1,
  failed: 4,
  invalid: 2,
  unknown: 2,
  pending: 3,
  codes: { CONFLICT: 1, HASH_SHAPE: 2, 'SVC.TENANT.USER.0034': 4 },
  by_algorithm: {
    md5: { created: 900, failed: 3, canaries: 0 },
    bcrypt: { created: 70, failed: 4, canaries: 0 },
  },
});

const words = ['import-hashes', 'exports/legacy.csv', '--job', 'cutover.import'];

/** Data of a report of an import without failures, with the changes that are given. */
export function dataWith({ summary = summaryWith(), ...more }: Partial<ReportData> = {}): ReportData {
  const startedAt = Date.UTC(2026, 4, 17, 9, 30, 0);
  return {
    summary,
    file: 'exports/legacy.csv',
    digest: 'ab12cd34'.repeat(8),
    target: { base_url: 'https://tenant.example.com', client_id: 'client-1' },
    version: '1.2.3',
    startedAt,
    endedAt: startedAt + 12_500,
    runs: [{ started_at: startedAt, seconds: 12.5, note: '' }],
    command: {
      words: [...words, ...(summary.shard ? ['--shard', summary.shard] : [])],
      ...{ rehearsal: [], connection: [], consent: [] },
    },
    ...more,
  };
}

/** The history of a run in half-second samples, with everything that can be drawn. */
export function course(length = 120): RateSample[] {
  return Array.from({ length }, (_, index) => ({
    at: index / 2,
    seconds: 0.5,
    answered: 300 + (index % 7) * 20,
    throttled: index % 30 === 0 ? 25 : 0,
    failed: index === 70 ? 5 : 0,
    concurrency: 8 + Math.min(index, 56),
    rate: index < 20 ? null : 900,
  }));
}

/**
 * Text that could do harm: markup, quotes, an entity, control and direction characters, a shell command, and no blank
 * to break the line at.
 */
export const hostile = `<script>alert(1)</script>"'&amp;\u202Egnp\u0007\n\u2066\`$(id)\`<img src=https://evil.example/x>${'x'.repeat(400)}`;

/** A report in which every text is hostile and every number large. */
export function hostileData(): ReportData {
  return dataWith({
    file: hostile,
    target: { base_url: hostile, [hostile]: hostile },
    version: hostile,
    runs: Array.from({ length: 60 }, (_, index) => ({
      started_at: index * 1e9,
      seconds: 1e6,
      note: hostile,
    })),
    samples: course(300).map((stretch) => ({ ...stretch, answered: stretch.answered * 1e5 })),
    summary: summaryWith({
      job: hostile,
      rows: 9_999_999_999,
      created: 9_999_999_000,
      failed: 999,
      shard: '1/2',
      codes: Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`${index}${hostile}`, 1])),
    }),
  });
}

/** An assessment with hostile texts, which fills every section of its page. */
export const assessment: Assessment = {
  file: hostile,
  reading: ['utf-8', 'semicolon'],
  recipe: hostile,
  rows: 9_999_999,
  ready: 9_000_000,
  rejected: 999_999,
  skipped: 0,
  to_disable: 0,
  passwords: [
    {
      use: 'as-is',
      format: 'bcrypt $2y$, cost 4',
      users: 9_000_000,
      remedy: 'Import it as it is, with a canary.',
    },
    { use: 'no', format: hostile, users: 999_999, remedy: hostile },
  ],
  issues: { HASH_FOREIGN: 999_999, [hostile]: 1 },
  unknown_values: [{ column: hostile, value: hostile, rows: 1 }],
  columns: [
    { name: hostile, field: 'user_name', filled: 9_999_999 },
    { name: 'status', field: null, filled: null },
  ],
  missing_columns: [hostile],
  status_columns: ['status', hostile],
  notices: [hostile],
};
