#!/usr/bin/env node
'use strict';

// Older versions of Node must be able to parse this file: no syntax newer than Node 12.
const [major, minor] = process.versions.node.split('.').map(Number);
const [only, ...more] = process.argv.slice(2);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `tenant-users: Node.js 20.19 or newer is required, and this is ${process.versions.node}\n` +
      'Install a newer version of Node.js, or put it first in PATH.\n',
  );
  process.exitCode = 3;
} else if (more.length === 0 && (only === '--version' || only === '-V')) {
  answer(`${require('../package.json').version}\n`);
} else if (more.length === 0 && (only === '--help' || only === '-h') && isPlain()) {
  answer(require('node:fs').readFileSync(require.resolve('../dist/help.txt'), 'utf8'));
} else {
  const { load } = require('./load.js');
  load(require('node:path').join(__dirname, '../dist/cli/main.cjs')).main();
}

/** Prints what scripts often request, the version or the help, without loading the program. */
function answer(text) {
  process.stdout.on('error', ({ code }) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`tenant-users: cannot write the output (${code})\n`);
    process.exitCode = 1;
  });
  process.stdout.write(text);
}

/** True if help needs neither colors nor the width of a terminal. */
function isPlain() {
  return !process.stdout.isTTY && !process.env.FORCE_COLOR && !process.env.CLICOLOR_FORCE;
}
