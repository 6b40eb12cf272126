import fc from 'fast-check';

/**
 * Property tests take the same values whenever a commit is tested, and others with the next: what failed fails again, and a
 * commit that passed is not refused by chance. `PROPERTY_SEED=random` searches on.
 */
const seed = Number(process.env.PROPERTY_SEED);
if (Number.isSafeInteger(seed)) fc.configureGlobal({ seed });
