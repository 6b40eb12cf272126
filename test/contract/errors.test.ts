import { expect, test } from 'vitest';
import specification from '../../fixtures/error-codes.json' with { type: 'json' };
import { type ErrorEntry, errorCatalogue, localErrors, tokenErrors } from '../../src/contract/errors.ts';
import { operations } from '../../src/contract/operations.ts';

const entries: ErrorEntry[] = Object.values(errorCatalogue);
const localEntries: ErrorEntry[] = Object.values(localErrors);

/** Codes that the specification lists for an endpoint, by its section. */
function listedFor(section: string): string[] {
  const marks: Record<string, string> = { '4.3': 'C', '4.4': 'H', '4.10': 'M' };
  const mark = marks[section];
  const marked = mark
    ? specification.table.filter(({ on }) => on.includes(mark)).map(({ code }) => code)
    : [];
  const listings: Record<string, string[]> = specification.listings;
  return [...marked, ...(listings[section] ?? [])].sort();
}

test('the catalogue has the codes and messages of the specification, and no others', () => {
  const told = entries.map(({ code, message }) => ({ code, message }));
  const written = specification.table.map(({ code, message }) => ({ code, message }));
  expect(told).toHaveLength(47);
  expect(told.sort(byCode)).toEqual(written.sort(byCode));
});

test.each(Object.entries(operations))(
  '%s lists the codes that the specification lists',
  (name, operation) => {
    const listed = entries
      .filter(({ on }) => (on as readonly string[]).includes(name))
      .map(({ code }) => code);
    // The specification lists no errors for the ticket exchange (§4.12), and errors of the local service are not in
    // this list.
    expect(listed.sort()).toEqual(listedFor(operation.section));
  },
);

test('every code of the specification is listed for some operation', () => {
  expect(entries.filter(({ on }) => on.length === 0)).toEqual([]);
});

test('every API error of the specification has the status 400', () => {
  expect(entries.filter(({ status = 400 }) => status !== 400)).toEqual([]);
});

test('code 0022 does not exist', () => {
  expect([...entries, ...localEntries].map(({ code }) => code)).not.toContain('SVC.TENANT.USER.0022');
});

test('no API error lists an endpoint twice', () => {
  for (const { on } of [...entries, ...localEntries]) expect(new Set(on).size).toBe(on.length);
});

test('no two API errors share a code, those of the local service included', () => {
  const codes = [...entries, ...localEntries].map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
});

test('no two API errors share a name, those of the local service included', () => {
  const names = [...Object.keys(errorCatalogue), ...Object.keys(localErrors), ...Object.keys(tokenErrors)];
  expect(new Set(names).size).toBe(names.length);
});

test('codes of the local service do not belong to a family of the specification', () => {
  const family = (code: string) => code.replace(/\.\d+$/, '');
  const families = new Set(entries.map(({ code }) => family(code)));
  expect(localEntries.filter(({ code }) => families.has(family(code)))).toEqual([]);
});

test('only an operation for which the specification lists no errors lists a code of the local service', () => {
  const listing = localEntries.flatMap(({ on }) => on).filter((name) => name in operations);
  expect(new Set(listing)).toEqual(new Set(['verifySsoTicket']));
});

test('the token errors of §4.1 and §5.3, and that of scopes, are known', () => {
  expect(Object.keys(tokenErrors).sort()).toEqual([
    'insufficient_scope',
    'invalid_client',
    'invalid_request',
    'invalid_token',
    'unsupported_grant_type',
  ]);
});

function byCode(one: { code: string }, other: { code: string }): number {
  return one.code < other.code ? -1 : 1;
}
