import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { attributeNames, attributes } from '../../../contract/attributes.ts';
import { commandThere } from '../../../migration/model/job.ts';
import type { ActionLimit } from '../../../migration/plan/action-limits.ts';
import type { KnownJob } from '../../../migration/records/job-status.ts';
import { asOperand, quoteWord } from '../../../text/shell-quote.ts';
import { UsageError } from '../../errors/errors.ts';
import { parseRowLimit } from '../../input/option-parsers.ts';

/** Fields that the API cannot update, and why. They are rejected before the file is read. */
const unchangeable: Readonly<Record<string, string>> = {
  external_id: 'the API cannot change an external ID',
  pwd_must_modify: 'the API cannot change pwd_must_modify of a user who is there',
  hash: 'the API cannot change the password hash of a user who is there',
  value: 'the API cannot change the password hash of a user who is there',
  algorithm: 'the API cannot change the password hash of a user who is there',
  disabled: 'disabling is not an update; see --disable-missing',
};

/** Option parser: `--update`; fields of an earlier `--update` are added. */
export function parseUpdate(text: string, before: string | true | undefined): string {
  return typeof before === 'string' ? `${before},${text}` : text;
}

/** Checks the fields of `--update`; `all`, or no value, means all. Throws a `UsageError` for one that cannot be updated. */
export function readUpdate(given: string | true | undefined): readonly string[] | 'all' | undefined {
  if (given === undefined) return undefined;
  if (given === true || given === 'all') return 'all';
  const fields = given.split(',').map((name) => name.trim());
  for (const field of fields) {
    const reason = unchangeable[field];
    if (reason !== undefined) throw new UsageError(`--update ${field}: ${reason}`, 'Leave it out.');
    if (updatable.includes(field) || /^extension\../.test(field)) continue;
    throw new UsageError(
      `--update: unknown field ${JSON.stringify(field)}`,
      `Available: ${updatable.join(', ')}, extension.<key>.`,
    );
  }
  return fields;
}

const updatable: readonly string[] = attributeNames.filter((name) => attributes[name].updatable);

const limitedKinds = ['create', 'update', 'disable', 'conflict', 'cannot', 'invalid'] as const;

/** `--at-most`: how many actions of a kind a plan may have. `otherwise`: the default, for the help. */
export function atMostOption(otherwise: string) {
  return new Option(
    '--at-most <kind=number>',
    `refuse a plan with more, such as disable=2% (repeatable; default: ${otherwise})`,
  ).argParser(parseActionLimit);
}

/** Option parser: a repeatable `KIND=NUMBER` or `KIND=PERCENT%`. */
function parseActionLimit(text: string, before: ActionLimit[] | undefined): ActionLimit[] {
  const [name, most = ''] = text.split('=', 2);
  const kind = limitedKinds.find((one) => one === name);
  if (kind === undefined)
    throw new InvalidArgumentError(
      `must be KIND=NUMBER or KIND=PERCENT%, such as disable=2%; kinds: ${limitedKinds.join(', ')}`,
    );
  return [...(before ?? []), { kind, most: parseRowLimit(most) }];
}

/** Advice to read a file as an earlier job did, with that job's command; that of a plan which was applied says nothing of the file. */
export async function sameOptionsAs({ command, status }: KnownJob): Promise<string> {
  if (status.kind === 'plan') {
    const { readPlan } = await import('../../../migration/plan/document/plan-document.ts');
    const { readingWords } = await import('../../../migration/input/reading-words.ts');
    const { file, reading } = readPlan(status.job);
    const words = [asOperand(file.path), ...readingWords(reading)].map(quoteWord);
    return `give the same options for the file as its plan:\n  tenant-users plan ${words.join(' ')}`;
  }
  const was = command ? `:\n  ${commandThere(command, command.words)}` : '';
  return `give the same options for the file as its command had${was}`;
}
