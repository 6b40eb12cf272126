import { expect } from 'vitest';
import { startTerminal, terminalTest } from './start-terminal.ts';

const script = (code: string) => ({ command: [process.execPath, '-e', code] as const });

terminalTest('the screen shows what a person sees, and raw what was sent', async () => {
  const terminal = await startTerminal(['--version'], { columns: 30 });
  expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
  expect(await terminal.screen()).toMatch(/^\d+\.\d+\.\d+$/);
  expect(terminal.raw()).toMatch(/^\d+\.\d+\.\d+\r\n$/);
  expect(await terminal.leftovers()).toEqual([]);
});

terminalTest('scrollback keeps the lines that have left the window', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const terminal = await startTerminal(
    [],
    script(`process.stdout.write(${JSON.stringify(lines.join('\n'))})`),
  );
  await terminal.exited;
  expect(await terminal.screen()).toBe(lines.slice(16).join('\n'));
  expect(await terminal.scrollback()).toBe(lines.join('\n'));
});

terminalTest.each([
  ['\\x1b[?25l', 'hidden cursor'],
  ['\\x1b[?1049h', 'alternate screen'],
  ['\\x1b[31m', 'style'],
  ['\\x1b[?2004h', 'input mode'],
  ['text', 'unfinished line'],
])('leftovers finds what a program does not restore after %s: %s', async (sent, left) => {
  const terminal = await startTerminal([], script(`process.stdout.write('${sent}')`));
  expect(await terminal.leftovers()).toEqual([left]);
});

terminalTest('the terminal types, resizes and sends signals', async () => {
  const terminal = await startTerminal([], {
    ...script(`
      const tell = () => console.log(process.stdout.columns + ' columns');
      process.stdout.on('resize', tell);
      process.stdin.on('data', (typed) => console.log('read ' + String(typed).trim()));
      tell();`),
    env: { NO_COLOR: '1' },
  });
  await terminal.waitFor('80 columns');
  terminal.type('hello\r');
  await terminal.waitFor('read hello');
  terminal.resize(50, 20);
  await terminal.waitFor('50 columns');
  terminal.kill('SIGTERM');
  expect(await terminal.exited).toEqual({ exitCode: 0, signal: 15 });
});

terminalTest(
  'if the program ends before the text that is waited for, the error shows the screen',
  async () => {
    const terminal = await startTerminal([], script('process.stdout.write("something else")'));
    await expect(terminal.waitFor('never')).rejects.toThrow('something else');
  },
);
