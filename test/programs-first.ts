import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files with one of these words start programs. */
const starter =
  /from '(?:node:child_process|\.[./\w-]*\/(?:start-(?:program|terminal|shell|logged-in)|sessions|serve-process)\.ts)'/;

/** Files with one of these words may answer prompts in the worker. */
const prompting = /\/open-terminal\.ts'|isTTY: true/;

/**
 * Runs the files that start programs while the workers are small: a start copies the tables of the worker's memory,
 * which takes 18 ms at 700 MB and less than one at the beginning. Files with prompts come last, since a prompt uses an
 * `AsyncLocalStorage`: from then on Node.js follows each promise of the worker, and all that comes takes 7 % more
 * processor time. Otherwise the order is that of Vitest: the longest first.
 */
export class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      const placeOf = ({ moduleId }: TestSpecification) => {
        const text = readFileSync(moduleId, 'utf8');
        return prompting.test(text) ? 2 : starter.test(text) ? 0 : 1;
      };
      const places = new Map(own.map((file) => [file, placeOf(file)]));
      return [0, 1, 2].flatMap((place) => own.filter((file) => places.get(file) === place));
    });
  }
}
