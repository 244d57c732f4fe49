// Bundles the compiler's output in dist/src/ and its packages into dist/service.cjs: one file loads in half the time.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Nest's packages load some packages by a `require` that bundlers do not resolve, which would load them twice. */
const oneOfEach = {
  name: 'one-of-each',
  transform: {
    filter: { id: /node_modules\/@nestjs\/(?:mapped-types|typeorm)\// },
    handler: (/** @type {string} */ code) =>
      code.replace('const require = createRequire(import.meta.url);', ''),
  },
};

export async function bundle() {
  const build = await rolldown({
    cwd: join(import.meta.dirname, '..'),
    input: 'dist/src/main.js',
    platform: 'node',
    // Native code, and files to serve.
    external: [/^sqlite3$/, /^swagger-ui-dist/],
    plugins: [oneOfEach],
    // Optional packages that are not installed, such as drivers of other databases, need no warning.
    onLog: (level, log, report) => log.code !== 'UNRESOLVED_IMPORT' && report(level, log),
  });
  // Nest, TypeORM and its migrations identify classes by name.
  const { output } = await build.write({
    file: 'dist/service.cjs',
    format: 'cjs',
    codeSplitting: false,
    keepNames: true,
  });
  await build.close();
  writeFileSync('dist/licenses.txt', licensesOf(output[0].moduleIds));
}

/** The licences of the packages that have modules in the bundle. @param {readonly string[]} moduleIds */
function licensesOf(moduleIds) {
  const packages = moduleIds.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]);
  return [...new Set(packages)]
    .filter((folder) => folder !== undefined)
    .toSorted()
    .map((folder) => {
      const { name, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
      const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
      return [license ? `${name} (${license})` : name, ...texts].join('\n\n');
    })
    .join('\n\n----\n\n');
}
