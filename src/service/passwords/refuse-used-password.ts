import { refusal } from '../refusal.ts';
import { matchesStored } from './stored-password.ts';

/** Throws `passwordUsedBefore` when a new password is one of those that are stored, in whatever scheme (§7.3). */
export async function refuseUsedPassword(password: string, used: readonly string[]): Promise<void> {
  for (const stored of used) {
    if (await matchesStored(stored, password)) throw refusal('passwordUsedBefore');
  }
}
