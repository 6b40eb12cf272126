/** What is wrong with a command line, and what to do next. */
interface Words {
  message: string;
  hint: string;
}

const help = 'Add --help to see how it is used.';

/** How commander words a fault, and how we do. */
const rewordings: [RegExp, (...parts: string[]) => Words][] = [
  [
    /^command-argument value '(.*)' is invalid for argument '([^']*)'\. (.*)$/s,
    (value, name, rule) => ({ message: `${name} cannot be ${JSON.stringify(value)}`, hint: rule ?? help }),
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)$/s,
    (flag, value, rule) => ({ message: `${flag} cannot be ${JSON.stringify(value)}`, hint: rule ?? help }),
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+)([^']*)' argument missing$/,
    (flag, value) => ({ message: `${flag} needs a value`, hint: `Write: ${flag}${value}` }),
  ],
  [
    /^required option '(--[\w-]+)([^']*)' not specified$/,
    (flag, value) => ({ message: `${flag} is missing`, hint: `Add: ${flag}${value}` }),
  ],
  [
    /^(too many arguments for .*)\. (Expected .*)$/,
    (message, expected) => ({
      message: message ?? '',
      hint: `${expected} A value with blanks needs quotes.`,
    }),
  ],
  [
    /^(unknown .*)\n\((Did you mean .*)\)$/,
    (message, suggestion) => ({ message: message ?? '', hint: suggestion ?? help }),
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+)[^']*' cannot be used with option '(?:-\w, )?(--[\w-]+)[^']*'$/,
    (one, other) => ({ message: `${one} and ${other} exclude each other`, hint: 'Name one of them.' }),
  ],
  [/^unknown option/, (message) => ({ message: message ?? '', hint: 'Add --help to see the options.' })],
  [/^unknown command/, (message) => ({ message: message ?? '', hint: 'Add --help to see the commands.' })],
  [/^\(outputHelp\)$/, () => ({ message: 'a command is missing', hint: 'Add --help to see the commands.' })],
];

/** Puts what commander says of a command line, without its `error: `, into words. */
export function usageWords(text: string): Words {
  for (const [pattern, words] of rewordings) {
    const match = pattern.exec(text);
    if (match) return match.length > 1 ? words(...match.slice(1)) : words(text);
  }
  return { message: text, hint: help };
}
