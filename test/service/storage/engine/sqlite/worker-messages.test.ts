import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createPacker,
  createUnpacker,
} from '../../../../../src/service/storage/engine/sqlite/worker-messages.ts';
import { anyCharacter } from '../../../../text/any-character.ts';

const value = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.constant(null),
);
const query = {
  sql: fc.constantFrom('INSERT', 'UPDATE', 'DELETE', 'toString', '__proto__'),
  values: fc.array(value, { maxLength: 5 }),
};
const statement = fc
  .tuple(
    fc.record({ ...query, optional: fc.boolean() }),
    fc.record({ unless: fc.record(query) }, { requiredKeys: [] }),
    fc.constantFrom(
      {},
      { tenantLock: 3, numbers: 'user' as const },
      { tenantLock: 0, numbers: 'change' as const },
    ),
  )
  .map(([always, unless, numbers]) => ({ ...always, ...unless, ...numbers }));
const transactions = fc.array(fc.array(statement, { minLength: 1, maxLength: 3 }), { maxLength: 4 });

test('another thread unpacks every message exactly as it was packed', () => {
  fc.assert(
    fc.property(fc.array(transactions, { maxLength: 4 }), (messages) => {
      const [pack, unpack] = [createPacker(), createUnpacker()];
      for (const message of messages) expect(unpack(structuredClone(pack(message)))).toEqual(message);
    }),
  );
});

test('the same text is sent to the other thread only once', () => {
  const pack = createPacker();
  const transaction = [{ sql: 'INSERT', values: [1] }];
  expect([pack([transaction, transaction]), pack([transaction])].map(({ texts }) => texts)).toEqual([
    ['INSERT'],
    [],
  ]);
});
