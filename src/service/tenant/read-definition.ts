import { compileDefinition } from './compile-definition.ts';
import type { TenantDefinition } from './definition.ts';
import { readDocument } from './document-readers.ts';
import { type Fault, faultLines } from './fault.ts';
import { scanJson } from './scan-json.ts';

/** A tenant definition, or everything that is wrong with it. */
export type Reading = { definition: TenantDefinition } | { faults: Fault[] };

/**
 * Reads the JSON text of a tenant definition file; what it leaves out keeps its default. A faulty one is refused
 * whole, with all its faults; a text that is no JSON has one, which tells line and column.
 */
export function readDefinition(given: string): Reading {
  const text = given.replace(/^\uFEFF/, '');
  const faults = scanJson(text);
  if (faults.some(({ path }) => path === '')) return { faults };
  const document = readDocument(JSON.parse(text), { path: '', faults });
  return document === undefined || faults.length > 0
    ? { faults }
    : { definition: compileDefinition(document) };
}

/** The same for a text that was checked before; throws an `Error` with the faults when it is faulty all the same. */
export function definitionOf(text: string): TenantDefinition {
  const reading = readDefinition(text);
  if ('definition' in reading) return reading.definition;
  throw new Error(`a tenant definition is faulty: ${faultLines(reading.faults).join('; ')}`);
}
