import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderAssessment } from '../../../src/migration/assess/render-assessment.ts';
import { html, plainText } from '../../../src/migration/report/html.ts';
import { renderReport } from '../../../src/migration/report/render-report.ts';
import type { ReportData } from '../../../src/migration/report/report-data.ts';
import { ticksOf } from '../../../src/migration/report/throughput.ts';
import { anyCharacter } from '../../text/any-character.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';
import { assessment, course, dataWith, hostile, hostileData, mixed, summaryWith } from './report-data.ts';

const reports: [string, ReportData][] = [
  ['all created', dataWith()],
  ['a mixture with a course', dataWith({ summary: mixed, samples: course() })],
  ['a dry run', dataWith({ summary: summaryWith({ dry_run: true, created: 0, pending: 1000 }) })],
  ['no rows', dataWith({ summary: summaryWith({ rows: 0, created: 0, by_algorithm: {} }) })],
  ['merged shards', dataWith({ shards: 3 })],
  ['hostile data', hostileData()],
];

/** Every kind of page. */
const pages: [string, () => string][] = [
  ...reports.map(([name, data]): [string, () => string] => [name, () => renderReport(data)]),
  ['an assessment', () => renderAssessment(assessment, { version: '1.0.0', now: 0 })],
];

const token = /<!doctype html>|<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*="[^"<>]*")*)(\/?)>|[^<>]+/gy;

/** Parses a page, and throws if it is not well-formed: a single sign, a tag that is not closed, an unknown entity. */
function tagsOf(page: string): { name: string; attributes: string }[] {
  const open: string[] = [];
  const tags: { name: string; attributes: string }[] = [];
  token.lastIndex = 0;
  // The content of a style element is text without tags.
  const text = page.replace(/<style>[^<]*<\/style>/, '<style></style>');
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const found = token.exec(text);
    if (!found) throw new Error(`stray: ${text.slice(at, at + 80)}`);
    const [whole, end, name, attributes = '', empty] = found;
    if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(whole))
      throw new Error(`a bare ampersand: ${whole.slice(0, 80)}`);
    if (name === undefined) continue;
    if (end && open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    if (end) continue;
    tags.push({ name, attributes });
    if (!empty && name !== 'meta') open.push(name);
  }
  if (open.length > 0) throw new Error(`not closed: ${open}`);
  return tags;
}

test.each(pages)(
  'the page of %s is well-formed, has its headings in order, and refers only to ids that exist',
  (_, render) => {
    const page = render();
    const tags = tagsOf(page);
    const levels = tags.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries())
      expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1);
    const ids = tags.flatMap(({ attributes }) =>
      [...attributes.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const named = [...page.matchAll(/aria-labelledby="([^"]*)"/g)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    const captions = tags.filter(({ name }) => name === 'caption');
    expect(captions).toHaveLength(tags.filter(({ name }) => name === 'table').length);
  },
);

test.each(pages)('the page of %s loads nothing, runs no script, and forbids both', (_, render) => {
  const page = render();
  expect(page).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
  );
  const tags = tagsOf(page);
  const outer = [
    'script',
    'link',
    'img',
    'iframe',
    'object',
    'a',
    'base',
    'form',
    'image',
    'use',
    'foreignobject',
  ];
  expect(tags.filter(({ name }) => outer.includes(name))).toEqual([]);
  expect(
    tags.filter(({ attributes }) => / (?:src|href|on[a-z]+|style|data|action)=/.test(attributes)),
  ).toEqual([]);
  const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '';
  expect(style).not.toMatch(/@import|url\(|expression/);
  expect(page.replace(/url\(#fill-[a-z]+\)/g, '')).not.toContain('url(');
});

test('hostile text is escaped, and invisible characters are shown', () => {
  const page = renderReport(hostileData());
  expect(page).not.toMatch(/<script|<img/);
  expect(page).toContain(
    '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;\uFFFDgnp\uFFFD\uFFFD\uFFFD',
  );
  expect(page.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(plainText(html`<b title="${text}">${[text, undefined]}</b>`)).toMatch(
        /^<b title="[^"<>\p{Cc}\p{Cf}]*">[^<>\p{Cc}\p{Cf}]*<\/b>$/u,
      );
    }),
  );
  // The types forbid this value; the test shows that the function rejects it, too.
  const posing = { html: '<b>', toString: () => '<b>' } as unknown as string;
  expect(() => plainText(html`${posing}`)).toThrow();
  expect(hostile).toContain('<script>');
});

test('the marks of an axis are round, begin at 0 and reach its end', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-6, max: 1e12, noNaN: true }),
      fc.integer({ min: 2, max: 10 }),
      (end, most) => {
        const ticks = ticksOf(end, most);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(end * (1 - 1e-9));
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        expect(ticks.length).toBeGreaterThan(1);
      },
    ),
  );
  expect(ticksOf(0, 5)).toEqual([0, 1]);
  expect(ticksOf(126, 7)).toEqual([0, 20, 40, 60, 80, 100, 120, 140]);
});

test('an import writes a report that only its owner can read, and a later run replaces it', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(
      file,
      `user_name,algorithm,hash\nann.secret,md5,${goodHashes.md5}\nbob.secret,md5,short\n`,
    );
    const reportOf = async () => {
      await importFile(recordingClient(), { file, jobDirectory, now: () => Date.UTC(2026, 4, 17) });
      const report = join(jobDirectory, 'report.html');
      expect((await stat(report)).mode & 0o777).toBe(0o600);
      return readFile(report, 'utf8');
    };
    const first = await reportOf();
    tagsOf(first);
    expect(first).toContain('1 of 2 users was imported; 1 rejected.');
    expect(first).toContain('HASH_SHAPE');
    expect(first).toContain('2026-05-17 00:00:00 UTC');
    for (const secret of ['ann.secret', 'bob.secret', goodHashes.md5]) expect(first).not.toContain(secret);
    const second = await reportOf();
    expect(first).not.toContain('went on');
    expect(second).toMatch(/first run<.*\n.*>2<.*>0\.0 s<.*resumed</);
  });
});
