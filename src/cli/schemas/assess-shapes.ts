import * as v from 'valibot';
import { described, text } from '../../contract/value-schemas.ts';
import { assessment } from '../../migration/model/assessment.ts';
import { list } from './shapes.ts';

/** What `assess` prints. */
export const assessShapes = {
  assess: { title: 'What would become of the people of a file', document: assessment },
  template: list(
    'Columns of a file of users',
    'columns',
    v.strictObject({ name: text, holds: described(text, 'what belongs in the column') }),
  ),
};
