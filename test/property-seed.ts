import fc from 'fast-check';

/**
 * Property tests use the same values whenever a commit is tested, and others for the next commit. A failure can thus be
 * repeated, and a commit that passed does not fail by chance. `PROPERTY_SEED=random` tries new values.
 */
const seed = Number(process.env.PROPERTY_SEED);
if (Number.isSafeInteger(seed)) fc.configureGlobal({ seed });
