import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { CanaryList } from '../../migration/canaries/read-canaries.ts';
import type { RampStage } from '../../migration/send/ramp.ts';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { parseRowLimit } from './option-parsers.ts';
import { nameOf, readText } from './read-input.ts';

/** The stages of a ramp. `withCanaries`: the canaries come first. */
export interface RampChoice {
  withCanaries: boolean;
  stages: RampStage[];
}

/** Option parser: `canaries`, numbers of rows and percentages, separated by commas. */
export function parseRamp(text: string): RampChoice {
  const names = text.split(',');
  const withCanaries = names[0] === 'canaries';
  const stages = names.slice(withCanaries ? 1 : 0).map((name) => {
    const isNumber = /^(?!0+(?:\.0+)?%?$)\d+(?:\.\d+)?%?$/.test(name);
    if (!isNumber)
      throw new InvalidArgumentError(
        'must be canaries, numbers of rows and percentages, such as canaries,10,1%,100%',
      );
    return { name, most: parseRowLimit(name) };
  });
  return { withCanaries, stages };
}

/** Reads the canaries from a file or, for `-`, from standard input; `undefined` if no file is given. */
export async function readCanaryList(
  context: CommandContext,
  file: string | undefined,
): Promise<CanaryList | undefined> {
  if (file === undefined) return undefined;
  const { readCanaries } = await import('../../migration/canaries/read-canaries.ts');
  const name = nameOf(file);
  return { name, list: readCanaries(name, await readText(context, file)) };
}

/** Throws a `UsageError` if a ramp begins with canaries but none are given. */
export function requireRamp(ramp: RampChoice | undefined, canaries: CanaryList | undefined): void {
  if (!ramp?.withCanaries || canaries) return;
  throw new UsageError(
    '--ramp canaries requires --canary',
    'Name users whose passwords you know with --canary FILE.',
  );
}
