/** The text of a YAML file, which the build inlines. */
declare module '*.yaml?raw' {
  const text: string;
  export default text;
}
