import * as v from 'valibot';
import { count, described, text } from '../../contract/value-schemas.ts';

const comment = described(text, 'of how many users it comes; behind "Check:" what a person has to confirm');
const isTrue = v.exactOptional(v.literal(true));

const learnedRule = v.strictObject({
  $comment: comment,
  display_name: v.exactOptional(text),
  type: v.exactOptional(text),
  required: isTrue,
  unique: isTrue,
  max_length: v.exactOptional(count),
  pattern: v.exactOptional(text),
});

/** A tenant definition as `tenant learn` drafts it, with comments. */
export const learnedDefinition = v.strictObject({
  $comment: comment,
  tenant_id: text,
  attributes: v.record(text, learnedRule),
  extension: v.record(text, learnedRule),
  mobile: v.exactOptional(
    v.strictObject({ $comment: comment, default_area_code: text, area_codes: v.record(text, text) }),
  ),
  password: v.strictObject({ $comment: comment }),
});

export type LearnedRule = v.InferOutput<typeof learnedRule>;
export type LearnedDefinition = v.InferOutput<typeof learnedDefinition>;
