import { stringify } from 'csv-stringify/sync';
import { errorCode } from '../../text/error-code.ts';
import { JobDirectoryError } from '../model/errors.ts';
import { type JobFileName, pathIn } from './job-files.ts';
import { type FileDraft, openDraft } from './replace-file.ts';

type Cells = readonly (string | number | undefined)[];

/** Names of lists: the CSV files, without the extension. */
type ListName<File = JobFileName> = File extends `${infer Name}.csv` ? Name : never;

/** Several CSV files that are written side by side and get their names together, once all are complete. */
export type ListWriter<Name extends ListName> = Awaited<ReturnType<typeof openLists<Name>>>;

/** Opens lists in a directory that exists; only their owner can read them (0600). */
export async function openLists<Name extends ListName>(
  directory: string,
  headers: Readonly<Record<Name, readonly string[]>>,
) {
  const lists = new Map<Name, { draft: FileDraft; lines: Cells[] }>();
  const close = async () => {
    for (const { draft } of lists.values()) await draft.discard();
  };
  const flush = async () => {
    for (const { draft, lines } of lists.values())
      if (lines.length > 0) await draft.write(stringify(lines.splice(0), { escape_formulas: true }));
  };
  try {
    for (const name of Object.keys(headers) as Name[]) {
      const draft = await openDraft(pathIn(directory, `${name}.csv`));
      lists.set(name, { draft, lines: [headers[name]] });
    }
  } catch (failure) {
    await close();
    const code = errorCode(failure);
    if (code === undefined) throw failure;
    throw new JobDirectoryError(
      directory,
      `the lists cannot be written there (${code})`,
      'Name another directory with --to.',
    );
  }
  return {
    /** Adds a line to a list, which is written by `flush`. */
    add: (name: Name, line: Cells) => void lists.get(name)?.lines.push(line),
    /** Writes the lines that were added; to be awaited between lists of rows, so that memory stays flat. */
    flush,
    /** Completes the files, which are still drafts. */
    async end(): Promise<void> {
      await flush();
      for (const { draft } of lists.values()) await draft.end();
    },
    /** Gives the complete files their names. */
    replace(): void {
      for (const { draft } of lists.values()) draft.replace();
    },
    /** Deletes the files, unless they got their names. */
    close,
  };
}
