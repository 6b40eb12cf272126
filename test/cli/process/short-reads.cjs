'use strict';

// Loaded before the program: each read of a file returns at most some bytes, as a file system on a network may do.
const fs = require('node:fs');

const { readSync } = fs;
const most = 5000;

/** @type {(file: number, buffer: NodeJS.ArrayBufferView, offset: number, length: number, position: number) => number} */
const shortRead = (file, buffer, offset, length, position) =>
  readSync(file, buffer, offset, Math.min(length, most), position);
Object.assign(fs, { readSync: shortRead });
