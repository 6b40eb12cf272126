import * as v from 'valibot';
import { hashAlgorithms } from '../../contract/attributes.ts';
import { described, text } from '../../contract/value-schemas.ts';

/** `as-is`: the API accepts it. `strip`: it accepts what follows a known prefix. `no`: it does not. `unknown`: no known form. */
export const hashUses = ['as-is', 'strip', 'no', 'unknown'] as const;

export type HashUse = (typeof hashUses)[number];

/** A kind of hash that a text can be, by its form. */
const hashKind = v.strictObject({
  algorithm: described(
    v.nullable(v.picklist(hashAlgorithms)),
    'as the API names it; null: one that it does not know',
  ),
  format: text,
  accepted: described(v.boolean(), 'whether the API accepts it as it is'),
  sure: v.picklist(['certain', 'likely', 'possible']),
});

export type HashKind = v.InferOutput<typeof hashKind>;

/** What a text can be, by its form, and what an import can do with it. */
export const identity = v.strictObject({
  kinds: described(v.array(hashKind), 'most likely first; empty: it does not look like a hash'),
  damage: described(v.array(text), 'what was removed to recognise it; see tenant-users explain'),
  use: described(v.picklist(hashUses), 'as-is: the API takes it; strip: what follows a known prefix'),
  remedy: text,
});

export type Identity = v.InferOutput<typeof identity>;
