// In JavaScript, because it is a part of jest's own configuration, which jest does not transpile.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

/** Has Node load a module, once in a process: as it is, or what was built of a source. @param {string} path */
export function requireNatively(path) {
  const inProject = relative(ROOT, path);
  const isSource = inProject.startsWith(`src${sep}`);
  return require(isSource ? join(ROOT, 'dist', inProject.replace(/\.ts$/, '.js')) : path);
}

/**
 * The code by which jest takes a module from Node, instead of loading it anew for every test file, which takes longer
 * than most of the files do. The service that a test starts, and what it imports of it, are the same modules so.
 *
 * @param {string} source
 * @param {string} path
 * @param {{ supportsDynamicImport: boolean, supportsStaticESM: boolean }} options what can load the code
 */
function codeFor(source, path, { supportsDynamicImport, supportsStaticESM }) {
  // What jest loads for itself, such as globalSetup and all that it imports, is loaded by Node in any case.
  if (!supportsDynamicImport) return source;
  const module = `requireNatively(${JSON.stringify(path)})`;
  if (!supportsStaticESM) return `module.exports = ${module};`;
  const names = Object.keys(requireNatively(path));
  const declarations = names.map((name, index) => `const export${index} = ${module}.${name};`);
  const exports = names.map((name, index) => `export${index} as ${name}`);
  return `${declarations.join('\n')}\nexport { ${exports.join(', ')} };`;
}

/** A transformer for jest. The names that a module exports may come from others, so the key is all of the code. */
export default {
  /** @type {(...parameters: Parameters<typeof codeFor>) => string} */
  getCacheKey: (...parameters) =>
    createHash('sha256')
      .update(codeFor(...parameters))
      .digest('hex'),
  /** @type {(...parameters: Parameters<typeof codeFor>) => { code: string }} */
  process: (...parameters) => ({ code: codeFor(...parameters) }),
};
