/**
 * Asks the registry for known vulnerabilities of the packages that ship: those that are installed beside the program,
 * and those that are built in. `npm audit` treats the latter as development dependencies. Exits with 1 if there are
 * any.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { shippedVulnerabilities } from './shipped-vulnerabilities.mjs';

/** @param {string} path */
const read = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));

const report = JSON.parse(auditReport());
if (report.vulnerabilities === undefined) {
  process.stderr.write(`Nothing was checked: the registry did not answer the audit.
  ${report.message ?? JSON.stringify(report)}
Many mirrors and proxies refuse this request. Run it where the public registry answers, as CI does, or name a
registry that does: npm_config_registry=URL npm run audit
`);
  process.exitCode = 2;
} else {
  const sbom = read('dist/sbom.cdx.json');
  const found = shippedVulnerabilities(report, read('package-lock.json'), sbom);
  for (const { name, severity, title, url, path } of found)
    process.stdout.write(`${severity}: ${name} (${path}): ${title} ${url}\n`);
  process.stdout.write(
    `${sbom.components.length} packages built in, and those installed beside them: ${found.length} known vulnerabilities\n`,
  );
  if (found.length > 0) process.exitCode = 1;
}

/** The output of `npm audit`, which exits with 1 if it found something. */
function auditReport() {
  try {
    return execFileSync('npm', ['audit', '--json'], {
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
  } catch (failure) {
    const { stdout } = /** @type {{ stdout?: string }} */ (failure);
    if (stdout) return stdout;
    throw failure;
  }
}
