// This file is JavaScript: it is part of jest's configuration, which jest does not transpile.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

/**
 * Loads a module with Node, once per process: the file itself, or the build output of a source. @param {string} path
 */
export function requireNatively(path) {
  const inProject = relative(ROOT, path);
  const isSource = inProject.startsWith(`src${sep}`);
  return require(isSource ? join(ROOT, 'dist', inProject.replace(/\.ts$/, '.js')) : path);
}

/**
 * The code with which jest takes a module from Node. Loading the module again for every test file takes longer than
 * most of the test files. A service that a test starts uses the same module instances as the test's own imports.
 *
 * @param {string} source
 * @param {string} path
 * @param {{ supportsDynamicImport: boolean, supportsStaticESM: boolean }} options what can load the code
 */
function codeFor(source, path, { supportsDynamicImport, supportsStaticESM }) {
  // Node loads the modules that jest uses itself, such as globalSetup and its imports, in any case.
  if (!supportsDynamicImport) return source;
  const module = `requireNatively(${JSON.stringify(path)})`;
  if (!supportsStaticESM) return `module.exports = ${module};`;
  const names = Object.keys(requireNatively(path));
  const declarations = names.map((name, index) => `const export${index} = ${module}.${name};`);
  const exports = names.map((name, index) => `export${index} as ${name}`);
  return `${declarations.join('\n')}\nexport { ${exports.join(', ')} };`;
}

/** A transformer for jest. A module can re-export names of other modules, so the cache key is the generated code. */
export default {
  /** @type {(...parameters: Parameters<typeof codeFor>) => string} */
  getCacheKey: (...parameters) =>
    createHash('sha256')
      .update(codeFor(...parameters))
      .digest('hex'),
  /** @type {(...parameters: Parameters<typeof codeFor>) => { code: string }} */
  process: (...parameters) => ({ code: codeFor(...parameters) }),
};
