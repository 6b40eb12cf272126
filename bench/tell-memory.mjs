/**
 * A module for `--import` that tells the peak memory of its process, in kilobytes, at the end. What `resourceUsage` tells
 * counts the parent too, as it was before the program was loaded in its place.
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
