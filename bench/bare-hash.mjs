/**
 * The limit that the scheme of the service's passwords sets: hashes a second, as many at the same time as there are
 * cores. `node bare-hash.mjs SECONDS`; the parameters are those of `service/passwords/stored-password.ts`.
 */
import { availableParallelism } from 'node:os';
import { hash } from '@node-rs/argon2';

const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
await hash('warm', parameters);
const began = performance.now();
const end = began + Number(process.argv[2]) * 1000;
let hashes = 0;
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    while (performance.now() < end) {
      await hash('Gf4-kupz', parameters);
      hashes += 1;
    }
  }),
);
process.stdout.write(`${(hashes / (performance.now() - began)) * 1000}\n`);
