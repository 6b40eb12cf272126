import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { type AttributeName, attributeNames, attributes } from '../../../contract/attributes.ts';
import type { AttributeValues } from '../../../contract/wire.ts';
import { keyValue } from '../../parse.ts';

/** The flag of an attribute: `attr_nick_name` is set by `--nick-name`. */
export function flagOf(name: AttributeName): string {
  return `--${name.replace(/^attr_/, '').replaceAll('_', '-')}`;
}

/** Gives a command a flag for each of the attributes, and `--extension`. */
export function addAttributeOptions(command: CommandUnknownOpts, names: readonly AttributeName[]): void {
  for (const name of names) {
    command.addOption(new Option(`${flagOf(name)} <value>`, attributes[name].label));
  }
  command.addOption(
    new Option('--extension <key=value>', "attribute of the tenant's own (repeatable)").argParser(keyValue),
  );
}

/** The attributes that a command line names, by wire name; nothing else is sent. */
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

/** Every attribute of the contract. */
export const creatable: readonly AttributeName[] = attributeNames;

/** Those that Modify accepts (§4.10). */
export const updatable: readonly AttributeName[] = attributeNames.filter(
  (name) => attributes[name].updatable,
);
