import type { Device } from '../../../contract/wire.ts';

/** The device as `sso verify` and `sso ticket` are told of it. */
export interface DeviceOptions {
  osVersion: string;
  deviceIp: string;
  deviceFingerprint: string;
  agent?: string;
}

/** The device as the API is told of it (§4.12). */
export function deviceFromOptions({ osVersion, deviceIp, deviceFingerprint, agent }: DeviceOptions): Device {
  return {
    operating_sys_version: osVersion,
    device_ip: deviceIp,
    device_fingerprint: deviceFingerprint,
    ...(agent === undefined ? {} : { agent }),
  };
}
