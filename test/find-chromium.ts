import { findProgram } from './find-program.mjs';

/** The Chromium that is installed; `undefined` where there is none, and tests in a browser are skipped. */
export function findChromium(): string | undefined {
  return findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
}
