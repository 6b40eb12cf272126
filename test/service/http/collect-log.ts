import type { LogLevel } from '../../../src/service/http/log.ts';

/** Collects what a service logs. */
export function collectLog(level: LogLevel = 'info') {
  let text = '';
  return {
    /** Pass it to `startTestService({ log })`. */
    log: { level, to: { write: (line: string) => (text += line) } },
    text: () => text,
    /** The lines, parsed. */
    lines: () =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
