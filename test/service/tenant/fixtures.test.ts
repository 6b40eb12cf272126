import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { describeDefinition } from '../../../src/service/tenant/definition.ts';
import { readDefinition } from '../../../src/service/tenant/read-definition.ts';

const directory = resolve(import.meta.dirname, '../../../fixtures/tenants');
const files = readdirSync(directory);

test('the fixtures contain the strict tenant and an example', () => {
  expect(files.sort()).toEqual(['sports-club.json', 'strict.json']);
});

test.each(files)('%s is valid, and is named after its tenant', (file) => {
  const text = readFileSync(join(directory, file), 'utf8');
  const reading = readDefinition(text);
  expect('issues' in reading ? reading.issues : []).toEqual([]);
  if ('value' in reading) {
    expect(describeDefinition(reading.value)).toMatchObject(JSON.parse(text));
    expect(`${reading.value.tenant_id}.json`).toBe(file);
  }
});
