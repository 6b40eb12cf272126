import { expect, test } from 'vitest';
import { rowResults } from '../../../src/migration/model/outcome.ts';
import { renderReport } from '../../../src/migration/report/render-report.ts';
import type { ReportData } from '../../../src/migration/report/report-data.ts';
import { course, dataWith, hostileData, mixed, summaryWith, verifiedWith } from './report-data.ts';

/** The text of a page with blanks collapsed. */
function wordsOf(data: ReportData): string {
  const [, body = ''] = renderReport(data).split('</head>');
  const text = body
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&gt;/g, '>');
  return text.replace(/&lt;/g, '<').replace(/&amp;/g, '&').replace(/\s+/g, ' ');
}

test('each result has a colour of its own and a pattern of its own', () => {
  const page = renderReport(dataWith({ summary: mixed }));
  const colourOf = (name: string) =>
    new RegExp(`\\.fill-${name} \\{ fill: (var\\(--[a-z]+\\))`).exec(page)?.[1];
  const colours = rowResults.map(colourOf);
  expect(colours).not.toContain(undefined);
  expect(new Set(colours).size).toBe(rowResults.length);
  const patterns = rowResults.map(
    (name) => new RegExp(`<pattern id="fill-${name}"[^>]*><rect[^>]*/>(.*?)</pattern>`).exec(page)?.[1],
  );
  expect(new Set(patterns).size).toBe(rowResults.length);
});

const dry = { dry_run: true, created: 0 };
const allDry = summaryWith({ ...dry, pending: 1000, by_algorithm: {} });

test.each<[string, Partial<ReportData>, string]>([
  ['all created', {}, 'All 1,000 users were imported. 1,000 users were created.'],
  [
    'some there before',
    { summary: summaryWith({ created: 1, existing: 999 }) },
    'All 1,000 users were imported or already there. 1 user was created and 999 users were already in the tenant.',
  ],
  [
    'a mixture',
    { summary: mixed },
    '988 of 1,000 users were imported or already there; 7 rejected; 2 unknown; 3 not sent yet.',
  ],
  [
    'stopped before the first row',
    { summary: summaryWith({ created: 0, pending: 1000 }), isStopped: true },
    '0 of 1,000 users were imported; 1,000 not sent yet. No user was created. The import is not complete',
  ],
  [
    'one row',
    { summary: summaryWith({ rows: 1, created: 1 }) },
    'The one user was imported. 1 user was created.',
  ],
  [
    'no rows',
    { summary: summaryWith({ rows: 0, created: 0 }) },
    'The file has no data rows. No user was created.',
  ],
  [
    'a dry run',
    { summary: allDry },
    'Dry run: nothing was sent All 1,000 rows passed the checks. No user was created',
  ],
  [
    'a dry run with issues',
    { summary: summaryWith({ ...dry, invalid: 12, pending: 988 }) },
    'Dry run: nothing was sent 988 of 1,000 rows passed the checks; 12 would be rejected.',
  ],
  [
    'a dry run that was stopped',
    { summary: summaryWith({ ...dry, invalid: 1, pending: 999 }), isStopped: true },
    'Dry run: nothing was sent The check was stopped; 1 row had issues by then.',
  ],
  [
    'a rehearsal',
    { summary: summaryWith({ rehearsal: true }) },
    'Rehearsal: no tenant was written to In the rehearsal, all 1,000 users were imported. The rehearsal ran on a temporary service',
  ],
])('the first sentence of the report of %s says how the import ended', (_, data, words) => {
  expect(wordsOf(dataWith(data))).toContain(words);
});

test('the counts are shown with their sum', () => {
  const words = wordsOf(dataWith({ summary: mixed }));
  expect(words).toContain(
    '1,000 rows = 970 created + 18 existing + 1 conflict + 4 failed + 2 invalid + 2 unknown + 3 pending',
  );
  expect(words).toContain('rows 1,000 100 % The sum of the results above');
});

test('a share is never rounded up to all or down to nothing', () => {
  const words = wordsOf(dataWith({ summary: summaryWith({ rows: 1e6, created: 999_999, failed: 1 }) }));
  expect(words).toContain('created 999,999 > 99.9 %');
  expect(words).toContain('failed 1 < 0.1 %');
});

test('codes are listed with cause and remedy, most frequent first; codes of other services have no explanation', () => {
  const codes = { HASH_SHAPE: 2, 'SVC.TENANT.USER.0034': 4, toString: 1 };
  const words = wordsOf(dataWith({ summary: { ...mixed, codes } }));
  expect(words).toMatch(/SVC\.TENANT\.USER\.0034 4 0\.4 % .*HASH_SHAPE 2 .*Compare the cell.*toString 1 /);
  expect(words).toContain('which the API documentation does not list');
  expect(words).toContain('The 2 rows without an answer may be users all the same');
  expect(wordsOf(dataWith())).toContain('No row was rejected.');
});

test('of very many codes the first hundred are listed, and the others are counted', () => {
  const codes = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`CODE_${index}`, index + 1]));
  const words = wordsOf(dataWith({ summary: { ...mixed, codes } }));
  expect(words).toContain('CODE_129 130');
  expect(words).not.toContain('CODE_0 ');
  expect(words).toContain('30 more codes with 465 rows: see failures.csv.');
});

test('an algorithm is verified by known passwords, for some of its HMAC keys, or not at all', () => {
  expect(wordsOf(dataWith())).toContain('md5 Not verified : no known password was tried 1,000 0');
  expect(wordsOf(dataWith())).toContain('Not verified: md5. No known password was tried');
  const md5 = { created: 1000, failed: 0, canaries: 3 };
  const verified = wordsOf(dataWith({ summary: verifiedWith({ by_algorithm: { md5 } }) }));
  expect(verified).toContain('Verified : 3 known passwords tried, all matched');
  expect(verified).not.toContain('Not verified');
  const hmac = { created: 1000, failed: 0, canaries: 1, other_keys: 300 };
  const inPart = wordsOf(
    dataWith({ summary: verifiedWith({ by_algorithm: { hmacsha256_base64_key: hmac } }) }),
  );
  expect(inPart).toContain('Verified in part : 300 rows with HMAC keys');
  expect(inPart).toContain('Not verified: 300 rows have another HMAC key than the verified ones.');
});

test('the throughput of the run is drawn if it is known', () => {
  const drawn = renderReport(dataWith({ samples: course() }));
  expect(drawn.match(/<svg class="plot"/g)).toHaveLength(2);
  expect(drawn).toContain('calls a second');
  expect(drawn).toContain('in seconds');
  for (const name of ['answered', 'allowed', 'throttled (429)', 'failed']) {
    expect(drawn).toContain(`</svg> ${name}</li>`);
  }
  expect(drawn).not.toMatch(/NaN|Infinity|undefined|null/);
  for (const samples of [undefined, [], course(1)]) {
    const words = wordsOf(dataWith(samples ? { samples } : {}));
    expect(words).toContain('was not recorded, or the run was too short to draw it');
  }
  const idle = course(5).map((stretch) => ({ ...stretch, answered: 0, throttled: 0, failed: 0, rate: null }));
  expect(renderReport(dataWith({ samples: idle }))).not.toMatch(/NaN|Infinity/);
});

test('the report says how long a run waited for its window', () => {
  const summary = summaryWith({ created: 1000, seconds: 7200, waited_seconds: 3600, rows_per_second: 3 });
  expect(wordsOf(dataWith({ summary }))).toMatch(
    /This run took [^,]+, of which it waited [^,]+ for its window, at 3 rows a second on average/,
  );
});

test('every run of the job is listed, and the duration of an interrupted one is unknown', () => {
  const started_at = Date.UTC(2026, 4, 17, 9, 30, 0);
  const runs = [
    { started_at, seconds: null, note: '' },
    { started_at: started_at + 60_000, seconds: 3725, note: 'only failed' },
  ];
  const words = wordsOf(dataWith({ runs }));
  expect(words).toContain(
    '1 2026-05-17 09:30:00 UTC interrupted first run 2 2026-05-17 09:31:00 UTC 1 h 02 min only failed',
  );
  expect(wordsOf(hostileData())).toContain('The 10 runs before these are in the journal.');
});

test('the report ends with its origin, without a password in an address', () => {
  const target = { base_url: 'https://admin:hunter2@tenant.example.com/' };
  const words = wordsOf(dataWith({ target }));
  expect(words).toContain('Source exports/legacy.csv SHA-256 of the source ab12cd34ab12cd34… (shortened)');
  expect(words).toContain('Base URL https://[hidden]@tenant.example.com/');
  expect(words).toContain('2026-05-17 09:30:00 UTC to 2026-05-17 09:30:12 UTC (12.5 s)');
  expect(words).toContain('Made by tenant-users 1.2.3');
  expect(words).not.toContain('hunter2');
});

test('the same data give the same bytes', () => {
  for (const make of [() => dataWith({ summary: mixed, samples: course() }), hostileData]) {
    expect(renderReport(make())).toBe(renderReport(make()));
  }
});
