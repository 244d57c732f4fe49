#!/usr/bin/env node
// The command `posts-service`. This file alone must parse on older Node versions, so that it can report the required
// version.
'use strict';

const engines = require('../package.json').engines.node;

if (!isSupported(process.versions.node)) {
  process.stderr.write(
    `The Posts Service needs Node.js ${engines}; this is ${process.versions.node}.\n` +
      'Get a newer one from https://nodejs.org/ or with your version manager.\n',
  );
  process.exit(1);
}

// SQLite, files, compression and password hashes share libuv's threads. By default there are four, and slow statements of
// three connections can take three of them.
if (!process.env.UV_THREADPOOL_SIZE) process.env.UV_THREADPOOL_SIZE = '8';

run().catch(function (error) {
  // The other lines may name the file that needs a package.
  const isUnbuilt = /^Cannot find module .*dist.(src|service)/.test(error.message);
  const isIncomplete = /^Cannot find (module|package)|Could not locate the bindings file/.test(error.message);
  const hint =
    (isIncomplete && !isUnbuilt) || !isInstalled()
      ? 'A package is missing: run npm ci, and read what it says at its end.'
      : isUnbuilt && 'The service is not built yet: npm run build';
  process.stderr.write((hint || error.stack) + '\n');
  process.exit(1);
});

async function run() {
  // The stacks of errors name the lines of src/.
  process.setSourceMapsEnabled(true);
  const isDebugged = openInspector();
  // Tracing tools that load before the service patch its modules one by one, and a debugger shows them one by one: both
  // need the unbundled files. The container image has none.
  const options = process.execArgv.concat(process.env.NODE_OPTIONS || '').join(' ');
  const isWatched = /(^| )(-r|--require|--import|--loader|--experimental-loader|--inspect)\b/.test(options);
  const hasModules = require('node:fs').existsSync(require('node:path').join(__dirname, '../dist/src'));
  if ((isWatched || isDebugged) && hasModules) {
    await import('../dist/src/main.js');
    return;
  }
  const { enableCompileCache } = require('node:module');
  // Node 22 and later keep the compiled code.
  if (enableCompileCache) enableCompileCache();
  void require('../dist/service.cjs');
}

/**
 * `npm start -- --inspect` opens the debugger of this process, `--inspect-brk` waits for one, both with `=PORT` or without:
 * `NODE_OPTIONS=--inspect` would open that of npm.
 */
function openInspector() {
  const flag = /^--inspect(-brk)?(?:=(\d+))?$/;
  const argument = process.argv.slice(2).find(function (each) {
    return flag.test(each);
  });
  if (argument === undefined) return false;
  process.argv.splice(process.argv.indexOf(argument), 1);
  const [, waits, port] = flag.exec(argument);
  const inspector = require('node:inspector');
  inspector.open(Number(port || 9229));
  if (waits) inspector.waitForDebugger();
  return true;
}

/** SQLite is what fails to install; npm ci then ends before the build. */
function isInstalled() {
  try {
    return require.resolve('sqlite3') !== '';
  } catch {
    return false;
  }
}

/** The ranges of `engines`: `^20.19.0 || >=22.12.0`. */
function isSupported(version) {
  return engines.split('||').some(function (range) {
    const parts = /(\^|>=)(\d+)\.(\d+)/.exec(range);
    const have = version.split('.').map(Number);
    const isNewer = have[0] > Number(parts[2]);
    const isSameLine = have[0] === Number(parts[2]) && have[1] >= Number(parts[3]);
    return isSameLine || (isNewer && parts[1] === '>=');
  });
}
