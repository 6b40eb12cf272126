import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** A page of the documentation. */
export interface Page {
  /** Relative to the project, with slashes. */
  path: string;
  /** The path on the disk. */
  file: string;
  text: string;
}

/** Every Markdown page of the project. */
export const pages: readonly Page[] = ['.', '.github', 'docs'].flatMap((directory) =>
  readdirSync(join(root, directory), { recursive: directory !== '.', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, directory, name))
    .map((file) => ({
      path: relative(root, file).replaceAll('\\', '/'),
      file,
      text: readFileSync(file, 'utf8'),
    })),
);

/** The page with that path. */
export function pageAt(path: string): Page {
  const page = pages.find((candidate) => candidate.path === path);
  if (!page) throw new Error(`there is no page ${path}`);
  return page;
}

/** Headings of a page, without those in blocks of code. */
export function headingsOf({ text }: Pick<Page, 'text'>): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => heading.trim());
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
