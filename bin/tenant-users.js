#!/usr/bin/env node
'use strict';

const [only, ...more] = process.argv.slice(2);

// Programs ask for it often: answered before anything is loaded.
if (more.length === 0 && (only === '--version' || only === '-V')) {
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  require('../dist/cli/main.cjs').main();
}
