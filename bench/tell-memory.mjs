/**
 * A module for `--import` that prints the peak memory of its process at the end, in kilobytes. The figure of
 * `resourceUsage` includes the parent process before the program was loaded.
 */
export const tellMemory = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs';
  process.on('exit', () => {
    let peak = process.resourceUsage().maxRSS;
    try {
      peak = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
    } catch {}
    process.stderr.write('peak ' + peak + '\\n');
  });
`)}`;
