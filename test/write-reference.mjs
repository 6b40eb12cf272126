import { readFileSync, writeFileSync } from 'node:fs';
import { loadSource } from './load-source.mjs';
import { referenceOf, withReference } from './reference.mjs';

/** Writes the command reference of README.md anew, from the program itself: `npm run reference`. */
const { buildProgram } = await loadSource('cli/program.ts');
const file = new URL('../README.md', import.meta.url);
writeFileSync(file, withReference(readFileSync(file, 'utf8'), referenceOf(buildProgram({ env: {} }))));
