/** @import { commandTree } from '../cli/schemas/command-tree.ts' */

/** @typedef {ReturnType<typeof commandTree>} Tree */

/**
 * Generates the manual page from `schema --tree`: roff with the macros of man(7).
 * @param {Tree} tree
 */
export function manPage(tree) {
  const { name, version, description, global_options, exit_codes, environment, files, commands } = tree;
  const parts = [
    `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`${name} ${version}`)} "User Commands"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(description)}`,
    '.SH SYNOPSIS',
    `.B ${escaped(name)}`,
    '.I command',
    '[options]',
    '.SH COMMANDS',
    ...commands.flatMap(commandPart),
    '.SH GLOBAL OPTIONS',
    'Accepted before and after every command.',
    ...global_options.flatMap(optionPart),
    '.SH ENVIRONMENT',
    ...environment.flatMap(({ names, meaning }) => [
      '.TP',
      `.B ${escaped(names.join(', '))}`,
      escaped(meaning),
    ]),
    '.SH FILES',
    ...files.flatMap(({ what, where }) => ['.TP', `.I ${escaped(what)}`, escaped(where)]),
    '.SH EXIT STATUS',
    ...exit_codes.flatMap(({ code, meaning }) => ['.TP', `.B ${code}`, escaped(meaning)]),
    '.SH SEE ALSO',
    'The guides in docs of the package, and',
    `.B ${escaped(`${name} explain`)}`,
    'for error codes.',
  ];
  return `${parts.join('\n')}\n`;
}

/** @param {Tree['commands'][number]} command */
function commandPart({ path, usage, description, options, notes, examples, ...command }) {
  const also = 'short' in command ? ` Also: ${command.short}.` : '';
  const shown = examples.map(escaped).join('\n');
  return [
    `.SS ${quoted(path)}`,
    `${escaped(`${description}.${also}`)}`,
    '.PP',
    `.B ${escaped(usage)}`,
    ...command.arguments.flatMap(({ name, description: text }) => [
      '.TP',
      `.I ${escaped(name)}`,
      escaped(text),
    ]),
    ...options.flatMap(optionPart),
    ...(notes === '' ? [] : notes.split(/\n{2,}/).flatMap((part) => ['.PP', escaped(part)])),
    ...(shown === '' ? [] : ['.PP', 'Examples:', '.PP', '.RS 4', '.nf', shown, '.fi', '.RE']),
  ];
}

/** @param {Tree['global_options'][number]} option */
function optionPart({ flags, description, ...option }) {
  const choices = 'choices' in option && option.choices ? ` (${option.choices.join(', ')})` : '';
  return ['.TP', `.B ${escaped(flags)}`, escaped(description + choices)];
}

/**
 * Escapes a text for roff, so that backslashes and hyphens are literal and no line is a request.
 * @param {string} text
 */
function escaped(text) {
  const plain = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\0-\x7f]/gu, character);
  return plain.replace(/^[.']/gm, '\\&$&');
}

/** @param {string} text */
function quoted(text) {
  return `"${escaped(text).replaceAll('"', '\\(dq')}"`;
}

/** @param {string} text */
function character(text) {
  return `\\[u${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}
