import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file for its owner's eyes (0600) beside another and gives it the name of that one, so that there is always a
 * whole one. What stands in its place is never followed.
 */
export async function replaceFile(path: string, content: string | Iterable<string>): Promise<void> {
  const next = `${path}.new`;
  // A run that was killed may have left one.
  await rm(next, { force: true });
  await writeTexts(next, typeof content === 'string' ? [content] : content);
  await rename(next, path);
}

const memorySize = 1 << 17;
const encoder = new TextEncoder();

/** All texts go through one memory: Node.js would make a buffer for each, of which V8 keeps many megabytes of long lists. */
async function writeTexts(path: string, texts: Iterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const memory = Buffer.allocUnsafe(memorySize);
    for (const text of texts) {
      for (let at = 0; at < text.length; ) {
        const { read, written } = encoder.encodeInto(text.slice(at), memory);
        await file.writeFile(memory.subarray(0, written));
        at += read;
      }
    }
  } finally {
    await file.close();
  }
}
