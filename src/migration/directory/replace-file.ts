import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { draftOf } from './job-files.ts';

/** A file that is written beside another, for its owner's eyes (0600), and takes its place when it is complete. */
export interface FileDraft {
  write(text: string): Promise<void>;
  /** Has the disk hold all of it. */
  end(): Promise<void>;
  /** Takes the place, so that after a loss of power there is a whole file too: the one before or this one. */
  replace(): void;
  /** Gives the draft up, where it has not taken its place. */
  discard(): Promise<void>;
}

const memorySize = 1 << 17;
const encoder = new TextEncoder();

/** Begins a draft. What stands in its place, as a run that was killed may leave it, is never followed. */
export async function openDraft(path: string): Promise<FileDraft> {
  const draft = draftOf(path);
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  // One memory for all texts: Node.js would make a buffer for each, of which V8 keeps many megabytes of long lists.
  const memory = Buffer.allocUnsafe(memorySize);
  let isReplaced = false;
  return {
    async write(text) {
      for (let at = 0; at < text.length; ) {
        const { read, written } = encoder.encodeInto(text.slice(at), memory);
        await file.writeFile(memory.subarray(0, written));
        at += read;
      }
    },
    async end() {
      await file.sync();
      await file.close();
    },
    replace() {
      renameDurably(draft, path);
      isReplaced = true;
    },
    async discard() {
      if (isReplaced) return;
      await file.close();
      await rm(draft, { force: true });
    },
  };
}

/** Writes a file whole, in place of another. */
export async function replaceFile(path: string, content: string | Iterable<string>): Promise<void> {
  const draft = await openDraft(path);
  try {
    for (const text of typeof content === 'string' ? [content] : content) await draft.write(text);
    await draft.end();
    draft.replace();
  } finally {
    await draft.discard();
  }
}

/** Renames a file that the disk holds, and has it hold the name. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncDirectory(dirname(to));
}

/** Has the disk hold the names in a directory, where the system can. */
export function syncDirectory(directory: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(directory, 'r');
    fsyncSync(handle);
  } catch {
    // Windows and some network file systems cannot; the content is there, and the name soon.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
