import { type AttributeName, attributeNames, attributes } from '../../../contract/attributes.ts';
import type { NewUser } from '../../../contract/wire.ts';
import type { KeyField } from '../../../migration/actions/keys.ts';
import { localDefinition, passwordRules } from '../../connection/password-rules.ts';
import type { CommandContext } from '../../context/context.ts';
import { askSecret, askText, confirm } from '../../input/prompts.ts';
import { withoutEcho } from '../../input/without-echo.ts';
import { linesFor } from '../../output/show.ts';
import { flagOf } from './attribute-input.ts';
import { otherKeyOf } from './finders.ts';

/** The label of an attribute, with a capital letter. */
function titleOf(name: AttributeName): string {
  const { label } = attributes[name];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Attributes by which people know a user. */
const usual: readonly AttributeName[] = ['user_name', 'name', 'email', 'mobile'];

/**
 * Asks a person for a new user: for the usual attributes, which can be left empty, and for those that the embedded
 * service's tenant requires.
 */
export async function askNewUser(context: CommandContext): Promise<NewUser> {
  const definition = await localDefinition(context);
  const required = attributeNames.filter((name) => definition?.attributes[name].required);
  const asked = new Set([...usual, ...required]);
  const values: Partial<Record<AttributeName, string>> = {};
  for (const name of asked) {
    const isOptional = !required.includes(name);
    const message = `${titleOf(name)}${isOptional ? ' (empty: none)' : ''}`;
    const value = await askText(context, { message, instead: 'the options of the attributes', isOptional });
    if (value !== '') values[name] = value;
  }
  const extension: Record<string, string> = {};
  for (const [key, rule] of definition?.extension ?? []) {
    if (!rule.required) continue;
    extension[key] = await askText(context, { message: rule.display_name, instead: '--extension' });
  }
  return Object.keys(extension).length > 0 ? { ...values, extension } : values;
}

/** Asks for a key of a user who may not exist yet: for `field`, or else for any, which is recognized by its form. */
export async function askKey(context: CommandContext, field: KeyField | undefined): Promise<NewUser> {
  if (field !== undefined)
    return { [field]: await askText(context, { message: titleOf(field), instead: flagOf(field) }) };
  const message = 'User name, e-mail address or mobile number';
  const given = await askText(context, { message, instead: '--user-name, --email or --mobile' });
  const { finder = '' } = otherKeyOf(given) ?? {};
  if (finder.startsWith('--by-email')) return { email: given };
  return finder.startsWith('--by-mobile') ? { mobile: given } : { user_name: given };
}

/** Asks whether a new user gets a password now, and for that password. */
export async function askLogin(context: CommandContext, user: NewUser): Promise<Pick<NewUser, 'pwd'>> {
  const message = 'Give the user a password now?';
  return (await confirm(context, message)) ? { pwd: await askNewPassword(context, user) } : {};
}

/** Shows the known rules, asks for a new password, and asks for it again, so that a typing error is noticed. */
export async function askNewPassword(context: CommandContext, user: NewUser): Promise<string> {
  const instead = '--password-stdin or --password-file';
  const { text, check } = await passwordRules(context, user);
  // This is part of the question, so it is shown with --quiet as well.
  context.stderr.write(`${linesFor(context, text)}\n`);
  return withoutEcho(context, async () => {
    const password = await askSecret(context, 'Password', instead, check);
    const isSame = (answer: string) => answer === password || 'It is not the same password.';
    return askSecret(context, 'The same password again', instead, isSame);
  });
}
