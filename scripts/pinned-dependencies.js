// Names all packages that an installation needs in package.json, in the versions of package-lock.json, while `npm pack`
// runs: npm ignores a lock file in a local tarball, and would install other versions than those that were tested. The bundle
// has all packages but SQLite with what it needs. A package that is nested in another one cannot be named here; npm chooses
// its version by the range of that one.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package.json';
const FOLDER = 'node_modules/';

/** @type {{ packages: Record<string, any> }} */
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const ofProject = lock.packages[''].optionalDependencies;
const optionalDependencies = process.argv.includes('--restore') ? ofProject : pinned();
const manifest = { ...JSON.parse(readFileSync(FILE, 'utf8')), optionalDependencies };
writeFileSync(FILE, `${JSON.stringify(manifest, null, 2)}\n`);

/** @returns {Record<string, string>} */
function pinned() {
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path.lastIndexOf(FOLDER) === 0 && dev === undefined,
  );
  return Object.fromEntries(installed.map(([path, { version }]) => [path.slice(FOLDER.length), version]));
}
