// Writes npm-shrinkwrap.json for `npm pack`: the part of package-lock.json that an installation needs. The bundle has all
// packages but SQLite. Without this file, npm would install other versions than those that were tested. It is removed
// after packing, because `npm ci` would use it in place of package-lock.json.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const FILE = 'npm-shrinkwrap.json';

if (process.argv.includes('--remove')) rmSync(FILE, { force: true });
else writeFileSync(FILE, `${JSON.stringify(shrinkwrap(), null, 2)}\n`);

function shrinkwrap() {
  /** @type {{ packages: Record<string, any> }} */
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const { devDependencies: _dev, ...root } = lock.packages[''];
  const isInstalled = (/** @type {string} */ path) =>
    lock.packages[path]?.dev === undefined && path in lock.packages;
  const installed = Object.entries(lock.packages).filter(
    ([path]) => path !== '' && isInstalled(path) && isInstalled(ownerOf(path)),
  );
  return { ...lock, packages: Object.fromEntries([['', root], ...installed]) };
}

/**
 * The package in whose folder another one is nested; the root has all others.
 *
 * @param {string} path
 */
function ownerOf(path) {
  return path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));
}
