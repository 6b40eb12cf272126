import type { TestService } from '../../test-service.ts';

const users = '/api/v2/tenant/users';

interface Answer {
  status: number;
  body: unknown;
}

/** The three operations that take attribute values, each as a call with one body. Modify changes a new user. */
export const writeCalls: Record<
  'createUser' | 'importHashedUser' | 'updateUser',
  (service: TestService, body: unknown) => Promise<Answer>
> = {
  createUser: ({ request }, body) => request('POST', users, { body }),
  importHashedUser: ({ request }, body) => request('POST', `${users}/import-hash-pwd`, { body }),
  async updateUser({ client, request }, body) {
    const { user_id } = await client.createUser({});
    return request('PUT', `${users}/${user_id}`, { body });
  },
};
