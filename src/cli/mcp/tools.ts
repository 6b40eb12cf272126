import * as v from 'valibot';
import { optional, text } from '../../contract/value-schemas.ts';
import { keyFields } from '../../migration/actions/keys.ts';
import { usualDirectory } from '../../migration/directory/job-files.ts';
import { hideColumns, hidePlan, hideValues, hideWords } from './hide-values.ts';

/** A tool that an agent can call: its description for the agent, and the command line that it runs. */
export interface Tool {
  title: string;
  description: string;
  input: v.GenericSchema;
  /** Set if it changes users of the tenant. */
  isWriting?: true;
  /** Returns the command line. Throws if the input does not match the schema. */
  words(input: unknown, at: PathBelow): string[];
  /** Standard input of the command; empty if left out. */
  stdin?: NamedText;
  /** Hides values in the printed document if the server runs without `--with-values`. Left out if there are none to hide. */
  masked?(printed: Record<string, unknown>): Record<string, unknown>;
  /** Fields that are always removed from the document. */
  without?: readonly string[];
}

/** The text that a file had when the server started: an agent may be able to replace the file while it runs. */
export interface NamedText {
  file: string;
  text: string;
}

/** Returns the absolute path of a file or directory that a tool names; throws if the path is not allowed. */
type PathBelow = (path: string) => string;

/** Makes a tool whose `words` get input that has been validated by the schema. */
function tool<Schema extends v.GenericSchema>(
  input: Schema,
  {
    words,
    ...one
  }: Omit<Tool, 'input' | 'words'> & {
    words(input: v.InferOutput<Schema>, at: PathBelow): string[];
  },
): Tool {
  return { ...one, input, words: (given, at) => words(v.parse(input, given), at) };
}

const path = (what: string) => v.pipe(v.string(), v.minLength(1), v.description(what));
const file = path('file of users: CSV, JSON or LDIF, also .gz');
const readAs = {
  from: optional(text, 'system that exported the file, such as auth0'),
  recipe: v.exactOptional(path('recipe file that says how a record becomes a user')),
};
const key = optional(v.picklist(keyFields), 'recognise a person by this identifier alone');

const job = v.exactOptional(path('job directory of the import; left out: <file name>.import'));

const finders = ['user_id', 'user_name', 'email', 'mobile', 'external_id'] as const;

/** An option and its value in one word, because the value may begin with a dash. */
function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

/** The command line of a command on a file of users. */
function onFile(
  command: string,
  { file, from, recipe }: { file: string; from?: string; recipe?: string },
  at: PathBelow,
  ...options: string[]
): string[] {
  const reading = [...option('from', from), ...option('recipe', recipe && at(recipe))];
  return [command, ...options, ...reading, '--', at(file)];
}

const readOnly = {
  status: tool(v.strictObject({}), {
    title: 'Status',
    description: 'Which tenant the tools work on, and whether its credentials are accepted.',
    words: () => ['status'],
  }),
  count_users: tool(v.strictObject({}), {
    title: 'Count users',
    description: 'How many users the tenant has.',
    words: () => ['list', '--limit=10', '--columns=user_id'],
    without: ['users', 'offset', 'limit', 'complete'],
  }),
  get_user: tool(v.strictObject({ by: v.picklist(finders), value: v.pipe(v.string(), v.minLength(1)) }), {
    title: 'Find a user',
    description:
      'One user by an identifier. Values that identify a person are hidden unless the server shows them.',
    words: ({ by, value }) =>
      by === 'user_id' ? ['get', '--', value] : ['get', `--by-${by.replace('_', '-')}=${value}`],
    masked: hideValues,
  }),
  explain: tool(v.strictObject({ code: v.pipe(v.string(), v.minLength(1)) }), {
    title: 'Explain a code',
    description: 'What an error code or a row issue means, and what to do about it. Offline.',
    words: ({ code }) => ['explain', '--', code],
  }),
  assess: tool(v.strictObject({ file, ...readAs }), {
    title: 'Assess a file',
    description:
      'Reads a file of users from an older system and says who keeps the password, and what is wrong with rows. Asks no tenant.',
    words: (input, at) => onFile('assess', input, at),
    masked: hideWords,
  }),
  forecast: tool(
    v.strictObject({
      file,
      window: optional(
        text,
        'hours in which rows are sent, such as 22:00-05:00 or 22:00-05:00@Europe/Berlin',
      ),
      job,
      ...readAs,
    }),
    {
      title: 'Forecast an import',
      description:
        'How long the import of a file takes, and when it ends, by the pace of the last import into this tenant. Sends nothing.',
      words({ job: directory, window, ...input }, at) {
        const job = at(directory ?? usualDirectory(input.file));
        return onFile('forecast', input, at, `--job=${job}`, ...option('window', window));
      },
    },
  ),
  job_status: tool(v.strictObject({ directory: path('job directory of an import, or plan directory') }), {
    title: 'Status of a job',
    description:
      'How far an import or the application of a plan is, how many rows came to what, and what a person does next.',
    words: ({ directory }, at) => ['import-hashes', 'status', '--', at(directory)],
  }),
  compare: tool(
    v.strictObject({ file, to: path('directory for the lists and the report'), key, ...readAs }),
    {
      title: 'Compare a file with the tenant',
      description:
        'Reads the whole tenant and counts who is the same, differs, is missing or extra. The lists stay in the directory.',
      words: (input, at) => onFile('compare', input, at, `--to=${at(input.to)}`, ...option('key', input.key)),
    },
  ),
  plan: tool(
    v.strictObject({
      file,
      to: path('directory for the plan'),
      key,
      update: optional(text, 'fields of existing users to update, such as name,email, or all'),
      disable_missing: optional(v.boolean(), 'disable users of whom the file has no row'),
      ...readAs,
    }),
    {
      title: 'Make a plan',
      description:
        'Decides for each row of a file what would be done in the tenant, and writes that as a plan directory. Nothing is changed: a person approves the plan with "tenant-users plan sign".',
      words({ to, update, disable_missing: isDisabling, ...input }, at) {
        const options = [...option('key', input.key), ...option('update', update)];
        if (isDisabling) options.push('--disable-missing');
        return onFile('plan', input, at, `--to=${at(to)}`, ...options);
      },
      masked: hidePlan,
    },
  ),
  show_plan: tool(v.strictObject({ directory: path('plan directory') }), {
    title: 'Show a plan',
    description: 'The totals of a plan, and when and for which tenant it was made.',
    words: ({ directory }, at) => ['plan', 'show', '--', at(directory)],
    masked: hidePlan,
  }),
} satisfies Record<string, Tool>;

const apply = (publicKey: NamedText) =>
  tool(v.strictObject({ directory: path('plan directory') }), {
    title: 'Apply a signed plan',
    description:
      'Carries out a plan exactly as it was decided and signed. It cannot be undone. A plan without the signature of the approver is refused.',
    isWriting: true,
    stdin: publicKey,
    words: ({ directory }, at) => ['apply', '--yes', '--require-signature=-', '--', at(directory)],
    masked: hideColumns,
  });

/** The tools of a server. The only one that changes users, `apply`, requires the public key (PEM) that plans must be signed for. */
export function toolsWith(publicKey: NamedText | undefined): Record<string, Tool> {
  return { ...readOnly, ...(publicKey === undefined ? {} : { apply: apply(publicKey) }) };
}
