import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** @import { Databases } from '../databases.mjs' */

/**
 * The use of resources of a service at a moment: megabytes, numbers, and seconds of delay.
 * @typedef {Record<'memory' | 'heap' | 'external' | 'files' | 'sockets' | 'threads' | 'database' | 'log' | 'audit' |
 * 'delay' | 'unwrapped', number>} Reading
 */

const megabyte = 1024 * 1024;

/**
 * Reads a process of Linux, its metrics and its files.
 * @param {{ pid: number, metricsUrl: string, location: string, audit: string, databases: Databases }} service
 * @returns {Promise<Reading>}
 */
export async function readService({ pid, metricsUrl, location, audit, databases }) {
  const metrics = await (await fetch(metricsUrl)).text();
  const metric = (/** @type {string} */ name) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const { database, log } = await databases.sizes(location);
  return {
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    threads: Number(/Threads:\s+(\d+)/.exec(status)?.[1]),
    heap: metric('nodejs_heap_size_used_bytes') / megabyte,
    external: metric('nodejs_external_memory_bytes') / megabyte,
    ...openDescriptors(pid),
    database: database / megabyte,
    log: log / megabyte,
    audit: statSync(audit).size / megabyte,
    delay: metric('nodejs_eventloop_lag_p99_seconds') * 1000,
    unwrapped: metric('tenant_users_hashes_to_wrap'),
  };
}

/** Sockets belong to callers or to a database; they come and go. @param {number} pid */
function openDescriptors(pid) {
  const directory = `/proc/${pid}/fd`;
  const targets = readdirSync(directory).flatMap((name) => {
    try {
      return [readlinkSync(`${directory}/${name}`)];
    } catch {
      // The file was closed since the directory was read.
      return [];
    }
  });
  const sockets = targets.filter((target) => target.startsWith('socket:')).length;
  return { files: targets.length - sockets, sockets };
}
