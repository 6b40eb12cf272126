import { expect, test } from 'vitest';
import { newUserId, newUserName } from '../../../../src/service/storage/users/insert-user.ts';

const shape = /^\d{17}-[0-9A-F]{4}-[0-9A-F]{9}$/;

test.each(['20220126153857263-A04D-60E0D446C', '20201028102749564-9082-DC8CD2722'])(
  'the form of ids fits the published sample %s',
  (sample) => {
    expect(sample).toMatch(shape);
  },
);

test('an id has that form and begins with its time', () => {
  const id = newUserId(Date.UTC(2026, 10, 5, 7, 8, 9, 12));
  expect(id).toMatch(shape);
  expect(id.slice(0, 17)).toBe('20261105070809012');
});

test('ids and generated names of one moment differ', () => {
  const ids = Array.from({ length: 1000 }, () => newUserId(0));
  const names = Array.from({ length: 1000 }, newUserName);
  expect([new Set(ids).size, new Set(names).size]).toEqual([1000, 1000]);
});

test('a generated name is user_ and ten of [0-9a-z], each of which occurs', () => {
  const names = Array.from({ length: 1000 }, newUserName);
  expect(names.filter((name) => !/^user_[0-9a-z]{10}$/.test(name))).toEqual([]);
  expect(new Set(names.join('').replaceAll('user_', '')).size).toBe(36);
});
