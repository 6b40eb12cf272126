/** Runs one bench against the built program: `npm run bench -- paging`, `npm run bench -- durability`. */
const benches = {
  durability: () => import('./durability.mjs'),
  import: () => import('./import.mjs'),
  listing: () => import('./listing.mjs'),
  memory: () => import('./memory.mjs'),
  pace: () => import('./pace.mjs'),
  paging: () => import('./paging.mjs'),
  passwords: () => import('./passwords.mjs'),
  startup: () => import('./startup.mjs'),
};

const name = process.argv[2] ?? '';
const bench = Object.entries(benches).find(([known]) => known === name)?.[1];
if (bench) await bench();
else {
  process.stderr.write(`Name a bench: ${Object.keys(benches).join(', ')}\n`);
  process.exitCode = 2;
}
