import type { AddressInfo } from 'node:net';
import { type OpenOptions, type OpenService, openService } from './open-service.ts';

/** How to start the local service. */
export interface ServiceOptions extends OpenOptions {
  host?: string;
  /** 0 takes any free port. */
  port?: number;
}

/** A service that accepts connections. */
export interface RunningService extends Omit<OpenService, 'answer'> {
  baseUrl: string;
}

/** Starts the service on one database; rejects when the database or the port cannot be opened. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { host = '127.0.0.1', port = 0 } = options;
  const { app, tenants, drain, close } = await openService(options);
  try {
    await app.listen({ host, port });
  } catch (error) {
    await close();
    throw error;
  }
  const address = app.server.address() as AddressInfo;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return {
    baseUrl: `${options.tls ? 'https' : 'http'}://${shownHost}:${address.port}`,
    tenants,
    drain,
    close,
  };
}
