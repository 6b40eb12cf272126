import { shownDatabase } from '../../text/database-location.ts';
import { checkBaseUrl, isLoopback } from '../config/base-url.ts';
import { readTargetSettings } from '../config/settings.ts';
import type { CommandContext } from '../context/context.ts';
import { say } from '../output/show.ts';
import { embeddedService } from './embedded-service.ts';

/**
 * The target that options, environment and profile select. Throws if its address is invalid, before the address is shown: a URL
 * may contain credentials. `address`: the base URL; none for the embedded service, which is the person's own. `host`: what a person
 * types to confirm this tenant, because no call returns its name.
 */
export function targetTenant(context: CommandContext) {
  const { local, baseUrl, clientId, profileName, profile } = readTargetSettings(context);
  const isProfiles = profile && (local ?? baseUrl)?.origin === 'profile';
  const by = isProfiles ? `profile ${JSON.stringify(profileName.value)}, ` : '';
  if (local) {
    return {
      description: `${by}${embeddedService(local.value, context.env)}`,
      address: undefined,
      host: shownDatabase(local.value, context.env),
      isLoopback: true,
      isEmbedded: true,
    };
  }
  const address = baseUrl ? checkBaseUrl(baseUrl) : '';
  const application = clientId ? ` (client id ${clientId.value})` : '';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return {
    description: `${by}${address}${application}`,
    address: url?.href,
    host: url?.host ?? address,
    isLoopback: url !== undefined && isLoopback(url.hostname),
    isEmbedded: false,
  };
}

/** Names the target in the first line of a command that writes. Like all notices, silent with `--quiet` and `--json`. */
export function sayTarget(context: CommandContext): void {
  const { local, baseUrl } = readTargetSettings(context);
  // Without an address, the error that follows says what is missing.
  if (local || baseUrl) say(context, `Target: ${targetTenant(context).description}`);
}
