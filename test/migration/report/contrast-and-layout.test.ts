import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { renderAssessment } from '../../../src/migration/assess/render-assessment.ts';
import { renderReport } from '../../../src/migration/report/render-report.ts';
import { chromium, openInBrowser } from '../../browser.ts';
import { assessment, course, dataWith, hostileData, mixed } from './report-data.ts';

const page = renderReport(dataWith());

const views = {
  '/usual': renderReport(dataWith({ summary: mixed, samples: course() })),
  '/hostile': renderReport(hostileData()),
  '/assessment': renderAssessment(assessment, { version: '1.0.0', now: 0 }),
};

/** The colours of a theme, from the n-th rule that sets them. */
function coloursOf(theme: 0 | 1 | 2): Record<string, string> {
  const block = [...page.matchAll(/:root \{([^}]*)\}/g)][theme]?.[1] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/--([a-z]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]),
  );
}

/** The contrast of two colours as WCAG 2 defines it. */
function contrastOf(one = '', other = ''): number {
  const lightOf = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = 0, dark = 0] = [lightOf(one), lightOf(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test.each([['light', 0] as const, ['dark', 1] as const, ['print', 2] as const])(
  'in the %s theme text has a contrast of at least 4.5, and graphics of at least 3',
  (_, theme) => {
    const { page: ground, panel, ...colours } = coloursOf(theme);
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    for (const name of ['text', 'quiet', 'good', 'partly', 'bad', 'rehearsed']) {
      for (const behind of [ground, panel]) {
        expect(contrastOf(colours[name], behind), name).toBeGreaterThanOrEqual(4.5);
      }
    }
    for (const name of ['created', 'existing', 'conflict', 'failed', 'invalid', 'unknown', 'pending']) {
      expect(contrastOf(colours[name], ground), name).toBeGreaterThanOrEqual(3);
    }
  },
);

test('only cells of tables, which scroll, have a minimum width; the page follows the width and the theme of the reader', () => {
  const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '';
  const rules = [...style.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => [
    selector.trim(),
    body,
  ]);
  const wide = rules.filter(([, body = '']) =>
    /(?:^|[ ;])(?:min-)?width: *\d*[1-9]\d*(?:\.\d+)?(?:px|r?em|vw)/.test(body),
  );
  expect(wide.length).toBeGreaterThan(2);
  expect(wide.filter(([selector = '']) => !/^(?:td|th|tbody th)/.test(selector))).toEqual([]);
  expect(rules.find(([selector]) => selector === '.scroll')?.[1]).toContain('overflow-x: auto');
  for (const one of Object.values(views)) {
    expect(one).toContain('content="width=device-width, initial-scale=1"');
    expect(one).toContain('prefers-color-scheme: dark');
    expect(one.match(/<table/g)?.length).toBe(one.match(/<div class="scroll"/g)?.length);
  }
});

/** Measures both pages in frames of a telephone's width. Unlike the pages, this one may run a script. */
const measure = `<!doctype html><title>measure</title><body>${Object.keys(views)
  .map((path) => `<iframe src="${path}" width="400" height="800" style="border:0"></iframe>`)
  .join('')}<p id="result"></p><script>
addEventListener('load', () => {
  const found = [...document.querySelectorAll('iframe')].map(({ contentDocument: page }) => ({
    width: page.documentElement.clientWidth,
    needed: page.documentElement.scrollWidth,
    sections: page.querySelectorAll('section').length,
    outside: [...page.body.querySelectorAll('*')].filter((element) =>
      !element.closest('.scroll table, pre code, svg') && element.getBoundingClientRect().right > 400.5
    ).map(({ tagName, id }) => tagName + id),
  }));
  document.getElementById('result').textContent = JSON.stringify(found);
});
</script>`;

// Skipped if no Chromium is on the PATH.
test.skipIf(chromium === undefined)(
  'in a browser the page makes no request, and nothing is wider than a telephone',
  { timeout: 60_000 },
  async () => {
    const asked: string[] = [];
    // The server is also the proxy of the browser: every request of a page, to any host, would arrive here.
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      const path = new URL(url, 'http://page.example').pathname;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(path === '/measure' ? measure : views[path as keyof typeof views]);
    });
    server.on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { page, console } = await openInBrowser(
      'http://page.example/measure',
      `--proxy-server=http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    const fits = { width: 400, needed: 400, sections: 7, outside: [] };
    const result = /<p id="result">([^<]*)<\/p>/.exec(page)?.[1] ?? '';
    expect(JSON.parse(result)).toEqual([fits, fits, { ...fits, sections: 5 }]);
    const ours = ['/measure', ...Object.keys(views), '/favicon.ico'].map(
      (path) => `http://page.example${path}`,
    );
    expect(asked).toContain(ours[2]);
    expect(asked.filter((url) => /(?:page|evil)\.example/.test(url) && !ours.includes(url))).toEqual([]);
    expect(console).toEqual([]);
  },
);
