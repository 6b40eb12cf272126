import type { Reporter, TestModule } from 'vitest/node';

/** From this number of files on, it is worth knowing what takes the time. */
const manyFiles = 50;
const shown = 10;

/** Prints at the end of a large run which files and tests took longest, and its counts as one plain line. */
export const slowestReporter: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length < manyFiles) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const files = modules.map((module) => ({ time: module.diagnostic().duration, name: nameOf(module) }));
    const cases = tests.map((test) => ({
      time: test.diagnostic()?.duration ?? 0,
      name: `${nameOf(test.module)}: ${test.fullName}`,
    }));
    const counts = (['passed', 'failed', 'skipped'] as const).map(
      (state) => `${tests.filter((test) => test.result().state === state).length} ${state}`,
    );
    const lines = ['', 'Slowest files:', ...slowest(files), '', 'Slowest tests:', ...slowest(cases), ''];
    process.stdout.write(`${[...lines, counts.join(', ')].join('\n')}\n`);
  },
};

function slowest(entries: { time: number; name: string }[]): string[] {
  const sorted = entries.sort((one, other) => other.time - one.time).slice(0, shown);
  return sorted.map(({ time, name }) => `${(time / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

function nameOf({ project, relativeModuleId }: TestModule): string {
  return `${project.name} ${relativeModuleId}`;
}
