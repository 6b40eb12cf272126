import type { NewUser } from '../../contract/wire.ts';
import type { PasswordRule, TenantDefinition } from '../../service/tenant/definition.ts';
import { readSettings } from '../config/settings.ts';
import type { CommandContext } from '../context/context.ts';
import { onLocalDatabase } from './local-database.ts';

/**
 * The rules for the password of a new user. Those of the embedded service are known before anything is sent. Any other
 * tenant has rules of its own, which the API does not show. `check` says what is wrong with a password, as the tenant would.
 */
export async function passwordRules(context: CommandContext, user: NewUser) {
  const definition = await localDefinition(context);
  if (!definition) return { text: foreign, check: async () => true as const };
  const { checkPasswordPolicy } = await import('../../service/passwords/policy/check-password.ts');
  const { ErrorReply } = await import('../../service/errors/api-error.ts');
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
export async function localDefinition(context: CommandContext): Promise<TenantDefinition | undefined> {
  if (!readSettings(context).local) return undefined;
  const { effectiveDefinitions } = await import('../../service/admin/definitions.ts');
  const { definitionOf } = await import('../../service/tenant/definition.ts');
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
