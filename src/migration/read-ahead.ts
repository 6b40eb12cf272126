/** What a reading came to: the next list, the end, or what it failed with. */
type Read<Item> = { list: readonly Item[] } | { failure: unknown } | 'end';

/** Hands out the items of lists one by one, without a promise for each, and keeps one list ahead. */
export interface ReadAhead<Item> {
  /**
   * The next item; `undefined` when it has not been read yet, or there is none. Throws what the reading failed with, after
   * the last item before.
   */
  take(): Item | undefined;
  /** True when the last item has been taken. */
  hasEnded(): boolean;
  /** Ends the reading. */
  stop(): Promise<void>;
}

/** Begins to read; `onRead` is told each time there is more to take, or nothing more. */
export function readAhead<Item>(
  lists: AsyncGenerator<readonly Item[], void>,
  onRead: () => void,
): ReadAhead<Item> {
  let list: readonly Item[] = [];
  let at = 0;
  let ahead: Read<Item> | undefined;

  function came(read: Read<Item>): void {
    ahead = read;
    onRead();
  }

  function read(): void {
    ahead = undefined;
    lists.next().then(
      ({ done, value }) => came(done ? 'end' : { list: value }),
      (failure: unknown) => came({ failure }),
    );
  }

  read();
  return {
    take() {
      while (at === list.length) {
        if (!ahead || ahead === 'end') return undefined;
        if ('failure' in ahead) throw ahead.failure;
        list = ahead.list;
        at = 0;
        read();
      }
      at += 1;
      return list[at - 1];
    },
    hasEnded: () => at === list.length && ahead === 'end',
    stop: () => lists.return().then(() => {}),
  };
}
