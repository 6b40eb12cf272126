/** @typedef {{ title: string, url: string, severity: string }} Advisory */
/** @typedef {{ nodes: string[], via: (string | Advisory)[] }} Vulnerable */
/** @typedef {{ vulnerabilities: Record<string, Vulnerable> }} AuditReport */
/** @typedef {{ packages: Record<string, { dev?: boolean }> }} Lock */
/** @typedef {{ components: { properties: { value: string }[] }[] }} Sbom */

/**
 * The vulnerabilities of packages that ship: in the report of `npm audit --json`, those that are installed with the
 * program, and those that are built in. A package that is vulnerable only through another is reported with that other.
 * @param {AuditReport} report
 * @param {Lock} lock
 * @param {Sbom} sbom
 */
export function shippedVulnerabilities({ vulnerabilities }, { packages }, { components }) {
  const builtIn = new Set(components.flatMap(({ properties }) => properties.map(({ value }) => value)));
  return Object.entries(vulnerabilities).flatMap(([name, { nodes, via }]) =>
    nodes
      .filter((path) => builtIn.has(path) || !packages[path]?.dev)
      .flatMap((path) =>
        via.flatMap((advisory) => (typeof advisory === 'string' ? [] : [{ name, path, ...advisory }])),
      ),
  );
}
