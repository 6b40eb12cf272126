import { type AttributeName, attributeNames, attributes } from '../../../../contract/attributes.ts';
import type { NewUser } from '../../../../contract/wire.ts';
import type { KeyField } from '../../../../migration/actions/keys.ts';
import type { PasswordRule, TenantDefinition } from '../../../../service/tenant/definition.ts';
import { readSettings } from '../../../config/settings.ts';
import { onLocalDatabase } from '../../../connection/local-database.ts';
import type { CommandContext } from '../../../context/context.ts';
import { askSecret, askText, confirm, withoutEcho } from '../../../input/prompts.ts';
import { linesFor } from '../../../output/show.ts';
import { otherKeyOf } from '../selection/finders.ts';
import { flagOf } from './attribute-input.ts';

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

/**
 * The rules for the password of a new user. Those of the embedded service are known before anything is sent. Any other
 * tenant has rules of its own, which the API does not show. `check` says what is wrong with a password, as the tenant would.
 */
async function passwordRules(context: CommandContext, user: NewUser) {
  const definition = await localDefinition(context);
  if (!definition) return { text: foreign, check: async () => true as const };
  const { checkPasswordPolicy } = await import('../../../../service/passwords/policy/check-password.ts');
  const { ErrorReply } = await import('../../../../service/errors/api-error.ts');
  return {
    text: describeRules(definition.password),
    async check(password: string): Promise<true | string> {
      try {
        await checkPasswordPolicy(password, user, definition);
        return true;
      } catch (failure) {
        if (failure instanceof ErrorReply) return failure.message;
        throw failure;
      }
    },
  };
}

/** The definition of the tenant that `--local` uses; `undefined` for a service that is not embedded. */
async function localDefinition(context: CommandContext): Promise<TenantDefinition | undefined> {
  if (!readSettings(context).local) return undefined;
  const { effectiveDefinitions } = await import('../../../../service/admin/definitions.ts');
  const { definitionOf } = await import('../../../../service/tenant/definition.ts');
  const [first] = await onLocalDatabase(context, effectiveDefinitions);
  return first && definitionOf(JSON.stringify(first));
}

const foreign =
  'The tenant decides which passwords it accepts; the API does not show its rules. Typical rules: a minimum length, several kinds of characters, no repeated characters, no common password, and no part of the user name, e-mail address, mobile number or name.';

function describeRules(rule: PasswordRule): string {
  const { min_length, max_length, min_character_classes: classes, max_repeats } = rule;
  const parts = [
    `${min_length} to ${max_length} characters`,
    classes > 1
      ? `at least ${classes} of digits, lower-case letters, upper-case letters and special characters`
      : 'digits, letters of a to z and special characters only',
    `no character more than ${max_repeats === 1 ? 'once' : `${max_repeats} times`} in a row`,
    rule.forbid_reversed_user_name && 'not the reversed user name',
    rule.forbid_user_information &&
      'without the user name, the mobile number, the beginning of the e-mail address or the name',
    rule.forbid_weak && 'no weak one, such as a word that many people use',
  ];
  return `The password must have: ${parts.filter(Boolean).join('; ')}.`;
}
