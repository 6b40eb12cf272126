import { Terminal } from '@xterm/headless';

/** What a program did not restore on a terminal; an empty list if it restored everything. */
export type Leftover = 'hidden cursor' | 'alternate screen' | 'style' | 'input mode' | 'unfinished line';

/** An emulator of a terminal, and what can be seen on it. */
export interface Screen {
  terminal: Terminal;
  /** Resolves when everything that was written is on the screen. */
  parsed(): Promise<void>;
  /** The lines of the window, without blanks at their ends and empty lines below. */
  window(): Promise<string>;
  /** The same, with all lines that have left the window at its top. */
  scrollback(): Promise<string>;
  /** Call it when the program has ended: it writes a character, and removes it. */
  leftovers(): Promise<Leftover[]>;
}

/** Opens an empty screen; with `convertEol` a line feed begins a line, as the driver of a terminal makes it. */
export function openScreen(options: { cols: number; rows: number; convertEol?: boolean }): Screen {
  const terminal = new Terminal({ ...options, scrollback: 100_000, allowProposedApi: true });
  const cursor = watchCursor(terminal);
  const parsed = () => new Promise<void>((resolve) => terminal.write('', resolve));

  async function linesFrom(first: () => number): Promise<string> {
    await parsed();
    const { active } = terminal.buffer;
    const from = first();
    const lines = Array.from({ length: active.length - from }, (_, index) =>
      active
        .getLine(from + index)
        ?.translateToString(true)
        .trimEnd(),
    );
    return lines.join('\n').trimEnd();
  }

  return {
    terminal,
    parsed,
    window: () => linesFrom(() => terminal.buffer.active.baseY),
    scrollback: () => linesFrom(() => 0),
    leftovers: () => parsed().then(() => leftoversOf(terminal, cursor)),
  };
}

/** The emulator does not report whether its cursor is hidden. */
function watchCursor({ parser }: Terminal): { hidden: boolean } {
  const cursor = { hidden: false };
  for (const [final, hidden] of [
    ['l', true],
    ['h', false],
  ] as const) {
    parser.registerCsiHandler({ prefix: '?', final }, (modes) => {
      if (modes.includes(25)) cursor.hidden = hidden;
      return false;
    });
  }
  return cursor;
}

/** Writes a character after the program's last one, which shows the present style, and removes it. */
async function leftoversOf(terminal: Terminal, cursor: { hidden: boolean }): Promise<Leftover[]> {
  const { modes, buffer } = terminal;
  const { active } = buffer;
  const column = active.cursorX;
  await new Promise<void>((resolve) => terminal.write('x', resolve));
  const plain = active
    .getLine(active.baseY + active.cursorY)
    ?.getCell(active.cursorX - 1)
    ?.isAttributeDefault();
  await new Promise<void>((resolve) => terminal.write('\b \b', resolve));
  const { applicationCursorKeysMode, applicationKeypadMode, bracketedPasteMode, mouseTrackingMode } = modes;
  const input =
    applicationCursorKeysMode || applicationKeypadMode || bracketedPasteMode || mouseTrackingMode !== 'none';
  const found: Record<Leftover, boolean> = {
    'hidden cursor': cursor.hidden,
    'alternate screen': active.type === 'alternate',
    style: plain === false,
    'input mode': input,
    'unfinished line': column !== 0,
  };
  return (Object.keys(found) as Leftover[]).filter((name) => found[name]);
}
