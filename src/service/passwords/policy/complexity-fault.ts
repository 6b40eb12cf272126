/** The four classes of decision 36; a special is any other visible ASCII character, so a blank is none. */
const classes = {
  digits: /\d/,
  'lower-case letters': /[a-z]/,
  'upper-case letters': /[A-Z]/,
  'special characters': /[!-/:-@[-`{-~]/,
};

const names = Object.keys(classes);
const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** What `passwordComplexity` tells as `{0}`: how a password must be mended; `undefined` when it is complex enough. */
export function complexityFault(password: string, minClasses: number): string | undefined {
  if (!/^[!-~]*$/.test(password)) return `use only ${listed}`;
  const used = Object.values(classes).filter((shape) => shape.test(password)).length;
  if (used >= minClasses) return undefined;
  return minClasses >= names.length ? `use ${listed}` : `use at least ${minClasses} of ${listed}`;
}
