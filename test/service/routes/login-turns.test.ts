import { expect, test } from 'vitest';
import type { Passwords } from '../../../src/service/passwords/passwords.ts';
import { testPasswords } from '../../test-passwords.ts';
import { device, startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';

const pwd = 'qwe123!@#';
const ann = { user_name: 'ann', email: 'ann@example.com', pwd, pwd_must_modify: false };

/** A gate that is closed until somebody opens it. */
function makeGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test('a login under one name does not wait for the logins of the same person under another name', async () => {
  const gate = makeGate();
  const compared: string[] = [];
  const passwords: Passwords = {
    ...testPasswords,
    async compare(stored, password, request) {
      compared.push(password);
      if (password === 'slow') await gate.opened;
      return testPasswords.compare(stored, password, request);
    },
  };
  const { client, connect } = await startTestService({ passwords });
  await client.createUser(ann);
  const other = connect().logIn('ann', 'slow', device);
  const refused = expect(other).rejects.toMatchObject(apiErrorOf('loginRefused', '4'));
  await expect.poll(() => compared).toEqual(['slow']);
  await expect(client.logIn(ann.email, 'quick', device)).rejects.toMatchObject(
    apiErrorOf('loginRefused', '4'),
  );
  gate.open();
  await refused;
});
