import { shownDatabase } from '../../text/database-location.ts';
import { checkBaseUrl, isLoopback, readSettings } from '../config/settings.ts';
import type { CommandContext } from '../context/context.ts';
import { say } from '../output/show.ts';
import { embeddedService } from './embedded-service.ts';

/** Where a command writes. */
export interface TargetTenant {
  /** Profile, address and application, for a person. */
  description: string;
  /** The base URL; the embedded service has none. */
  address: string | undefined;
  /** What a person types to show that this tenant is meant: the host, since no call tells the tenant's name. */
  host: string;
  /** A service on this machine. */
  isLoopback: boolean;
  /** The embedded service, whose database belongs to this person. */
  isEmbedded: boolean;
}

/**
 * The target that options, environment and profile name. Throws what is wrong with its address, before it is shown: a URL may
 * hold credentials.
 */
export function targetTenant(context: CommandContext): TargetTenant {
  const { local, baseUrl, clientId, profileName, profile } = readSettings(context);
  const isProfiles = profile && (local ?? baseUrl)?.origin === 'profile';
  const by = isProfiles ? `profile ${JSON.stringify(profileName.value)}, ` : '';
  if (local) {
    const host = shownDatabase(local.value);
    return {
      description: `${by}${embeddedService(local.value)}`,
      address: undefined,
      host,
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

/** Names the target, as the first line of a command that writes; like all notices not with `--quiet` and `--json`. */
export function sayTarget(context: CommandContext): void {
  const { local, baseUrl } = readSettings(context);
  // Without an address the error that follows says what is missing.
  if (local || baseUrl) say(context, `Target: ${targetTenant(context).description}`);
}
