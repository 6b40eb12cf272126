import type { Fault } from './fault.ts';
import type { Reader } from './readers.ts';
import { scanJson } from './scan-json.ts';

/** Reads a JSON text whole, or gives all its faults; a text that is no JSON has one, which tells line and column. */
export function readJson<T>(given: string, read: Reader<T>): { value: T } | { faults: Fault[] } {
  const text = given.replace(/^\uFEFF/, '');
  const faults = scanJson(text);
  if (faults.some(({ path }) => path === '')) return { faults };
  const value = read(JSON.parse(text), { path: '', faults });
  return value === undefined || faults.length > 0 ? { faults } : { value };
}
