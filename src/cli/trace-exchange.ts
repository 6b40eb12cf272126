import type { Exchange, OnExchange } from '../client/on-exchange.ts';
import { printable } from './formats/cell.ts';
import type { Session } from './world.ts';

/**
 * With `--verbose`, writes a line on stderr for each exchange: no header, no body, no secret; with `--json` as well.
 * Another watcher is told before.
 */
export function traceOf(session: Session, watch?: OnExchange): { onExchange?: OnExchange } {
  if (!session.options.verbose) return watch ? { onExchange: watch } : {};
  return {
    onExchange: (exchange) => {
      watch?.(exchange);
      const time = new Date(session.now()).toISOString();
      session.stderr.write(`${printable(`${time} ${describeExchange(exchange)}`)}\n`);
    },
  };
}

/** An exchange in words: `GET /api/v2/tenant/users?offset=0&limit=20 → 200 in 12 ms, 3.4 kB`. */
function describeExchange(exchange: Exchange): string {
  const { method, path, status, fault, milliseconds, bytes, attempt } = exchange;
  const outcome = status ?? `no answer (${fault})`;
  const size = bytes === undefined ? '' : `, ${sizeOf(bytes)}`;
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${method} ${path} → ${outcome} in ${Math.round(milliseconds)} ms${size}${again}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
