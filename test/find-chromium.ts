import { accessSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The Chromium on the PATH; `undefined` where there is none, and tests in a browser are skipped. */
export function findChromium(): string | undefined {
  return ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, name)))
    .find(isThere);
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}
