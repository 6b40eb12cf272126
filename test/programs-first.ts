import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files with one of these words start programs. */
const starter =
  /from '(?:node:child_process|\.[./\w-]*\/(?:start-(?:program|terminal|shell|logged-in)|sessions|serve-process)\.ts)'/;

/**
 * Runs the files that start programs while the workers are small: a start copies the tables of the worker's memory,
 * which takes 18 ms at 700 MB and less than one at the beginning. Otherwise the order is that of Vitest: the longest
 * first.
 */
export class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      const starting = new Set(own.filter(({ moduleId }) => starter.test(readFileSync(moduleId, 'utf8'))));
      return [...starting, ...own.filter((file) => !starting.has(file))];
    });
  }
}
