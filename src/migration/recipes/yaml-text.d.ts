/** The text of a YAML file, which the build puts into the program. */
declare module '*.yaml?raw' {
  const text: string;
  export default text;
}
