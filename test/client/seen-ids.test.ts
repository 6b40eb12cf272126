import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeenIds } from '../../src/client/seen-ids.ts';
import { anyCharacter } from '../text/any-character.ts';

test('every id is recognised, whatever its text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.string({ unit: anyCharacter }), fc.nat().map(String))),
      (ids) => {
        const [seen, known] = [createSeenIds(), new Set<string>()];
        for (const id of ids) {
          expect(seen(id)).toBe(!known.has(id));
          known.add(id);
        }
      },
    ),
  );
});

test('no two of half a million similar ids are taken for the same one', () => {
  const seen = createSeenIds(500_000);
  let repeats = 0;
  for (let number = 0; number < 500_000; number += 1) {
    if (!seen(`20250101000000000-${number}`)) repeats += 1;
  }
  expect(repeats).toBe(0);
  expect(seen('20250101000000000-0')).toBe(false);
});

test('only the older generation is deleted, so that memory is limited', () => {
  const seen = createSeenIds(56);
  const generation = 56;
  for (let number = 0; number < generation * 3; number += 1) {
    expect(seen(`id-${number}`)).toBe(true);
    for (let back = 0; back < Math.min(number, generation); back += 1) {
      expect(seen(`id-${number - back}`)).toBe(false);
    }
  }
  expect(seen('id-0')).toBe(true);
});
