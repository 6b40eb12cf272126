import type { ErrorName } from './errors.ts';
import type { LocalErrorName } from './local-errors.ts';
import type { CompanionName } from './operations.ts';

const newPassword = [
  'passwordEmpty',
  'passwordUsedBefore',
  'passwordReversedUserName',
  'passwordContainsUser',
  'passwordComplexity',
  'passwordWeak',
  'passwordRepeats',
  'passwordLength',
] as const satisfies readonly ErrorName[];

/** Refusals of the companion endpoints, which the specification does not speak of. */
export const companionErrors = {
  logIn: ['deviceHeaderMissing', 'loginLocked', 'loginRefused'],
  updatePassword: ['stateInvalid', 'loginLocked', 'loginRefused', ...newPassword],
  changePassword: ['userNotFound', ...newPassword],
  issueSsoTicket: ['ssoFieldMissing', 'sessionInvalid', 'fingerprintDiffers'],
  listKeys: [],
} as const satisfies Record<CompanionName, readonly (ErrorName | LocalErrorName)[]>;
