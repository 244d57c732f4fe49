// The service in one file, and what V8 compiled of it when it was built. Reading the 1,200 files that it is made of takes
// longer than all the rest of a start.
'use strict';

const { readFileSync, statSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { Script } = require('node:vm');

const FILE = path.join(__dirname, '../dist/service.cjs');
/**
 * It fits the version of Node, and its options, with which it was made; with others V8 compiles anew. Of the file V8 compares
 * the length alone, so what is older than the file is of another one.
 */
const CODE_CACHE = path.join(__dirname, '../dist/service.cache');

/** @returns {import('node:vm').Script} */
function compile() {
  // The file is ASCII, which V8 keeps as it is.
  const source = Module.wrap(readFileSync(FILE, 'latin1'));
  return new Script(source, { filename: FILE, cachedData: readCodeCache() });
}

/** @param {import('node:vm').Script} script */
function run(script) {
  const exports = {};
  script
    .runInThisContext()
    .call(exports, exports, Module.createRequire(FILE), { exports }, FILE, path.dirname(FILE));
}

function readCodeCache() {
  try {
    return statSync(CODE_CACHE).mtimeMs < statSync(FILE).mtimeMs ? undefined : readFileSync(CODE_CACHE);
  } catch {
    return undefined;
  }
}

module.exports = { FILE, CODE_CACHE, compile, run, start: () => run(compile()) };
