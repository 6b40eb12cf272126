import { looksLikeHash } from '../../migration/hashes/formats.ts';
import { nearest, nearestNames } from '../../text/edit-distance.ts';
import { UsageError } from './errors.ts';

/** The error for an unknown command. `group`: the command that it was given to, or empty. `commands`: those that exist there. */
export function unknownCommand(word: string, group: string, commands: readonly string[]): UsageError {
  return new UsageError(`unknown command '${shownValue(word)}'`, hintOn(word, group, commands));
}

/** A mistyped value for a message, unless it may be a misplaced hash. */
export function shownValue(value: string): string {
  return looksLikeHash(value.trim()) ? '…' : value;
}

/** Commands that change nothing, by group. Of the others only the help is suggested, because people often run a suggestion unread. */
const readingCommands: Readonly<Record<string, readonly string[]>> = {
  '': ['list', 'get', 'compare', 'status', 'doctor', 'explain', 'schema', 'completion'],
  users: ['list', 'get'],
  profiles: ['list'],
  tenant: ['show', 'check'],
  hash: ['identify', 'verify'],
};

/** Advice for words that people type for user commands that do not exist, by these words. None is a command that changes something. */
const userAdvice = {
  'enable re-enable reenable activate reactivate undisable undelete restore':
    'The API has no way to enable a user again.',
  'delete del remove rm purge destroy erase':
    'The API cannot delete users. It can disable a user, but not enable one again.',
  'deactivate suspend block ban': 'Disabling a user is final. Read first: tenant-users disable --help',
  'set unset edit modify change rename': 'To change attributes of a user, see: tenant-users update --help',
  'add new': 'To create a user, see: tenant-users create --help',
  'search find query':
    'To find users by a part of a name or an address: tenant-users list --search TEXT. By a complete one: tenant-users get --help',
  show: 'To see one user, run: tenant-users get --help',
  'ls user': 'To see users, run: tenant-users list',
  import: 'To import users with their password hashes, see: tenant-users import-hashes --help',
  merge: 'To merge the shards of an import, see: tenant-users import-hashes merge --help',
  export: 'To export users, run: tenant-users list --all -o csv',
  diff: 'To compare a file with the tenant, see: tenant-users compare --help',
  version: 'Run: tenant-users --version',
};

/** Advice about the word, all similar names of commands that only read, or the help of another one. */
function hintOn(word: string, group: string, commands: readonly string[]): string {
  const known = word.toLowerCase();
  const advised = Object.entries(userAdvice).find(([words]) => words.split(' ').includes(known));
  if (advised && (group === '' || group === 'users')) return advised[1];
  const harmless = (readingCommands[group] ?? []).filter((name) => commands.includes(name));
  const meant = nearestNames(word, harmless);
  if (meant.length > 0) return `Did you mean ${meant.join(' or ')}?`;
  const other = nearest(word, commands);
  if (other === undefined) return 'Add --help to see the commands.';
  const help = ['tenant-users', group, other, '--help'].filter((part) => part !== '').join(' ');
  return `Did you mean ${other}? Read first: ${help}`;
}
