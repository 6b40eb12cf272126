import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { TestWorld } from '../../world.ts';

/** The result of a command. */
type Ended = Awaited<ReturnType<TestWorld['run']>>;

/** What is wrong with a value by a schema that the program printed; the schema itself must be valid in strict mode. */
export function faultsBy(schema: object, value: unknown): unknown[] {
  const validate = compiled.get(schema) ?? validatorOf(JSON.stringify(schema));
  compiled.set(schema, validate);
  return validate(value) ? [] : (validate.errors ?? []);
}

function validatorOf(text: string): ValidateFunction {
  const validate = compiledTexts.get(text) ?? ajv.compile(JSON.parse(text));
  compiledTexts.set(text, validate);
  return validate;
}

/**
 * One validator for all tests, since each compiles the meta-schema first. It stores no schema, as several may have the
 * same id.
 */
const ajv = new Ajv2020({ strict: true, allErrors: true, addUsedSchema: false });

/** Compiling takes far longer than validating, and `explain` prints hundreds of lines. */
const compiled = new WeakMap<object, ValidateFunction>();

/** A schema that is printed again is another object with the same text. */
const compiledTexts = new Map<string, ValidateFunction>();

/** The schema as `schema` prints it. */
export async function printedSchema({ run }: Pick<TestWorld, 'run'>, ...args: string[]): Promise<object> {
  const { exitCode, stdout, stderr } = await run('schema', ...args);
  expect({ exitCode, stderr }, args.join(' ')).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Checks that a failure with `--json` is one line on stderr that matches the schema of errors. Returns its code. */
export async function expectErrorLine(world: Pick<TestWorld, 'run'>, { stderr }: Ended): Promise<string> {
  expect(stderr).toMatch(/^[^\n]+\n$/);
  const told = JSON.parse(stderr);
  expect(faultsBy(await printedSchema(world, 'error'), told)).toEqual([]);
  return told.error.code;
}
