#!/usr/bin/env node
'use strict';

// Older versions of Node must be able to read this file: no syntax after that of Node 12.
const [major, minor] = process.versions.node.split('.').map(Number);
const [only, ...more] = process.argv.slice(2);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `tenant-users: Node.js 20.19 or newer is required, and this is ${process.versions.node}\n` +
      'Install a newer version of Node.js, or put it first in PATH.\n',
  );
  process.exitCode = 3;
} else if (more.length === 0 && (only === '--version' || only === '-V')) {
  // Programs ask for it often: answered before anything is loaded.
  process.stdout.on('error', ({ code }) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`tenant-users: cannot write the output (${code})\n`);
    process.exitCode = 1;
  });
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  require('../dist/cli/main.cjs').main();
}
