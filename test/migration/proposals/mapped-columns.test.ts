import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { making } from './making.ts';

const { md5_sha256: nested, hmacsha256_base64_key: hmac } = goodHashes;

test('the values of a mapped column are looked at like those of a column with a usual name', async () => {
  const { recipe, open } = await making('Login,Geb,sx\nann,28.02.1990,male\nbob,1.3.1985,weird\n', {}, [
    { field: 'attr_birthday', column: 'Geb' },
    { field: 'attr_gender', column: 'sx' },
  ]);
  expect(recipe.fields).toMatchObject({
    attr_birthday: { column: 'Geb', date: ['d.M.yyyy'] },
    attr_gender: { column: 'sx', values: { male: 'male' } },
  });
  expect(open).toEqual([expect.stringContaining('sx has weird (1 row)')]);
});

test('a mapped algorithm is read from its column, even if that looks like a status', async () => {
  const content = `Login,state,pwhash\nann,sha256md5,${nested}\nbob,hmac ,${hmac}\n`;
  const { recipe } = await making(content, {}, [{ field: 'algorithm', column: 'state' }]);
  expect(recipe.password).toMatchObject({
    column: 'pwhash',
    algorithm: { column: 'state', values: { sha256md5: 'md5_sha256', hmac: 'hmacsha256_base64_key' } },
  });
  expect(recipe.skip).toBeUndefined();
});

test('a hash that was mapped by mistake is not shown', async () => {
  const made = making('Login,pwhash\nann,x\n', {}, [{ field: 'hash', column: nested }]);
  await expect(made).rejects.toThrow('--map names (a hash), which is not a column of the file');
});
