import type { Device } from '../../../contract/wire.ts';

/** The options of `sso verify` and `sso ticket` that describe a device. */
export interface DeviceOptions {
  osVersion: string;
  deviceIp: string;
  deviceFingerprint: string;
  agent?: string;
}

/** The device as it is sent to the API (§4.12). */
export function deviceFromOptions({ osVersion, deviceIp, deviceFingerprint, agent }: DeviceOptions): Device {
  return {
    operating_sys_version: osVersion,
    device_ip: deviceIp,
    device_fingerprint: deviceFingerprint,
    ...(agent === undefined ? {} : { agent }),
  };
}
