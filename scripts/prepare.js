// Builds the service when npm installs it. `npm ci --omit=dev` installs no compiler. Then dist/ must come with the
// sources, and this script does nothing.
import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';

const COMPILERS = ['node_modules/typescript/bin/tsc', 'node_modules/vite/bin/vite.js'];

// sqlite3 is an optional dependency only so that this script can report its absence in one sentence. As a regular
// dependency, its failed install would stop npm with node-gyp's output; a `preinstall` script of this package would not
// come before that, because npm 7 to 11 run it after the install scripts of the dependencies (npm/cli#2660).
try {
  createRequire(import.meta.url)('sqlite3');
} catch {
  const blank = /\s/.test(process.cwd()) ? ' in a folder whose path has no blank' : '';
  console.error(
    `SQLite could not be installed: no binary could be downloaded, nor one compiled. Install Python 3, make and a C++ compiler (Debian: apt-get install python3 make g++), and run npm ci again${blank}.`,
  );
  process.exit(1);
}

// Where npm has compiled SQLite, 17 MB are left that nothing reads.
for (const left of ['obj', 'obj.target', 'sqlite3.a'])
  rmSync(`node_modules/sqlite3/build/Release/${left}`, { recursive: true, force: true });

if (COMPILERS.every((compiler) => existsSync(compiler))) {
  console.log('Building the service and its administration site; this takes about half a minute.');
  await import('./build.js');
} else if (!existsSync('dist/service.cjs')) {
  console.warn('Not built: there is no dist/, and no compiler to make it. Run `npm ci` without --omit=dev.');
}
