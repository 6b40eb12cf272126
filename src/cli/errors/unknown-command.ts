import { looksLikeHash } from '../../migration/hashes/formats.ts';
import { nearestNames } from '../../text/edit-distance.ts';
import { UsageError } from './errors.ts';

/** The error for an unknown command. `group`: the command that it was given to, or empty. `commands`: those that exist there. */
export function unknownCommand(word: string, group: string, commands: readonly string[]): UsageError {
  return new UsageError(`unknown command '${shownValue(word)}'`, hintOn(word, group, commands));
}

/** A mistyped value for a message, unless it may be a misplaced hash. */
export function shownValue(value: string): string {
  return looksLikeHash(value.trim()) ? '…' : value;
}

/** Commands that change nothing, by group. Only these are suggested, because people often run a suggestion unread. */
const readingCommands: Readonly<Record<string, readonly string[]>> = {
  '': ['list', 'get', 'compare', 'status', 'doctor', 'explain', 'schema', 'completion'],
  users: ['list', 'get'],
  profiles: ['list'],
  tenant: ['show', 'check'],
  hash: ['identify', 'verify'],
};

const cannotEnable = 'The API has no way to enable a user again.';
const cannotDelete = 'The API cannot delete users. It can disable a user, but not enable one again.';
const disabling = 'Disabling a user is final. Read first: tenant-users disable --help';
const updating = 'To change attributes of a user, see: tenant-users update --help';
const creating = 'To create a user, see: tenant-users create --help';
const finding =
  'To find users by a part of a name or an address: tenant-users list --search TEXT. By a complete one: tenant-users get --help';
const listing = 'To see users, run: tenant-users list';
const importing = 'To import users with their password hashes, see: tenant-users import-hashes --help';

/** Advice for words that people type for user commands that do not exist. No advice is a command that changes something. */
const userWords: Readonly<Record<string, string>> = {
  enable: cannotEnable,
  're-enable': cannotEnable,
  reenable: cannotEnable,
  activate: cannotEnable,
  reactivate: cannotEnable,
  undisable: cannotEnable,
  undelete: cannotEnable,
  restore: cannotEnable,
  delete: cannotDelete,
  del: cannotDelete,
  remove: cannotDelete,
  rm: cannotDelete,
  purge: cannotDelete,
  destroy: cannotDelete,
  erase: cannotDelete,
  deactivate: disabling,
  suspend: disabling,
  block: disabling,
  ban: disabling,
  set: updating,
  unset: updating,
  edit: updating,
  modify: updating,
  change: updating,
  rename: updating,
  add: creating,
  new: creating,
  search: finding,
  find: finding,
  query: finding,
  show: 'To see one user, run: tenant-users get --help',
  ls: listing,
  user: listing,
  import: importing,
  merge: 'To merge the shards of an import, see: tenant-users import-hashes merge --help',
  export: 'To export users, run: tenant-users list --all -o csv',
  diff: 'To compare a file with the tenant, see: tenant-users compare --help',
  version: 'Run: tenant-users --version',
};

/** Advice about the word, or all similar names of commands that only read. */
function hintOn(word: string, group: string, commands: readonly string[]): string {
  const known = word.toLowerCase();
  if ((group === '' || group === 'users') && Object.hasOwn(userWords, known)) return userWords[known] ?? '';
  if (group === '' && nearestNames(word, ['import-hashes']).length > 0) return importing;
  const harmless = (readingCommands[group] ?? []).filter((name) => commands.includes(name));
  const meant = nearestNames(word, harmless);
  return meant.length === 0 ? 'Add --help to see the commands.' : `Did you mean ${meant.join(' or ')}?`;
}
