import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { draftOf, uniqueDraftOf } from './job-files.ts';

export type FileDraft = Awaited<ReturnType<typeof openDraft>>;

const memorySize = 1 << 17;
const encoder = new TextEncoder();

/**
 * Opens a draft: a file that is written beside another one, readable by its owner only (0600), and replaces it when complete.
 * Anything that has its name, such as the draft of a run that was killed, is removed, not followed.
 */
export async function openDraft(path: string, draft = draftOf(path)) {
  rmSync(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  // One buffer for all texts: Node.js would create one for each, and V8 keeps many megabytes of them for long lists.
  const memory = Buffer.allocUnsafe(memorySize);
  let isReplaced = false;
  return {
    async write(text: string): Promise<void> {
      for (let at = 0; at < text.length; ) {
        const { read, written } = encoder.encodeInto(text.slice(at), memory);
        await file.writeFile(memory.subarray(0, written));
        at += read;
      }
    },
    /** Flushes the draft to disk and closes it. */
    async end(): Promise<void> {
      await file.sync();
      await file.close();
    },
    /** Replaces the other file. After a power failure one of the two is there, whole. */
    replace(): void {
      renameDurably(draft, path);
      isReplaced = true;
    },
    /** Deletes the draft, unless it has replaced the other file. */
    async discard(): Promise<void> {
      if (isReplaced) return;
      await file.close();
      rmSync(draft, { force: true });
    },
  };
}

/** Writes a whole file, which replaces an earlier one. */
export async function replaceFile(
  path: string,
  content: string | Iterable<string>,
  draftPath = draftOf(path),
): Promise<void> {
  const draft = await openDraft(path, draftPath);
  try {
    for (const text of typeof content === 'string' ? [content] : content) await draft.write(text);
    await draft.end();
    draft.replace();
  } finally {
    await draft.discard();
  }
}

/** Does the same for a path that a person gave: the draft has a name of its own, since the usual one may be a file of theirs. */
export function replaceNamedFile(path: string, content: string | Iterable<string>): Promise<void> {
  return replaceFile(path, content, uniqueDraftOf(path));
}

/** True if a result may have the name: there is no such file, or an empty one, or one that begins like an earlier result. */
export function mayReplace(path: string, begin: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return !found || found.size === 0 || beginsWith(path, begin);
}

export function beginsWith(path: string, text: string): boolean {
  const wanted = Buffer.from(text);
  const start = Buffer.alloc(wanted.length);
  const handle = openSync(path, 'r');
  try {
    readSync(handle, start);
  } finally {
    closeSync(handle);
  }
  return start.equals(wanted);
}

/** Renames a file whose content is on disk, and flushes the new name to disk. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncDirectory(dirname(to));
}

/** Flushes the file names of a directory to disk, if the system can. */
export function syncDirectory(directory: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(directory, 'r');
    fsyncSync(handle);
  } catch {
    // Windows and some network file systems cannot; the content is on disk, and the name will be soon.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
