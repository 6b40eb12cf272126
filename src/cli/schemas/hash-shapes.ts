import { hashAlgorithms } from '../../contract/attributes.ts';
import type { Fields } from '../../contract/json-schema.ts';
import type { Mistake } from '../../migration/proof/diagnose.ts';
import type { HashKind } from '../../migration/proof/hash-kinds.ts';
import type { Identity } from '../../migration/proof/identify.ts';
import { arrayOf, closed, count, list, must, type Shapes, text, textOrNull, truth } from './shapes.ts';

const kind = closed({
  algorithm: must({ ...textOrNull, description: 'as the API names it; null: one that it does not know' }),
  format: must(text),
  accepted: must({ ...truth, description: 'does the API take it as it stands?' }),
  sure: must({ ...text, enum: ['certain', 'likely', 'possible'] }),
} satisfies Fields<HashKind>);

const identified = closed({
  line: must({ ...count, description: 'from 1' }),
  kinds: must({ ...arrayOf(kind), description: 'likeliest first; empty: it looks like no hash' }),
  damage: must({ ...arrayOf(text), description: 'what was undone to see it; see tenant-users explain' }),
} satisfies Fields<Identity & { line: number }>);

const mistake = closed({
  code: must({ ...text, description: 'see tenant-users explain; two are joined by a plus' }),
  message: must(text),
  remedy: must(text),
} satisfies Fields<Mistake>);

/** What the commands about hashes print. */
export const hashShapes = {
  'hash identify': list('What hashes can be by their look', 'hashes', identified),
  'hash verify': {
    title: 'Whether a password belongs to a hash',
    document: closed({
      matches: must(truth),
      algorithm: must({ ...text, enum: hashAlgorithms }),
      mistake: must({
        anyOf: [mistake, { type: 'null' }],
        description: 'of the export; null: it matches, or none fits',
      }),
    }),
  },
} as const satisfies Record<string, Shapes>;
