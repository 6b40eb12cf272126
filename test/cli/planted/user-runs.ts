import { fed, line, type Place, type Step } from './given-files.ts';
import { planted } from './secrets.ts';

const { password, clientSecret, ticket } = planted;
const device = ['--os-version', '14', '--device-ip', '10.0.0.7', '--device-fingerprint', 'f00d'];

/** Command lines about users and their logins with the planted secrets. */
export const userRuns = {
  'users list': () => [
    line('list'),
    line('users', 'list', '--all'),
    line('list', '--search', 'ann', '--where', 'name!=', '--sort', 'name'),
  ],
  api: ({ given }) => [
    line('api', 'GET', 'users/u-1'),
    line('api', 'POST', 'users', '--data', given('user.json'), '--yes'),
    line('api', 'POST', 'users', '--data', given('broken.json'), '--yes'),
    fed(
      JSON.stringify({ user_name: 'ann', password }),
      'api',
      'POST',
      '/api/v2/sdk/login',
      '--data',
      '-',
      '-y',
    ),
    line('api', 'GET', `token?client_secret=${clientSecret}`),
    line('api', 'GET', 'users', '--paginate'),
  ],
  'users get': () => [line('get', 'u-1'), line('users', 'get', '--by-user-name', 'ann')],
  'users create': ({ given }) => [
    fed(password, 'create', '--user-name', 'ann', '--password-stdin'),
    line('users', 'create', '--user-name', 'ann', '--password-file', given('password.txt')),
    line('create', '--data', given('user.json')),
    line('create', '--data', given('broken.json')),
    line('create', '--data', given('unknown.json')),
    line('create', '--data', given('md5.txt')),
  ],
  'users ensure': ({ given }) => [
    fed(password, 'ensure', '--user-name', 'ann', '--password-stdin'),
    line('ensure', '--data', given('user.json')),
    line('users', 'ensure', '--user-name', 'new', '--password-file', given('password.txt')),
  ],
  'users update': () => [
    line('update', 'u-1', '--name', 'Ann'),
    line('users', 'update', '--email', 'a@b.example', '--name', 'An'),
  ],
  'users disable': () => [
    line('disable', '-y', 'u-1'),
    fed('u-1\nu-2\n', 'users', 'disable', '-y', '--from', '-'),
  ],
  'sso ticket': ({ given }) => [
    line('sso', 'ticket', 'ann', '--password-file', given('password.txt'), ...device),
    fed(password, 'sso', 'ticket', 'ann', '--password-stdin', ...device),
  ],
  'sso check': ({ given }) => [
    line('sso', 'check', 'ann', '--password-file', given('password.txt'), ...device),
    fed(password, 'sso', 'check', 'ann', '--password-stdin'),
  ],
  'sso verify': () => [fed(ticket, 'sso', 'verify', ...device)],
} as const satisfies Record<string, (place: Place) => Step[]>;
