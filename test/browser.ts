import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { findProgram } from './find-program.mjs';

/** The installed Chromium; `undefined` if there is none, and then tests in a browser are skipped. */
export const chromium = findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');

/**
 * Opens a page in a browser that can only connect where its option `route` allows it. Returns what the page shows then,
 * and its console.
 */
export async function openInBrowser(
  address: string,
  route: string,
): Promise<{ page: string; console: string[] }> {
  const profile = await mkdtemp(join(tmpdir(), 'tenant-users-browser-'));
  onTestFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  const { stdout, stderr } = await promisify(execFile)(
    chromium ?? '',
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      `--user-data-dir=${profile}`,
      route,
      '--enable-logging=stderr',
      '--virtual-time-budget=15000',
      '--dump-dom',
      address,
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return { page: stdout, console: stderr.split('\n').filter((line) => line.includes('CONSOLE')) };
}
