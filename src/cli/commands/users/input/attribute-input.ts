import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { type AttributeName, attributeNames, attributes } from '../../../../contract/attributes.ts';
import { isRecord } from '../../../../contract/is-record.ts';
import type { AttributeValues, NewUserValues, UserChanges } from '../../../../contract/wire.ts';
import type { CommandContext } from '../../../context/context.ts';
import { UsageError } from '../../../errors/errors.ts';
import { parseCommaList, parseKeyValue } from '../../../input/option-parsers.ts';
import { readJsonObject } from '../../../input/read-input.ts';

/** The flag of an attribute: `attr_nick_name` is set by `--nick-name`. */
export function flagOf(name: AttributeName): string {
  return `--${name.replace(/^attr_/, '').replaceAll('_', '-')}`;
}

/** Adds an option for each of the attributes, and `--extension`, to a command. */
export function addAttributeOptions(command: CommandUnknownOpts, names: readonly AttributeName[]): void {
  for (const name of names) {
    command.addOption(new Option(`${flagOf(name)} <value>`, attributes[name].label));
  }
  command.addOption(
    new Option('--extension <key=value>', 'extension attribute of the tenant (repeatable)').argParser(
      parseKeyValue,
    ),
  );
}

/** The attributes that a command line contains, by wire name. */
export function attributesOf(
  command: CommandUnknownOpts,
): AttributeValues & { extension?: Record<string, string> } {
  const options: Record<string, unknown> = command.opts();
  const named = attributeNames.flatMap((name): [string, unknown][] => {
    const value = options[new Option(flagOf(name)).attributeName()];
    return value === undefined ? [] : [[name, value]];
  });
  const { extension } = options;
  return Object.fromEntries(extension === undefined ? named : [...named, ['extension', extension]]);
}

/** Attributes that Modify accepts (§4.10). */
export const updatable: readonly AttributeName[] = attributeNames.filter(
  (name) => attributes[name].updatable,
);

/** Attributes that can be cleared: every user has a user name (decision 21). */
export const clearable: readonly AttributeName[] = updatable.filter((name) => name !== 'user_name');

/** Merges layers of attribute values: later ones win, and extension attributes are merged by key. */
export function mergeValues<Values extends Pick<NewUserValues, 'extension'>>(...layers: Values[]): Values {
  const extension: Record<string, string> = Object.assign({}, ...layers.map((layer) => layer.extension));
  const values: Values = Object.assign({}, ...layers);
  return Object.keys(extension).length > 0 ? { ...values, extension } : values;
}

/** Reads `--data`: a JSON object of attributes by wire name. Throws a `UsageError` for an unknown one. */
export async function readData(
  context: CommandContext,
  file: string | undefined,
  known: readonly string[],
): Promise<Record<string, unknown>> {
  if (file === undefined) return {};
  const hint = 'Write the attributes as one object: {"user_name":"ann","extension":{"age":"42"}}';
  const data = await readJsonObject(context, file, hint);
  const unknown = Object.keys(data).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new UsageError(
      `--data has unknown attributes: ${unknown.join(', ')}`,
      `Available: ${known.join(', ')}.`,
    );
  }
  const { extension = {} } = data;
  if (!isRecord(extension))
    throw new UsageError(
      'extension in --data is not a JSON object',
      'Write it as {"extension":{"age":"42"}}',
    );
  return data;
}

/** `--unset`: attributes to clear. */
export function unsetOption() {
  return new Option('--unset <attributes>', 'clear attributes, such as nick_name,extension.age').argParser(
    parseCommaList,
  );
}

/**
 * The changes of `--unset`, which clear attributes by sending them empty (decision 21). Throws a `UsageError` for an attribute
 * that is also set, or that cannot be cleared.
 */
export function clearedBy(command: CommandUnknownOpts): UserChanges {
  const { unset = [] }: { unset?: readonly string[] } = command.opts();
  const named: UserChanges = attributesOf(command);
  const changes: Record<string, unknown> & { extension?: Record<string, string> } = {};
  for (const given of unset) {
    const key = /^extension\.(.+)$/.exec(given)?.[1];
    const name = clearable.find(
      (known) => known === given || flagOf(known) === `--${given.replaceAll('_', '-')}`,
    );
    if (Object.hasOwn(named, name ?? '') || Object.hasOwn(named.extension ?? {}, key ?? '')) {
      throw new UsageError(`${given} cannot be both set and unset`, 'Remove one of the two.');
    }
    if (key !== undefined) changes.extension = { ...changes.extension, [key]: '' };
    else if (name !== undefined) changes[name] = '';
    else
      throw new UsageError(
        `--unset ${given} is not an attribute that can be cleared`,
        `Available: ${clearable.join(', ')}.`,
      );
  }
  return changes;
}
