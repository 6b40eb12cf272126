/** An environment variable, or several that belong together. Code is in backticks. */
export interface Variable {
  names: readonly string[];
  meaning: string;
  /** Where the guides say more: the title, and the link from `docs/reference`. */
  page?: readonly [title: string, address: string];
}

/** Every variable that the program reads, except those of the system for its directories. */
export const variables: readonly Variable[] = [
  {
    names: ['TENANT_USERS_BASE_URL', 'TENANT_USERS_CLIENT_ID', 'TENANT_USERS_CLIENT_SECRET'],
    meaning:
      'address, id and secret: together they replace a login. `serve` takes the last two as its first application',
  },
  { names: ['TENANT_USERS_PROFILE'], meaning: 'the profile to use' },
  { names: ['TENANT_USERS_CONFIG'], meaning: 'the configuration file' },
  {
    names: ['TENANT_USERS_LOCAL'],
    meaning:
      'use the embedded service: `1`, or a database file. Setting it together with `TENANT_USERS_BASE_URL` is an error, unless an option chooses the tenant; `serve` needs `--database` with it',
  },
  {
    names: ['TENANT_USERS_NO_LOG'],
    meaning:
      'with any value: nothing is written into the log, so `runs` lists nothing new either, and a second import of a file is not noticed',
    page: ['The log', '../guide/scripting.md#what-was-changed-from-here'],
  },
  {
    names: ['TENANT_USERS_KEY_FILE'],
    meaning: 'the file that encrypts the signing keys of the local service',
    page: ['Keys', '../guide/operating.md#keys'],
  },
  {
    names: ['FORCE_HYPERLINK'],
    meaning:
      '`1`: names of reports and lists are links (OSC 8) in any terminal, and in a pipe; `0`: never. Without it they are links on terminals that are known to have them, unless there are no colours',
  },
  {
    names: ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR_FORCE'],
    meaning: 'no colours; colours in a pipe too, whatever `NO_COLOR` says. JSON and CSV never have any',
  },
  {
    names: ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'],
    meaning:
      'proxies, in upper or lower case, with credentials in their address where needed. An address on this machine goes only through a proxy on this machine, and `--local` through none. SOCKS is not supported',
  },
  {
    names: ['NODE_EXTRA_CA_CERTS'],
    meaning:
      'certificates of a private authority (PEM). There is no switch that skips the checks of certificates',
  },
  {
    names: ['PGPASSWORD', '~/.pgpass'],
    meaning: 'password of a PostgreSQL database of the local service',
  },
];

/** The variables that no other program has. */
export const ownVariables = variables
  .flatMap(({ names }) => names)
  .filter((name) => name.startsWith('TENANT_USERS_'));

/** Which value counts if several are given. */
export const precedence =
  'An option wins over a variable, a variable over the profile, the profile over the default. A profile that is named with `--profile` means its tenant: its values win over the variables, in `login` too. `TENANT_USERS_CLIENT_SECRET` serves such a profile only if the base URL and the client id of the environment, where they are set, are those of the profile. A variable whose name begins with `TENANT_USERS_` must not be empty: unset it. `tenant-users status` shows where each value comes from.';

/** A file, or several, that the program creates or reads without being given its path. */
export interface OwnFile {
  what: string;
  where: string;
  page?: Variable['page'];
}

/** Every file that is found without being given its path. */
export const ownFiles: readonly OwnFile[] = [
  {
    what: 'configuration: profiles with their secrets and tokens',
    where:
      '`config.json` in `$XDG_CONFIG_HOME/tenant-users`, else `~/.config/tenant-users`; on Windows in `%APPDATA%\\tenant-users`. `--config` or `TENANT_USERS_CONFIG` names another',
  },
  {
    what: 'database of the embedded service and of `serve`',
    where: '`local.db` beside the configuration, unless named',
  },
  {
    what: 'log of this account, for `log` and `runs`: time, command, profile, tenant, outcome; the ids of users and the directories of runs',
    where:
      '`log/000001.jsonl` and following in `$XDG_STATE_HOME/tenant-users`, else `~/.local/state/tenant-users`; on Windows in `%LOCALAPPDATA%\\tenant-users`. It may be deleted; where it cannot be written, a command warns and goes on',
    page: ['The log', '../guide/scripting.md#what-was-changed-from-here'],
  },
  {
    what: 'pace of each tenant, for the next import into it: address and client id, numbers and a date',
    where: '`pace.json` beside the log. It may be deleted; what is damaged counts as not there',
    page: ['Speed and limits', '../guide/large-imports.md#speed-and-limits'],
  },
  {
    what: 'job directory of an import',
    where: '`FILE.import` in the working directory, unless `--job` names another',
    page: ['The job directory', '../guide/importing.md#the-job-directory'],
  },
];

/** Removes the backticks of these texts for a terminal. */
export function plain(text: string): string {
  return text.replaceAll('`', '');
}
